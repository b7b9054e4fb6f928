import { markInvoicePaid, registerPayment } from '#contract/billing/payments.ts'
import type { InvoiceSummary } from '#contract/billing/shapes.ts'
import { nowMs } from '#platform/clock.ts'
import type { Tx } from '#platform/data/db.ts'
import type { AuditSubject } from '#platform/events/audit.ts'
import { fail } from '#platform/fail.ts'
import type { Caller } from '#platform/http/caller.ts'
import { workflow } from '#platform/http/operation.ts'
import { newId } from '#platform/ids.ts'
import { required } from '#platform/required.ts'
import { lockInvoice } from '../invoices/invoice.access.ts'
import { emitInvoiceEvent } from '../invoices/invoice.events.ts'
import { showSummary } from '../invoices/invoice.json.ts'
import type { InvoiceRow } from '../invoices/invoice.row.ts'
import { assertDue, assertIssued, dueOf } from '../invoices/invoice.rules.ts'
import { appendNote } from '../invoices/invoice.sql.ts'
import { assertNoOpenPayment, withoutOpenPayment } from '../invoices/without-open-payment.ts'
import { assertManual, assertNotFuture, centsOf } from './payment.rules.ts'
import { bookPayment } from './payment.sql.ts'

type ManualPayment = { method: string; amount?: number; paidAt?: string; reference?: string }

/** Registers a payment that did not come through the gateway (PAY-1). */
export const markPaid = workflow(markInvoicePaid, input => {
  const { caller, params, body } = input
  return withChecks(body, subject =>
    withoutOpenPayment(markInvoicePaid, input, subject, async (tx, once) => {
      const invoice = await lockInvoice(tx, caller, params.id, body.userId)
      return once(() => recordPayment(tx, caller, invoice, body, subject))
    }),
  )
})

/** The same for members. */
export const register = workflow(registerPayment, input => {
  const { caller, params, body } = input
  return withChecks(body, subject =>
    withoutOpenPayment(registerPayment, input, subject, async (tx, once) => {
      const invoice = await lockInvoice(tx, caller, params.id)
      return once(() => recordPayment(tx, caller, invoice, body, subject))
    }),
  )
})

/** Validates the request before anything is read. `act` fills in the audit subject. */
async function withChecks<Reply>(
  paid: ManualPayment,
  act: (subject: AuditSubject) => Promise<Reply>,
): Promise<Reply> {
  assertManual(paid.method)
  assertNotFuture(paid.paidAt, nowMs())
  if (paid.amount !== undefined) centsOf(paid.amount, 'eur')
  return act({})
}

/** Books a manual payment of an invoice that the transaction has locked. */
export async function recordPayment(
  tx: Tx,
  caller: Caller,
  invoice: InvoiceRow,
  { method, amount, paidAt, reference }: ManualPayment,
  subject: AuditSubject,
): Promise<InvoiceSummary> {
  assertManual(method)
  assertIssued(invoice)
  assertDue(invoice)
  const due = dueOf(invoice)
  const amountCents = amount === undefined ? due : centsOf(amount, invoice.currency)
  if (amountCents > due) fail('PAYMENT_AMOUNT_EXCEEDS_DUE', { dueCents: due })
  await assertNoOpenPayment(tx, invoice.id)
  const payment = {
    id: newId(),
    invoiceId: invoice.id,
    method,
    amountCents,
    currency: invoice.currency,
    paidAt: paidAt ?? null,
    reference: reference ?? null,
    attempt: null,
  }
  const booked = required(await bookPayment(tx, payment), 'a payment that no gateway collected')
  if (reference !== undefined)
    await appendNote(tx, invoice.id, `${booked.paid_at.slice(0, 10)} ${method}: ${reference}`)
  const paid = { ...invoice, ...booked }
  Object.assign(subject, {
    subject: invoice.id,
    changed: ['paidCents'],
    detail: { paymentId: payment.id, method, amountCents, reference: reference ?? null },
  })
  await emitInvoiceEvent(tx, caller, paid, dueOf(paid) === 0 ? 'INVOICE_PAID' : 'INVOICE_PARTIALLY_PAID', {
    source: 'manual',
    paymentId: payment.id,
    method,
    amountCents,
    paidAt: booked.paid_at,
    reference: reference ?? null,
    paymentIntentId: null,
  })
  return showSummary(paid)
}
