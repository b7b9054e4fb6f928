import { limits } from '#contract/limits.ts'
import type { Database } from '#platform/data/database.ts'
import type { Db, Tx } from '#platform/data/db.ts'
import { sql } from '#platform/data/statement.ts'
import { digestOf, organizationOf } from './payment-link.token.ts'

export type InvoiceLinkRow = {
  id: string
  kind: 'PRIMARY' | 'ACTION' | 'MAIL'
  created_by: string | null
  created_at: string
  expires_at: string
  revoked_at: string | null
  is_current: boolean
}
const columns = `l.id, case when l.is_of_mail then 'MAIL' else l.kind end as kind, l.created_by, l.created_at, l.expires_at, l.revoked_at,
  l.revoked_at is null and now() < l.expires_at as is_current`
const primary = `l.organization_id = $organization and l.invoice_id = $invoiceId and l.kind = 'PRIMARY' and l.revoked_at is null`

// index invoice_link_current
const current = sql<InvoiceLinkRow, { invoiceId: string }>(
  `select ${columns} from invoice_link l where ${primary} and l.expires_at > now()`,
)
const revokePrimary = sql<never, { invoiceId: string }>(
  `update invoice_link l set revoked_at = now() where ${primary}`,
)
const insert = sql<
  InvoiceLinkRow,
  { id: string; invoiceId: string; digest: Buffer; createdBy: string | null; days: number }
>(`
  insert into invoice_link as l (organization_id, id, invoice_id, kind, token_digest, created_by, expires_at)
  values ($organization, $id, $invoiceId, 'PRIMARY', $digest, $createdBy,
    now() + make_interval(days => $days::int)) returning ${columns}`)
const insertForAction = sql<
  never,
  { id: string; invoiceId: string; attemptId: string | null; digest: Buffer }
>(`
  insert into invoice_link (organization_id, id, invoice_id, kind, token_digest, charge_attempt_id, expires_at)
  values ($organization, $id, $invoiceId, 'ACTION', $digest, $attemptId,
    now() + interval '${limits.actionLinkHours} hours')`)
const insertForMail = sql<never, { id: string; invoiceId: string; digest: Buffer; days: number }>(`
  insert into invoice_link (organization_id, id, invoice_id, kind, is_of_mail, token_digest, expires_at)
  values ($organization, $id, $invoiceId, 'ACTION', true, $digest, now() + make_interval(days => $days::int))`)
// index invoice_link_of
const list = sql<InvoiceLinkRow, { invoiceId: string }>(`
  select ${columns} from invoice_link l where l.organization_id = $organization and l.invoice_id = $invoiceId
  order by l.created_at desc, l.id desc limit ${limits.invoiceLinksShown}`)
const revoke = sql<InvoiceLinkRow, { invoiceId: string; id: string }>(`
  update invoice_link l set revoked_at = coalesce(l.revoked_at, now())
  where l.organization_id = $organization and l.invoice_id = $invoiceId and l.id = $id returning ${columns}`)

/** The current link of an invoice; undefined when there is none or it has expired. */
export function findCurrentLink(db: Db, invoiceId: string): Promise<InvoiceLinkRow | undefined> {
  return db.first(current, { invoiceId })
}

/**
 * Revokes the current link of an invoice and stores the digest of a new one. The transaction must have locked the
 * invoice.
 */
export async function replaceLink(
  tx: Tx,
  link: { id: string; invoiceId: string; token: string; createdBy: string | null; days: number },
): Promise<InvoiceLinkRow> {
  const [, made] = await Promise.all([
    tx.run(revokePrimary, { invoiceId: link.invoiceId }),
    tx.one(insert, {
      id: link.id,
      invoiceId: link.invoiceId,
      digest: digestOf(link.token),
      createdBy: link.createdBy,
      days: link.days,
    }),
  ])
  return made
}

/** Stores the digest of an action link: for one attempt to pay, or for a customer of the portal, who has none yet. */
export async function insertLinkForAction(
  tx: Tx,
  link: { id: string; invoiceId: string; attemptId: string | null; token: string },
): Promise<void> {
  await tx.run(insertForAction, {
    id: link.id,
    invoiceId: link.invoiceId,
    attemptId: link.attemptId,
    digest: digestOf(link.token),
  })
}

/** Stores the digest of the link in a mail. */
export async function insertLinkForMail(
  tx: Tx,
  link: { id: string; invoiceId: string; token: string; days: number },
): Promise<void> {
  await tx.run(insertForMail, {
    id: link.id,
    invoiceId: link.invoiceId,
    digest: digestOf(link.token),
    days: link.days,
  })
}

export function listLinks(db: Db, invoiceId: string): Promise<InvoiceLinkRow[]> {
  return db.rows(list, { invoiceId })
}

/** Revokes a link; undefined when the invoice has no such link. */
export function revokeLink(tx: Tx, invoiceId: string, id: string): Promise<InvoiceLinkRow | undefined> {
  return tx.first(revoke, { invoiceId, id })
}

export type ValidLink = { organizationId: string; id: string; invoice_id: string }
// index invoice_link_token
const byToken = sql<Omit<ValidLink, 'organizationId'>, { digest: Buffer }>(`
  select l.id, l.invoice_id from invoice_link l join invoice i on i.organization_id = $organization
    and i.id = l.invoice_id
  where l.organization_id = $organization and l.token_digest = $digest and l.revoked_at is null
    and l.expires_at > now()
    and i.lifecycle = 'ISSUED'`)

/** The link of a token; undefined when the token is invalid, the link has ended, or its invoice is void. */
export async function findLinkByToken(
  { of }: Pick<Database, 'of'>,
  token: string,
): Promise<ValidLink | undefined> {
  const organizationId = organizationOf(token)
  if (organizationId === undefined) return undefined
  const link = await of(organizationId).first(byToken, { digest: digestOf(token) })
  return link && { organizationId, ...link }
}
