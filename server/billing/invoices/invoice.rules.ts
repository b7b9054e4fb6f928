import type { InvoiceStatus } from '#contract/billing/shapes.ts'
import { fail } from '#platform/fail.ts'
import type { InvoiceRow } from './invoice.row.ts'

type Paid = Pick<InvoiceRow, 'refund_rectified_cents' | 'paid_cents' | 'refunded_cents'>
type Debt = Paid & Pick<InvoiceRow, 'lifecycle' | 'total_cents' | 'rectified_cents'>
type Money = Debt & Pick<InvoiceRow, 'sent_at'>

/**
 * The amount that is still due; zero for a void invoice. A refund does not make anything due again (INV-4), and
 * rectified amounts are never due (INV-3).
 */
export function dueOf(debt: Debt): number {
  return debt.lifecycle === 'VOIDED' || isCovered(debt) ? 0 : unpaidOf(debt)
}

/** Whether payments cover the invoiced amount, also for a void invoice. */
export function isCovered(debt: Debt): boolean {
  return unpaidOf(debt) <= 0
}

function unpaidOf(debt: Debt): number {
  return debt.total_cents - debt.rectified_cents - settledOf(debt)
}

/** The paid part of the invoiced amount. Payments that were refunded and rectified count on neither side. */
export function settledOf(debt: Paid): number {
  return debt.paid_cents - Math.min(debt.refund_rectified_cents, debt.refunded_cents)
}

/** Whether other invoices rectify the whole total, paid or not. */
export function isRectifiedWhole(invoice: Pick<InvoiceRow, 'total_cents' | 'rectified_cents'>): boolean {
  return invoice.rectified_cents > 0 && invoice.rectified_cents >= invoice.total_cents
}

/** The status: the first that applies. */
export function statusOf(invoice: Money): InvoiceStatus {
  if (invoice.lifecycle !== 'ISSUED') return invoice.lifecycle
  if (invoice.paid_cents === 0 && isRectifiedWhole(invoice)) return 'RECTIFIED'
  if (dueOf(invoice) === 0) return 'PAID'
  if (invoice.paid_cents > 0) return 'PARTIALLY_PAID'
  return invoice.sent_at === null ? 'ISSUED' : 'SENT'
}

/** A draft or void invoice cannot be sent, paid, charged or given a public link (INV-6). */
export function assertIssued({ lifecycle }: Pick<InvoiceRow, 'lifecycle'>): void {
  if (lifecycle !== 'ISSUED') fail('INVOICE_STATE_INVALID')
}

/** Refuses INVOICE_ALREADY_PAID when nothing is due, or INVOICE_RECTIFIED when nothing is due and nothing was paid. */
export function assertDue(invoice: InvoiceRow): void {
  if (dueOf(invoice) > 0) return
  fail(statusOf(invoice) === 'RECTIFIED' ? 'INVOICE_RECTIFIED' : 'INVOICE_ALREADY_PAID')
}
