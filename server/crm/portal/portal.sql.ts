import { limits } from '#contract/limits.ts'
import type { Db, Tx } from '#platform/data/db.ts'
import { sql } from '#platform/data/statement.ts'
import type { PageSender } from '#platform/http/html-page.ts'
import { newId } from '#platform/ids.ts'
import { hasModule } from '#server/identity/index.ts'
import {
  allBudgetColumns,
  type BudgetRow,
  type ListedBudgetRow,
  listedBudgetColumns,
} from '../budgets/budget.row.ts'
import { pageSenderColumn, pageSenderJoin } from '../letterhead/page-sender.sql.ts'

/** A contact with access to the portal. */
export type CustomerRow = {
  contact_id: string
  client_id: string
  email: string
  /** Whether the contact may see invoices of the client. */
  receives_invoices: boolean
  sender: PageSender
}

const hasPortalAccess = `p.client_id is not null and p.email is not null and p.archived_at is null and p.erased_at is null`
const customers = `select p.id as contact_id, p.client_id, p.email, p.receives_invoices,
    ${pageSenderColumn} from crm_contact p join organization o on o.id = $organization
      and ${hasModule('crm')} ${pageSenderJoin}
  where p.organization_id = $organization and ${hasPortalAccess}`
// index crm_contact_email; the oldest contact, so that the result is stable
const selectByEmail = sql<CustomerRow, { hashes: string[] }>(`${customers}
    and p.email_hash = any(array(select decode(h, 'hex') from unnest($hashes::text[]) h))
  order by p.id limit 1`)
// the use of a session is recorded at most once a minute
const selectBySession = sql<CustomerRow, { sessionDigest: string }>(`
  with used as (
    update portal_session u set last_used_at = now()
    where u.organization_id = $organization and u.token_digest = decode($sessionDigest, 'hex')
      and u.expires_at > now()
      and (u.last_used_at is null or u.last_used_at <= now() - interval '1 minute'))
  ${customers} and p.id = (
    select s.contact_id from portal_session s
    where s.organization_id = $organization and s.token_digest = decode($sessionDigest, 'hex')
      and s.expires_at > now())`)
const isValid = `l.organization_id = $organization and l.token_digest = decode($tokenDigest, 'hex') and l.expires_at > now()`
const lockByLink = sql<CustomerRow, { tokenDigest: string }>(
  `${customers} and p.id = (select l.contact_id from portal_link l where ${isValid}) for share of p`,
)
const deleteExpiredLinks = sql<never, { contactId: string }>(
  `delete from portal_link l where l.organization_id = $organization and l.contact_id = $contactId
    and l.expires_at <= now()`,
)
const insert = sql<never, { id: string; contactId: string; email: string; tokenDigest: string; ip: string }>(`
  insert into portal_link (organization_id, id, contact_id, token_digest, expires_at, ip)
  select $organization, $id, p.id, decode($tokenDigest, 'hex'),
    now() + interval '${limits.portalLinkMinutes} minutes', nullif($ip, '')
  from crm_contact p where p.organization_id = $organization and p.id = $contactId and p.email = $email for share`)
const exchange = sql<{ expires_at: string }, { tokenDigest: string; sessionDigest: string; ip: string }>(`
  with taken as (delete from portal_link l where ${isValid} returning l.contact_id)
  insert into portal_session (organization_id, token_digest, contact_id, expires_at, last_used_at, ip)
  select $organization, decode($sessionDigest, 'hex'), t.contact_id,
    now() + interval '${limits.portalSessionHours} hours', now(), nullif($ip, '')
  from taken t
  returning expires_at`)
const deleteOfContact = (table: string) =>
  `delete from ${table} t where t.organization_id = $organization and t.contact_id = $contactId`
