import type { Mandate } from '#contract/billing/direct-debits.ts'
import { limits } from '#contract/limits.ts'
import type { Db, Tx } from '#platform/data/db.ts'
import { sql } from '#platform/data/statement.ts'
import { mandateStatus } from '../direct-debits/mandates/mandate.sql.ts'

/** A mandate with its debtor. `iban` is encrypted. Days are `YYYY-MM-DD`. */
export type DebtorMandateRow = {
  id: string
  reference: string
  client_id: string
  debtor_name: string
  iban: string
  bic: string | null
  scheme: Mandate['scheme']
  kind: Mandate['kind']
  signed_on: string
  status: Mandate['status']
  last_collected_on: string | null
  created_at: string
  cancelled_at: string | null
}
// index direct_debit_mandate_of_client
const select = sql<DebtorMandateRow, { clientId: string }>(`
  select m.id, m.reference, m.client_id, m.debtor_name, m.iban, m.bic, m.scheme, m.kind,
    to_char(m.signed_on, 'YYYY-MM-DD') as signed_on, ${mandateStatus('m')} as status,
    to_char(m.last_collected_on, 'YYYY-MM-DD') as last_collected_on, m.created_at, m.cancelled_at
  from direct_debit_mandate m where m.organization_id = $organization and m.client_id = $clientId
    and m.erased_at is null
  order by m.created_at desc, m.id desc limit ${limits.personalDataEntries}`)

/** `use`: a collection was sent or has a result, or a remittance that was not sent contains the mandate. */
type MandateUseRow = { id: string; reference: string; debtor_name: string; use: 'USED' | 'IN_USE' | null }
// index direct_debit_of_mandate
const isInRemittance = (condition: string) => `exists (
  select from direct_debit u join direct_debit_remittance r on r.organization_id = $organization
    and r.id = u.remittance_id
  where u.organization_id = $organization and u.mandate_id = m.id and (${condition}))`
// index direct_debit_mandate_of_client
const lockOfClient = sql<MandateUseRow, { clientId: string }>(`
  select m.id, m.reference, m.debtor_name, case
    when ${isInRemittance(`r.state = 'SENT' or u.outcome in ('COLLECTED', 'REJECTED', 'RETURNED')`)} then 'USED'
    when ${isInRemittance(`r.state = 'PREPARED'`)} then 'IN_USE' end as use
  from direct_debit_mandate m where m.organization_id = $organization and m.client_id = $clientId
    and m.erased_at is null
  order by m.id for no key update`)
const erase = sql<never, { ids: string[] }>(`
  update direct_debit_mandate m set reference = m.id, debtor_name = '', iban = '', iban_country = '',
    iban_end = '', bic = null, cancelled_at = coalesce(m.cancelled_at, now()), erased_at = now()
  where m.organization_id = $organization and m.id = any($ids)`)

/** The mandates of a client that were not erased, the newest first. */
export function debtorMandates(db: Db, clientId: string): Promise<DebtorMandateRow[]> {
  return db.rows(select, { clientId })
}

/** The same with their use, locked until the transaction ends. The transaction must have locked the creditor. */
export function lockMandateUse(tx: Tx, clientId: string): Promise<MandateUseRow[]> {
  return tx.rows(lockOfClient, { clientId })
}

/** Removes the reference, the debtor and the account of locked mandates, and cancels them. */
export async function eraseMandates(tx: Tx, ids: readonly string[]): Promise<void> {
  await tx.run(erase, { ids: [...ids] })
}
