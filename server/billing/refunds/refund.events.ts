import type { Tx } from '#platform/data/db.ts'
import { emitInvoiceEvent } from '../invoices/invoice.events.ts'
import type { InvoiceRow } from '../invoices/invoice.row.ts'
import type { RefundRow } from './refund.row.ts'

/** Emits INVOICE_REFUNDED (RFD-10). */
export function emitRefunded(
  tx: Tx,
  invoice: InvoiceRow,
  refund: RefundRow,
  amountCents: number,
): Promise<void> {
  return emitInvoiceEvent(tx, actorOf(refund), invoice, 'INVOICE_REFUNDED', {
    source: 'gateway',
    refundId: refund.id,
    amountCents,
    isFullRefund: refund.is_full,
    reason: refund.reason,
    rectifyingInvoiceId: refund.rectifying_invoice_id,
  })
}

/** Emits INVOICE_REFUND_FAILED for a refund that failed, at once or after it had succeeded. */
export function emitRefundFailed(
  tx: Tx,
  invoice: InvoiceRow,
  refund: RefundRow,
  { amountCents, failureCode }: { amountCents: number; failureCode: string | null },
): Promise<void> {
  return emitInvoiceEvent(tx, actorOf(refund), invoice, 'INVOICE_REFUND_FAILED', {
    source: 'gateway',
    refundId: refund.id,
    amountCents,
    failureCode,
  })
}

/** The requester of a refund; empty for one from the gateway's dashboard. */
export function actorOf({ created_by, application_id }: RefundRow) {
  return { personId: created_by ?? '', applicationId: application_id }
}
