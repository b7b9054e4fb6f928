import type { Invoice } from '#contract/billing/invoice.ts'
import type { PaymentRow } from './payment-list.sql.ts'

/** A payment in the reply of its invoice. */
export function showPayment(payment: PaymentRow): Invoice['payments'][number] {
  return {
    id: payment.id,
    method: payment.method,
    amountCents: payment.amount_cents,
    refundedCents: payment.refunded_cents,
    paidAt: payment.paid_at,
    reference: payment.reference,
    paymentIntentId: payment.payment_intent_id,
    createdAt: payment.created_at,
    reversedAt: payment.reversed_at,
  }
}
