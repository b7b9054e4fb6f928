import { limits } from '#contract/limits.ts'
import type { Db } from '#platform/data/db.ts'
import { sql } from '#platform/data/statement.ts'

export type PaymentRow = {
  id: string
  method: string
  amount_cents: number
  refunded_cents: number
  paid_at: string
  reference: string | null
  payment_intent_id: string | null
  created_at: string
  reversed_at: string | null
}
// index payment_of
const select = sql<PaymentRow, { invoiceId: string }>(`
  select p.id, p.method, p.amount_cents, p.refunded_cents, p.paid_at, p.reference, p.payment_intent_id, p.created_at,
    p.reversed_at
  from payment p where p.organization_id = $organization and p.invoice_id = $invoiceId
  order by p.created_at, p.id limit ${limits.invoicePaymentsShown}`)

/** The payments of an invoice, the oldest first. */
export function listPayments(db: Db, invoiceId: string): Promise<PaymentRow[]> {
  return db.rows(select, { invoiceId })
}
