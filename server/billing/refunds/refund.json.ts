import type { Refund } from '#contract/billing/shapes.ts'
import type { ShownRefundRow } from './refund.row.ts'

/** The reply of a refund (RFD-2). */
export function showRefund(refund: ShownRefundRow): Refund {
  return {
    id: refund.id,
    invoiceId: refund.invoice_id,
    amountCents: refund.amount_cents,
    currency: refund.currency,
    status: refund.status,
    isFullRefund: refund.is_full,
    reason: refund.reason as Refund['reason'],
    rectifyingInvoiceId: refund.rectifying_invoice_id,
    createdAt: refund.created_at,
  }
}