// index portal_link_of
const deleteLinks = sql<never, { contactId: string }>(deleteOfContact('portal_link'))
// index portal_session_of
const deleteSessions = sql<never, { contactId: string }>(deleteOfContact('portal_session'))
const deleteExpiredSessions = sql<never, { contactId: string }>(
  `${deleteOfContact('portal_session')} and t.expires_at <= now()`,
)
const deleteSession = sql<never, { sessionDigest: string }>(
  `delete from portal_session s where s.organization_id = $organization
    and s.token_digest = decode($sessionDigest, 'hex')`,
)
const selectSender = sql<{ sender: PageSender }>(
  `select ${pageSenderColumn} from organization o ${pageSenderJoin}
    where o.id = $organization and ${hasModule('crm')}`,
)
const wasSent = `b.organization_id = $organization and b.client_id = $clientId and b.status in ('SENT', 'SIGNED', 'DECLINED')`
// index budget_of
const selectBudgets = sql<ListedBudgetRow, { clientId: string }>(`
  select ${listedBudgetColumns} from budget b where ${wasSent}
  order by b.created_at desc, b.id desc limit ${limits.portalBudgets}`)
const budget = `select ${allBudgetColumns} from budget b where ${wasSent} and b.id = $id`
const selectBudget = sql<BudgetRow, { clientId: string; id: string }>(budget)
const lockBudget = sql<BudgetRow, { clientId: string; id: string }>(`${budget} for no key update`)

/** The contact with this e-mail who has access to the portal; for `hashes` see emailHashes. */
export function customerByEmail(db: Db, hashes: readonly string[]) {
  return db.first(selectByEmail, { hashes: [...hashes] })
}

/** The same by a session that has not expired. Records the use of the session. */
export function customerBySession(db: Db, sessionDigest: string): Promise<CustomerRow | undefined> {
  return db.first(selectBySession, { sessionDigest })
}

/** The same by a link in a mail, locked until the transaction ends. */
export function lockCustomerByLink(tx: Tx, tokenDigest: string): Promise<CustomerRow | undefined> {
  return tx.first(lockByLink, { tokenDigest })
}

/**
 * Stores a link that somebody at the address `ip` requested. Returns false if the e-mail of the contact has changed: the
 * old address must not receive a link.
 */
export async function insertPortalLink(
  tx: Tx,
  { contact_id, email }: CustomerRow,
  { digest, ip }: { digest: string; ip: string },
): Promise<boolean> {
  const [, inserted] = await Promise.all([
    tx.run(deleteExpiredLinks, { contactId: contact_id }),
    tx.run(insert, { id: newId(), contactId: contact_id, email, tokenDigest: digest, ip }),
  ])
  return inserted > 0
}

/**
 * Exchanges a link for a session that is opened from the address `ip`; both secrets are digests. Undefined if the link was
 * used meanwhile. The contact must be locked.
 */
export async function exchangeLink(
  tx: Tx,
  contactId: string,
  { token, session, ip }: { token: string; session: string; ip: string },
): Promise<{ expires_at: string } | undefined> {
  const [, opened] = await Promise.all([
    tx.run(deleteExpiredSessions, { contactId }),
    tx.first(exchange, { tokenDigest: token, sessionDigest: session, ip }),
  ])
  return opened
}

export async function endSession(tx: Tx, sessionDigest: string): Promise<void> {
  await tx.run(deleteSession, { sessionDigest })
}

/** Ends the sessions and links of a contact that this transaction has locked. Returns the number of ended sessions. */
export async function endPortalSessions(tx: Tx, contactId: string): Promise<number> {
  const [, ended] = await Promise.all([
    tx.run(deleteLinks, { contactId }),
    tx.run(deleteSessions, { contactId }),
  ])
  return ended
}

/** An organization with a portal; undefined if it has none. */
export async function portalSender(db: Db): Promise<PageSender | undefined> {
  return (await db.first(selectSender))?.sender
}

/** The budgets that were sent to a client, newest first. */
export function budgetsSentTo(db: Db, clientId: string): Promise<ListedBudgetRow[]> {
  return db.rows(selectBudgets, { clientId })
}

export function budgetSentTo(db: Db, clientId: string, id: string): Promise<BudgetRow | undefined> {
  return db.first(selectBudget, { clientId, id })
}

/** The same, locked against changes and signatures until the transaction ends. */
export function lockBudgetSentTo(tx: Tx, clientId: string, id: string): Promise<BudgetRow | undefined> {
  return tx.first(lockBudget, { clientId, id })
}
