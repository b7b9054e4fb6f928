import type { BankResult, DirectDebitState, Mandate, Remittance } from '#contract/billing/direct-debits.ts'
import type { Db, Tx } from '#platform/data/database.ts'
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
  join direct_debit_remittance r on r.organization_id = $1 and r.id = d.remittance_id
  join direct_debit_mandate m on m.organization_id = $1 and m.id = d.mandate_id
  join charge_attempt a on a.organization_id = $1 and a.id = d.id
  join invoice i on i.organization_id = $1 and i.id = a.invoice_id
  join crm_client c on c.organization_id = $1 and c.id = i.client_id
  where d.organization_id = $1`
// primary key
const byIds = sql<DirectDebitRow, [ids: string[]]>(`${select} and d.id = any($2)`)
// index direct_debit_of_remittance
const ofRemittance = sql<DirectDebitRow, [remittanceId: string]>(
  `${select} and d.remittance_id = $2 order by d.id`,
)
// on a conflict another payment of the invoice is open (index charge_attempt_open)
const insertAttempt = sql<{ id: string }, [id: string, invoiceId: string, cents: number, currency: string]>(`
  insert into charge_attempt (organization_id, id, invoice_id, kind, state, amount_cents, currency)
  values ($1, $2, $3, 'DIRECT_DEBIT', 'PROCESSING', $4, $5) on conflict do nothing returning id`)
const insert = sql<never, [id: string, remittanceId: string, mandateId: string]>(
  'insert into direct_debit (organization_id, id, remittance_id, mandate_id) values ($1, $2, $3, $4)',
)
const setOutcome = sql<never, [id: string, outcome: string, reasonCode: string | null]>(`
  update direct_debit d set outcome = $3, reason_code = $4,
    rejected_at = case when $3 = 'REJECTED' then now() else d.rejected_at end
  where d.organization_id = $1 and d.id = $2`)

/** The direct debits with these ids, in any order. */
export function findDirectDebits(db: Db, ids: readonly string[]): Promise<DirectDebitRow[]> {
  return db.rows(byIds, [...ids])
}

/** At most `limits.remittanceInvoices`. */
export function directDebitsOf(db: Db, remittanceId: string): Promise<DirectDebitRow[]> {
  return db.rows(ofRemittance, remittanceId)
}

/** False when another payment of the invoice is open. The transaction must have locked the invoice. */
export async function insertDirectDebit(
  tx: Tx,
  debit: {
    id: string
    invoiceId: string
    amountCents: number
    currency: string
    remittanceId: string
    mandateId: string
  },
): Promise<boolean> {
  const attempt = await tx.first(insertAttempt, debit.id, debit.invoiceId, debit.amountCents, debit.currency)
  if (!attempt) return false
  await tx.run(insert, debit.id, debit.remittanceId, debit.mandateId)
  return true
}

/** Records the result of a direct debit whose attempt the transaction has locked. */
export async function setDirectDebitOutcome(
  tx: Tx,
  id: string,
  outcome: BankResult | 'CANCELLED',
  reasonCode: string | null,
): Promise<void> {
  await tx.run(setOutcome, id, outcome, reasonCode)
}
