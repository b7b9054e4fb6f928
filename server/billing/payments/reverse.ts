import { reversePayment } from '#contract/billing/payments.ts'
import type { InvoiceSummary } from '#contract/billing/shapes.ts'
import type { Tx } from '#platform/data/db.ts'
import type { AuditSubject } from '#platform/events/audit.ts'
import { fail } from '#platform/fail.ts'
import type { Caller } from '#platform/http/caller.ts'
import { workflow } from '#platform/http/operation.ts'
import { lockInvoice } from '../invoices/invoice.access.ts'
import { emitInvoiceEvent } from '../invoices/invoice.events.ts'
import { showSummary } from '../invoices/invoice.json.ts'
import type { InvoiceRow } from '../invoices/invoice.row.ts'
import { appendNote } from '../invoices/invoice.sql.ts'
import { assertNoOpenPayment, withoutOpenPayment } from '../invoices/without-open-payment.ts'
import { bookReversal, findReversiblePayment } from './payment.sql.ts'

export const reverse = workflow(reversePayment, input => {
  const { caller, params, body } = input
  const subject: AuditSubject = {
    subject: params.id,
    changed: ['paidCents'],
    detail: { reversedPaymentId: params.paymentId, reason: body.reason },
  }
  return withoutOpenPayment(reversePayment, input, subject, async (tx, once) => {
    const invoice = await lockInvoice(tx, caller, params.id)
    return once(() =>
      reverseLocked(tx, caller, invoice, { paymentId: params.paymentId, reason: body.reason }),
    )
  })
})

/** Reverses a payment of an invoice that the transaction has locked. */
async function reverseLocked(
  tx: Tx,
  caller: Caller,
  invoice: InvoiceRow,
  { paymentId, reason }: { paymentId: string; reason: string },
): Promise<InvoiceSummary> {
  const payment = (await findReversiblePayment(tx, invoice.id, paymentId)) ?? fail('PAYMENT_NOT_FOUND')
  if (payment.payment_intent_id !== null) fail('PAYMENT_NOT_REVERSIBLE')
  if (payment.reversed_at !== null) fail('PAYMENT_ALREADY_REVERSED')
  await assertNoOpenPayment(tx, invoice.id)
  const { reversed_at: reversedAt, ...booked } = await bookReversal(tx, {
    paymentId,
    by: caller.personId,
    reason,
  })
  const { method, amount_cents: amountCents } = payment
  await appendNote(tx, invoice.id, `${reversedAt.slice(0, 10)} ${method} reversed: ${reason}`)
  const reversed = { ...invoice, ...booked }
  await emitInvoiceEvent(tx, caller, reversed, 'INVOICE_PAYMENT_REVERSED', {
    source: 'manual',
    paymentId,
    method,
    amountCents,
    reversedAt,
  })
  return showSummary(reversed)
}
