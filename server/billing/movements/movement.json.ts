import type { ListedCharge, ListedPayment, ListedRefund } from '#contract/billing/movements.ts'
import { showAttempt } from '../charges/charge.json.ts'
import { showPayment } from '../payments/payment.json.ts'
import { showRefund } from '../refunds/refund.json.ts'
import type { ListedChargeRow, ListedPaymentRow, ListedRefundRow, MovementInvoice } from './movement.sql.ts'

export function showListedPayment(payment: ListedPaymentRow): ListedPayment {
  return {
    ...showPayment(payment),
    status: payment.status,
    currency: payment.currency,
    ...showInvoice(payment),
  }
}

export function showListedCharge(charge: ListedChargeRow): ListedCharge {
  return { ...showAttempt(charge), ...showInvoice(charge) }
}

export function showListedRefund(refund: ListedRefundRow): ListedRefund {
  return { ...showRefund(refund), gatewayRefundIds: refund.gateway_refund_ids, ...showInvoice(refund) }
}

function showInvoice(row: MovementInvoice) {
  return {
    invoiceId: row.invoice_id,
    invoiceNumber: row.invoice_number,
    clientId: row.client_id,
    clientName: row.client_name,
  }
}
