import { createHash } from 'node:crypto'
import { newId } from '#platform/ids.ts'
import { insertMany, insertRows, type SqlRunner } from './rows.ts'
import type { Person } from './test-server.ts'

// Fill a list up to its limit, for which operations would take minutes: one builder for each kind

type Of = Pick<Person, 'id' | 'organizationId'>

/** Drafts of a person in threads of a channel. */
export function plantDrafts(
  server: SqlRunner,
  { id, organizationId }: Of,
  channelId: string,
  count: number,
): Promise<void> {
  return insertMany(server, 'chat_draft', count, n => ({
    organization_id: organizationId,
    person_id: id,
    channel_id: channelId,
    thread_id: `thread ${n}`,
    content: 'x',
  }))
}

/** Files that a person uploaded to a channel and that no message has, without objects in the file store. */
export function plantWaitingFiles(
  server: SqlRunner,
  { id, organizationId }: Of,
  channelId: string,
  count: number,
): Promise<void> {
  return insertMany(server, 'chat_file', count, () => ({
    organization_id: organizationId,
    channel_id: channelId,
    uploaded_by: id,
  }))
}

/** Saved views of the leads of a person. */
export function plantViews(
  server: SqlRunner,
  { id, organizationId }: Of,
  isShared: boolean,
  count: number,
): Promise<void> {
  return insertMany(server, 'saved_view', count, n => ({
    organization_id: organizationId,
    name: `View ${n}`,
    owner_id: id,
    is_shared: isShared,
  }))
}

/** Marks of a person on items of the inbox, each a second older than the one before. */
export function plantInboxMarks(server: SqlRunner, { id, organizationId }: Of, count: number): Promise<void> {
  const now = Date.now()
  return insertMany(server, 'inbox_done', count, n => ({
    organization_id: organizationId,
    person_id: id,
    item: `MENTION:${n}`,
    done_at: new Date(now - n * 1_000),
  }))
}

/** Collections of a person. */
export function plantCollections(
  server: SqlRunner,
  { id, organizationId }: Of,
  count: number,
): Promise<void> {
  return insertMany(server, 'collection', count, n => ({
    organization_id: organizationId,
    name: `${n}`,
    name_folded: `${n}`,
    owner_id: id,
  }))
}

/** Links of an asset to leads that do not exist. */
export function plantAssetLinks(
  server: SqlRunner,
  { id, organizationId }: Of,
  assetId: string,
  count: number,
): Promise<void> {
  return insertMany(server, 'asset_link', count, n => ({
    organization_id: organizationId,
    asset_id: assetId,
    entity_id: `${n}`,
    created_by: id,
  }))
}

/** Groups of an organization without members. Returns their ids. */
export async function plantGroups(
  server: SqlRunner,
  organizationId: string,
  count: number,
): Promise<{ id: string }[]> {
  const groups = Array.from({ length: count }, () => ({ id: newId() }))
  await insertRows(
    server,
    'unit',
    groups.map(({ id }) => ({ organization_id: organizationId, id, name: id })),
  )
  return groups
}

/** Addresses that an organization had before: `name-1` and so on. */
export function plantFormerAddresses(
  server: SqlRunner,
  organizationId: string,
  name: string,
  count: number,
): Promise<void> {
  return insertMany(server, 'organization_address', count, n => ({
    address: `${name}-${n}`,
    leads_to: organizationId,
    retired_at: new Date(),
  }))
}

/** Logos that an organization uploaded, without objects in the file store. */
export function plantLogos(server: SqlRunner, organizationId: string, count: number): Promise<void> {
  return insertMany(server, 'crm_logo', count, n => ({
    organization_id: organizationId,
    sha256: n.toString(16).padStart(64, '0'),
  }))
}

/** Billing contacts of a client. */
export function plantBillingContacts(
  server: SqlRunner,
  organizationId: string,
  clientId: string,
  count: number,
): Promise<void> {
  return insertMany(server, 'crm_billing_contact', count, () => ({
    organization_id: organizationId,
    client_id: clientId,
  }))
}

/** Revoked signing links of a budget. */
export function plantRevokedLinks(
  server: SqlRunner,
  organizationId: string,
  budgetId: string,
  count: number,
): Promise<void> {
  const now = new Date()
  return insertMany(server, 'signing_link', count, () => {
    const id = newId()
    return {
      organization_id: organizationId,
      id,
      budget_id: budgetId,
      token_digest: `\\x${createHash('sha256').update(id).digest('hex')}`,
      expires_at: now,
      revoked_at: now,
    }
  })
}

/** Templates of the mails of invoices. */
export function plantTemplates(server: SqlRunner, organizationId: string, count: number): Promise<void> {
  return insertMany(server, 'invoice_template', count, () => ({
    organization_id: organizationId,
  }))
}
