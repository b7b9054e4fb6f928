import type { InvoiceStatus } from '#contract/billing/shapes.ts'
import { fail } from '#platform/fail.ts'
import type { InvoiceRow } from './invoice.row.ts'

type Paid = Pick<InvoiceRow, 'refund_rectified_cents' | 'paid_cents' | 'refunded_cents'>
type Debt = Paid & Pick<InvoiceRow, 'lifecycle' | 'total_cents' | 'rectified_cents'>
type Money = Debt & Pick<InvoiceRow, 'sent_at'>

/**
 * What is left to pay; nothing of one that was voided. A refund makes nothing due again (INV-4), and
 * rectified amounts are never due (INV-3).
 */
export function dueOf(debt: Debt): number {
  return debt.lifecycle === 'VOIDED' || isCovered(debt) ? 0 : unpaidOf(debt)
}

/** Whether payments cover what is invoiced, also of an invoice that was voided meanwhile. */
export function isCovered(debt: Debt): boolean {
  return unpaidOf(debt) <= 0
}

function unpaidOf(debt: Debt): number {
  return debt.total_cents - debt.rectified_cents - settledOf(debt)
}

/** What is paid of what is invoiced: without what was given back and rectified, which is neither any more. */
export function settledOf(debt: Paid): number {
  return debt.paid_cents - Math.min(debt.refund_rectified_cents, debt.refunded_cents)
}

/** Whether other invoices rectify all of it, whatever was paid. */
export function isRectifiedWhole(invoice: Pick<InvoiceRow, 'total_cents' | 'rectified_cents'>): boolean {
  return invoice.rectified_cents > 0 && invoice.rectified_cents >= invoice.total_cents
}

/** What an invoice is called by: the first that applies. */
export function statusOf(invoice: Money): InvoiceStatus {
  if (invoice.lifecycle !== 'ISSUED') return invoice.lifecycle
  if (invoice.paid_cents === 0 && isRectifiedWhole(invoice)) return 'RECTIFIED'
  if (dueOf(invoice) === 0) return 'PAID'
  if (invoice.paid_cents > 0) return 'PARTIALLY_PAID'
  return invoice.sent_at === null ? 'ISSUED' : 'SENT'
}

/** A draft or voided invoice is not sent, paid, charged or given a public link (INV-6). */
export function assertIssued({ lifecycle }: Pick<InvoiceRow, 'lifecycle'>): void {
  if (lifecycle !== 'ISSUED') fail('INVOICE_STATE_INVALID')
}

/** Refuses INVOICE_ALREADY_PAID when nothing is left to pay, and INVOICE_RECTIFIED when that is so without any payment. */
export function assertDue(invoice: InvoiceRow): void {
  if (dueOf(invoice) > 0) return
  fail(statusOf(invoice) === 'RECTIFIED' ? 'INVOICE_RECTIFIED' : 'INVOICE_ALREADY_PAID')
}
