import type { BankResult, DirectDebitState, Mandate, Remittance } from '#contract/billing/direct-debits.ts'
import type { Db, Tx } from '#platform/data/db.ts'
import { sql } from '#platform/data/statement.ts'

/** A direct debit with its invoice and mandate. `outcome` is null until the bank reports a result. */
export type DirectDebitRow = {
  id: string
  remittance_id: string
  remittance_state: Remittance['state']
  outcome: Exclude<DirectDebitState, 'OPEN'> | null
  rejected_at: string | null
  reason_code: string | null
  amount_cents: number
  invoice_id: string
  invoice_number: string
  client_id: string
  client_name: string
  mandate_id: string
  mandate_reference: string
  scheme: Mandate['scheme']
  kind: Mandate['kind']
}

const select = `select d.id, d.remittance_id, r.state as remittance_state, d.outcome, d.rejected_at, d.reason_code,
    a.amount_cents, a.invoice_id, i.number as invoice_number, i.client_id, c.name as client_name, d.mandate_id,
    m.reference as mandate_reference, m.scheme, m.kind
  from direct_debit d
  join direct_debit_remittance r on r.organization_id = $organization and r.id = d.remittance_id
  join direct_debit_mandate m on m.organization_id = $organization and m.id = d.mandate_id
  join charge_attempt a on a.organization_id = $organization and a.id = d.id
  join invoice i on i.organization_id = $organization and i.id = a.invoice_id
  join crm_client c on c.organization_id = $organization and c.id = i.client_id
  where d.organization_id = $organization`
// primary key
const byIds = sql<DirectDebitRow, { ids: string[] }>(`${select} and d.id = any($ids)`)
// index direct_debit_of_remittance
const ofRemittance = sql<DirectDebitRow, { remittanceId: string }>(
  `${select} and d.remittance_id = $remittanceId order by d.id`,
)
type AttemptArgs = { ids: string[]; invoiceIds: string[]; cents: number[]; currency: string }
// on a conflict another payment of the invoice is open (index charge_attempt_open)
const insertAttempts = sql<{ invoice_id: string }, AttemptArgs>(`
  insert into charge_attempt (organization_id, id, invoice_id, kind, state, amount_cents, currency)
  select $organization, d.id, d.invoice_id, 'DIRECT_DEBIT', 'PROCESSING', d.cents, $currency
  from unnest($ids::text[], $invoiceIds::text[], $cents::bigint[]) as d (id, invoice_id, cents)
  on conflict do nothing returning invoice_id`)
const insert = sql<never, { remittanceId: string; ids: string[]; mandateIds: string[] }>(`
  insert into direct_debit (organization_id, id, remittance_id, mandate_id)
  select $organization, d.id, $remittanceId, d.mandate_id
  from unnest($ids::text[], $mandateIds::text[]) as d (id, mandate_id)`)
const setOutcome = sql<never, { id: string; outcome: string; reasonCode: string | null }>(`
  update direct_debit d set outcome = $outcome, reason_code = $reasonCode,
    rejected_at = case when $outcome = 'REJECTED' then now() else d.rejected_at end
  where d.organization_id = $organization and d.id = $id`)

/** The direct debits with these ids, in any order. */
export function findDirectDebits(db: Db, ids: readonly string[]): Promise<DirectDebitRow[]> {
  return db.rows(byIds, { ids: [...ids] })
}

/** A direct debit that exists. */
export function readDirectDebit(db: Db, id: string): Promise<DirectDebitRow> {
  return db.one(byIds, { ids: [id] })
}

/** At most `limits.remittanceInvoices`. */
export function directDebitsOf(db: Db, remittanceId: string): Promise<DirectDebitRow[]> {
  return db.rows(ofRemittance, { remittanceId })
}

/** A direct debit to insert. Amounts are in cents of the euro. */
export type NewDirectDebit = { id: string; invoiceId: string; amountCents: number; mandateId: string }

/**
 * Inserts the direct debits of a remittance with their charge attempts. Returns the first invoice of which another payment
 * is open: the transaction must then be rolled back. It must have locked the invoices.
 */
export async function insertDirectDebits(
  tx: Tx,
  remittanceId: string,
  debits: readonly NewDirectDebit[],
): Promise<string | undefined> {
  const ids = debits.map(({ id }) => id)
  const invoiceIds = debits.map(({ invoiceId }) => invoiceId)
  const amounts = debits.map(({ amountCents }) => amountCents)
  const inserted = new Set(
    (await tx.rows(insertAttempts, { ids, invoiceIds, cents: amounts, currency: 'eur' })).map(
      ({ invoice_id }) => invoice_id,
    ),
  )
  const refused = invoiceIds.find(id => !inserted.has(id))
  if (refused !== undefined) return refused
  const mandateIds = debits.map(({ mandateId }) => mandateId)
  await tx.run(insert, { remittanceId, ids, mandateIds })
  return undefined
}

/** Records the result of a direct debit whose attempt the transaction has locked. */
export async function setDirectDebitOutcome(
  tx: Tx,
  id: string,
  outcome: BankResult | 'CANCELLED',
  reasonCode: string | null,
): Promise<void> {
  await tx.run(setOutcome, { id, outcome, reasonCode })
}
