import type { CollectableInvoice, Creditor, Remittance } from '#contract/billing/direct-debits.ts'
import { limits } from '#contract/limits.ts'
import type { Db, Tx } from '#platform/data/db.ts'
import { sql } from '#platform/data/statement.ts'
import { isOpenAttempt } from '../../charges/charge.sql.ts'
import { dueCents, isUnpaid } from '../../invoices/unpaid.sql.ts'
import { mandateStatus } from '../mandates/mandate.sql.ts'

/** A remittance with the sums of its direct debits. Days are `YYYY-MM-DD`. */
export type RemittanceRow = {
  id: string
  state: Remittance['state']
  collection_date: string
  creditor: Creditor
  created_at: string
  sent_at: string | null
  cancelled_at: string | null
  count: number
  total_cents: number
  open_count: number
  collected_cents: number
}

// index direct_debit_of_remittance
const select = `select r.id, r.state, to_char(r.collection_date, 'YYYY-MM-DD') as collection_date, r.creditor,
    r.created_at, r.sent_at, r.cancelled_at, s.count, s.total_cents, s.open_count, s.collected_cents
  from direct_debit_remittance r cross join lateral (
    select count(*)::int as count, coalesce(sum(a.amount_cents), 0)::bigint as total_cents,
      count(*) filter (where d.outcome is null)::int as open_count,
      coalesce(sum(a.amount_cents) filter (where d.outcome = 'COLLECTED'), 0)::bigint as collected_cents
    from direct_debit d join charge_attempt a on a.organization_id = $organization and a.id = d.id
    where d.organization_id = $organization and d.remittance_id = r.id) s
  where r.organization_id = $organization`
const byId = sql<RemittanceRow, { id: string }>(`${select} and r.id = $id`)
const lock = sql<{ id: string }, { id: string }>(
  `select r.id from direct_debit_remittance r where r.organization_id = $organization and r.id = $id
    for no key update`,
)
// index direct_debit_remittance_recent
const page = sql<RemittanceRow, { limit: number; offset: number }>(
  `${select} order by r.created_at desc, r.id desc limit $limit offset $offset`,
)
const count = sql<{ total: number }>(
  'select count(*)::int as total from direct_debit_remittance r where r.organization_id = $organization',
)
const insert = sql<never, { id: string; collectionDate: string; creditor: string; by: string }>(`
  insert into direct_debit_remittance (organization_id, id, state, collection_date, creditor, created_by)
  values ($organization, $id, 'PREPARED', $collectionDate, $creditor, $by)`)
const setSent = sql<never, { id: string }>(`
  update direct_debit_remittance r set state = 'SENT', sent_at = now()
  where r.organization_id = $organization and r.id = $id and r.state = 'PREPARED'`)
const setCancelled = sql<never, { id: string }>(`
  update direct_debit_remittance r set state = 'CANCELLED', cancelled_at = now()
  where r.organization_id = $organization and r.id = $id and r.state = 'PREPARED'`)
// index direct_debit_of_remittance
const setCollectedOn = sql<never, { remittanceId: string }>(`
  update direct_debit_mandate m set last_collected_on = greatest(m.last_collected_on, r.collection_date)
  from direct_debit d, direct_debit_remittance r
  where m.organization_id = $organization and d.organization_id = $organization
    and r.organization_id = $organization
    and d.remittance_id = $remittanceId and m.id = d.mandate_id and r.id = $remittanceId`)
// indexes invoice_unpaid, charge_attempt_open and direct_debit_mandate_of_client
const collectable = sql<CollectableInvoice>(`
  select i.id as "invoiceId", i.number as "invoiceNumber", i.client_id as "clientId", c.name as "clientName",
    to_char(i.due_date, 'YYYY-MM-DD') as "dueDate", ${dueCents('i')} as "dueCents", m.id as "mandateId",
    m.reference as "mandateReference", m.scheme
  from invoice i join crm_client c on c.organization_id = $organization and c.id = i.client_id
  cross join lateral (
    select m.id, m.reference, m.scheme from direct_debit_mandate m
    where m.organization_id = $organization and m.client_id = i.client_id and ${mandateStatus('m')} = 'ACTIVE'
    order by m.created_at desc, m.id desc limit 1) m
  where i.organization_id = $organization and ${isUnpaid('i')} and i.currency = 'eur' and ${dueCents('i')} > 0
    and not exists (select from charge_attempt a
      where a.organization_id = $organization and a.invoice_id = i.id and ${isOpenAttempt('a')})
  order by i.due_date, i.id limit ${limits.remittanceInvoices}`)
/** The debtor's account of a direct debit, encrypted. */
export type DebtorRow = {
  id: string
  mandate_id: string
  debtor_name: string
  iban: string
  bic: string | null
  signed_on: string
}
// index direct_debit_of_remittance
const debtors = sql<DebtorRow, { remittanceId: string }>(`
  select d.id, m.id as mandate_id, m.debtor_name, m.iban, m.bic, to_char(m.signed_on, 'YYYY-MM-DD') as signed_on
  from direct_debit d join direct_debit_mandate m on m.organization_id = $organization and m.id = d.mandate_id
  where d.organization_id = $organization and d.remittance_id = $remittanceId order by d.id`)

export function findRemittance(db: Db, id: string): Promise<RemittanceRow | undefined> {
  return db.first(byId, { id })
}

/** The same under a lock. Every transaction locks a remittance before its invoices. */
export async function lockRemittance(tx: Tx, id: string): Promise<RemittanceRow | undefined> {
  await tx.first(lock, { id })
  return tx.first(byId, { id })
}

/** A page, the newest first, and the number of all. */
export async function listRemittances(
  db: Db,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ rows: RemittanceRow[]; total: number }> {
  const [rows, counted] = await Promise.all([db.rows(page, { limit, offset }), db.one(count)])
  return { rows, total: counted.total }
}

export async function insertRemittance(
  tx: Tx,
  {
    id,
    collectionDate,
    creditor,
    by,
  }: { id: string; collectionDate: string; creditor: Creditor; by: string },
): Promise<void> {
  await tx.run(insert, { id, collectionDate, creditor: JSON.stringify(creditor), by })
}

/** Marks a prepared remittance as sent, and its mandates as used. */
export async function setRemittanceSent(tx: Tx, id: string): Promise<void> {
  await tx.run(setSent, { id })
  await tx.run(setCollectedOn, { remittanceId: id })
}

export async function setRemittanceCancelled(tx: Tx, id: string): Promise<void> {
  await tx.run(setCancelled, { id })
}

export function listCollectable(db: Db): Promise<CollectableInvoice[]> {
  return db.rows(collectable)
}

/** The debtors of a remittance, in the order of its direct debits. */
export function debtorsOf(db: Db, remittanceId: string): Promise<DebtorRow[]> {
  return db.rows(debtors, { remittanceId })
}
