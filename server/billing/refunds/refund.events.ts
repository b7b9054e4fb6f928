import type { Tx } from '#platform/data/database.ts'
import { emitInvoiceEvent } from '../invoices/invoice.events.ts'
import type { InvoiceRow } from '../invoices/invoice.row.ts'
import type { RefundRow } from './refund.row.ts'

/** Emits that so much was given back (RFD-10). */
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

/** Tells that so much could not be given back, or came back afterwards. */
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

/** Who asked for a refund; nobody for one that was made in the gateway's own panel. */
export function actorOf({ created_by, application_id }: RefundRow) {
  return { personId: created_by ?? '', applicationId: application_id }
}
