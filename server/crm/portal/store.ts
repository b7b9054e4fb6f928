import { limits } from '#contract/limits.ts'
import type { Db, Tx } from '#platform/db/database.ts'
import { sql } from '#platform/db/statement.ts'
import { hasModule } from '#server/identity/index.ts'
import { type BudgetRow, type ListedBudgetRow, listedBudget, wholeBudget } from '../budgets/row.ts'

/** A contact of a client, as the portal knows them. */
export type CustomerRow = {
  contact_id: string
  client_id: string
  email: string
  /** Whether invoices of the client are for them. */
  receives_invoices: boolean
  organization_name: string
}

const mayEnter = `p.client_id is not null and p.email is not null and p.archived_at is null and p.erased_at is null`
const customer = 'p.id as contact_id, p.client_id, p.email, p.receives_invoices, o.name as organization_name'
const among = `from crm_contact p join organization o on o.id = $1 and ${hasModule('crm')}
  where p.organization_id = $1 and ${mayEnter}`
// index crm_contact_email; the oldest first, so that it is always the same one
const selectByEmail = sql<CustomerRow, [hashes: string[]]>(`
  select ${customer} ${among}
    and p.email_hash = any(array(select decode(h, 'hex') from unnest($2::text[]) h))
  order by p.id limit 1`)
const select = sql<CustomerRow, [id: string]>(`select ${customer} ${among} and p.id = $2`)
const deleteOld = sql<never, [contactId: string]>(
  'delete from portal_link l where l.organization_id = $1 and l.contact_id = $2 and l.expires_at <= now()',
)
const insert = sql<never, [id: string, contactId: string, tokenDigest: string]>(`
  insert into portal_link (organization_id, id, contact_id, token_digest, expires_at)
  values ($1, $2, $3, decode($4, 'hex'), now() + interval '${limits.portalLinkMinutes} minutes')`)
const take = sql<{ contact_id: string; now_seconds: number }, [tokenDigest: string]>(`
  delete from portal_link l
  where l.organization_id = $1 and l.token_digest = decode($2, 'hex') and l.expires_at > now()
  returning l.contact_id, floor(extract(epoch from now()))::int8 as now_seconds`)
const selectName = sql<{ name: string }, []>(
  `select o.name from organization o where o.id = $1 and ${hasModule('crm')}`,
)
const selectNow = sql<{ now_seconds: number }, []>(
  'select floor(extract(epoch from clock_timestamp()))::int8 as now_seconds from organization o where o.id = $1',
)
const wasSent = `b.organization_id = $1 and b.client_id = $2 and b.status in ('SENT', 'SIGNED')`
// index budget_of
const selectBudgets = sql<ListedBudgetRow, [clientId: string]>(`
  select ${listedBudget} from budget b where ${wasSent}
  order by b.created_at desc, b.id desc limit ${limits.portalBudgets}`)
const budget = `select ${wholeBudget} from budget b where ${wasSent} and b.id = $3`
const selectBudget = sql<BudgetRow, [clientId: string, id: string]>(budget)
const lockBudget = sql<BudgetRow, [clientId: string, id: string]>(`${budget} for no key update`)

/** The contact with this e-mail, given as `emailHashes` tells it, who may enter the portal. */
export function customerByEmail(db: Db, hashes: readonly string[]) {
  return db.first(selectByEmail, [...hashes])
}

/** The same by id. */
export function customerById(db: Db, id: string): Promise<CustomerRow | undefined> {
  return db.first(select, id)
}

export async function insertPortalLink(tx: Tx, id: string, contactId: string, digest: string): Promise<void> {
  await Promise.all([tx.run(deleteOld, contactId), tx.run(insert, id, contactId, digest)])
}

/** Takes the link of a secret away, and tells whose it was; undefined when there is none, or its time is over. */
export function takePortalLink(tx: Tx, digest: string) {
  return tx.first(take, digest)
}

/** What an organization is called that has a portal; undefined when there is none. */
export async function portalName(db: Db): Promise<string | undefined> {
  return (await db.first(selectName))?.name
}

/** Seconds since 1970, by the database. */
export async function secondsNow(db: Db): Promise<number> {
  return (await db.first(selectNow))?.now_seconds ?? Number.POSITIVE_INFINITY
}

/** The budgets that were sent to a client, the newest first. */
export function budgetsSentTo(db: Db, clientId: string): Promise<ListedBudgetRow[]> {
  return db.rows(selectBudgets, clientId)
}

export function budgetSentTo(db: Db, clientId: string, id: string): Promise<BudgetRow | undefined> {
  return db.first(selectBudget, clientId, id)
}

/** The same; nobody else changes or signs it until the transaction ends. */
export function lockBudgetSentTo(tx: Tx, clientId: string, id: string): Promise<BudgetRow | undefined> {
  return tx.first(lockBudget, clientId, id)
}
