import type { InvoiceStatus } from '#contract/billing/shapes.ts'
import { fail } from '#platform/fail.ts'
import type { InvoiceRow } from './row.ts'

type Debt = Pick<
  InvoiceRow,
  'total_cents' | 'rectified_cents' | 'refund_rectified_cents' | 'paid_cents' | 'refunded_cents'
>
type Money = Debt & Pick<InvoiceRow, 'lifecycle' | 'sent_at'>

/** What is left to pay. What was given back is not due again: see the ruling on refunds; what was rectified never is. */
export function dueOf(debt: Debt): number {
  return Math.max(debt.total_cents - debt.rectified_cents - settledOf(debt), 0)
}

/** What is paid of what is invoiced: without what was given back and rectified, which is neither any more. */
export function settledOf(debt: Debt): number {
  return debt.paid_cents - Math.min(debt.refund_rectified_cents, debt.refunded_cents)
}

/** What an invoice is called by: the first that applies. */
export function statusOf(invoice: Money): InvoiceStatus {
  if (invoice.lifecycle !== 'ISSUED') return invoice.lifecycle
  if (dueOf(invoice) === 0) return 'PAID'
  if (invoice.paid_cents > 0) return 'PARTIALLY_PAID'
  return invoice.sent_at === null ? 'ISSUED' : 'SENT'
}

/** Document 3, Invoice: a draft or one that was voided is not sent, paid, charged or shown. */
export function assertIssued({ lifecycle }: Pick<InvoiceRow, 'lifecycle'>): void {
  if (lifecycle !== 'ISSUED') fail('INVOICE_STATE_INVALID')
}

export function assertDue(invoice: InvoiceRow): void {
  if (dueOf(invoice) === 0) fail('INVOICE_ALREADY_PAID')
}
