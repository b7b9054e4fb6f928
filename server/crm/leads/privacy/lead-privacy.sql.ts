import { limits } from '#contract/limits.ts'
import type { Db, Tx } from '#platform/data/db.ts'
import { sql } from '#platform/data/statement.ts'
import { forgetReplies } from '#platform/http/idempotency.ts'
import { endPortalSessions } from '../../portal/portal.sql.ts'
import { eraseSigner } from '../../signature-requests/erase-signer.ts'
import type { LeadRow } from '../lead.row.ts'
import { namesPerson } from './lead-privacy.rules.ts'

// a client that was created from the lead has its e-mail and telephone
const eraseClientAddresses = sql<
  never,
  { clientId: string | null; email: string | null; phone: string | null }
>(`
  update crm_client c set email = nullif(c.email, $email), phone = nullif(c.phone, $phone), updated_at = now()
  where c.organization_id = $organization and c.id = $clientId and (c.email = $email or c.phone = $phone)`)
const selectAddress = sql<{ email: string | null }, { contactId: string | null }>(
  'select c.email from crm_contact c where c.organization_id = $organization and c.id = $contactId',
)
const eraseContact = sql<{ id: string }, { contactId: string | null }>(`
  update crm_contact c set first_name = null, last_name = null, name_folded = '', search = '', email = null,
    email_hash = null, phone = null, phone_e164 = null, receives_invoices = false, erased_at = now(), updated_at = now()
  where c.organization_id = $organization and c.id = $contactId and c.erased_at is null returning c.id`)
// index lead_change_of
const eraseReasons = sql<never, { leadId: string }>(`
  update lead_change h set reason = null
  where h.organization_id = $organization and h.lead_id = $leadId and h.reason is not null`)
const lockTitle = sql<{ title: string }, { opportunityId: string | null }>(`
  select o.title from crm_opportunity o where o.organization_id = $organization and o.id = $opportunityId
    for no key update`)
const eraseTitle = sql<never, { opportunityId: string | null }>(`
  update crm_opportunity o set title = o.id, title_folded = o.id, updated_at = now()
  where o.organization_id = $organization and o.id = $opportunityId`)

/**
 * Erases the personal data outside a locked lead: the contact that it was converted into, the e-mail and telephone that its
 * client took from it (the name stays, because invoices use it), the title of its opportunity, unused signing links, the reasons
 * in its history, and stored replies to applications. Locks the client before the contact, as a conversion does. Returns whether
 * there was a contact, and the e-mail addresses.
 */
export async function eraseTraces(
  tx: Tx,
  lead: LeadRow,
): Promise<{ contactErased: boolean; addresses: string[] }> {
  const [, contact, contacts, opportunity] = await tx.inOrder(
    () => tx.run(eraseClientAddresses, { clientId: lead.client_id, email: lead.email, phone: lead.phone }),
    () => tx.first(selectAddress, { contactId: lead.contact_id }),
    () => tx.run(eraseContact, { contactId: lead.contact_id }),
    () => tx.first(lockTitle, { opportunityId: lead.opportunity_id }),
    () => tx.run(eraseReasons, { leadId: lead.id }),
    () => lead.contact_id !== null && endPortalSessions(tx, lead.contact_id),
    () => forgetReplies(tx, lead.id),
  )
  if (opportunity && namesPerson(opportunity.title, lead))
    await tx.run(eraseTitle, { opportunityId: lead.opportunity_id })
  const addresses = [lead.email, contact?.email].filter(address => typeof address === 'string')
  await eraseSigner(tx, addresses)
  return { contactErased: contacts > 0, addresses }
}

/** A row of the export. */
type ExportedRow = { [field: string]: unknown }

const selectHistory = sql<ExportedRow, { leadId: string }>(`
  select h.at, h.action, h.actor_kind as "actorKind", h.actor_id as "actorId", h.from_status as "fromStatus",
    h.to_status as "toStatus", h.changed, h.source, h.reason
  from lead_change h where h.organization_id = $organization and h.lead_id = $leadId
  order by h.at desc, h.id desc limit ${limits.personalDataEntries}`)
const selectContact = sql<ExportedRow, { contactId: string | null }>(`
  select c.id, c.client_id as "clientId", c.first_name as "firstName", c.last_name as "lastName", c.email, c.phone,
    c.receives_invoices as "receivesInvoices", c.created_at as "createdAt", c.updated_at as "updatedAt"
  from crm_contact c where c.organization_id = $organization and c.id = $contactId`)
const selectOpportunity = sql<ExportedRow, { opportunityId: string | null }>(`
  select o.id, o.title, o.status, o.stage, o.client_id as "clientId", o.amount_cents as "amountCents", o.currency,
    o.expected_on::text as "expectedOn", o.created_at as "createdAt", o.closed_at as "closedAt"
  from crm_opportunity o where o.organization_id = $organization and o.id = $opportunityId`)
// index audit_subject
const selectAudit = sql<ExportedRow, { leadId: string }>(`
  select a.at, a.operation, a.auth, a.actor_id as "actorId", a.changed
  from audit a where a.organization_id = $organization and a.subject = $leadId
  order by a.seq desc limit ${limits.personalDataEntries}`)

/** The personal data outside the lead; lists are ordered latest first. */
export async function readTraces(db: Db, { id, contact_id, opportunity_id }: LeadRow) {
  const [history, contact, opportunity, audit] = await Promise.all([
    db.rows(selectHistory, { leadId: id }),
    db.first(selectContact, { contactId: contact_id }),
    db.first(selectOpportunity, { opportunityId: opportunity_id }),
    db.rows(selectAudit, { leadId: id }),
  ])
  return { history, contact: contact ?? null, opportunity: opportunity ?? null, audit }
}
