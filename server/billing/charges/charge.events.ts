import type { billingEvents } from '#contract/billing/events.ts'
import type { EventData } from '#contract/events.ts'
import type { Tx } from '#platform/data/db.ts'
import { emitInvoiceEvent } from '../invoices/invoice.events.ts'
import type { InvoiceRow } from '../invoices/invoice.row.ts'
import { isCovered } from '../invoices/invoice.rules.ts'
import type { BookedPayment } from '../payments/payment.sql.ts'
import type { AttemptRow } from './charge.row.ts'

type ChargeEvent = Extract<keyof typeof billingEvents, `CHARGE_${string}`>
/** The fields of an attempt that its events show. They are known before the attempt is written. */
type EventAttempt = Pick<
  AttemptRow,
  'id' | 'kind' | 'application_id' | 'payment_intent_id' | 'amount_cents' | 'authorization_id'
>
type ExtraData<Name extends ChargeEvent> = Omit<EventData<Name>, keyof EventData<'CHARGE_STARTED'>>

/** Emits a charge event, see emitInvoiceEvent. Payments that the payer makes have no charge events (IEVT-6). */
export async function emitChargeEvent<Name extends ChargeEvent>(
  tx: Tx,
  invoice: InvoiceRow,
  attempt: EventAttempt,
  name: Name,
  more: ExtraData<Name>,
  sequence?: number,
): Promise<void> {
  if (attempt.kind === 'ON_SESSION') return
  const charge = {
    source: attempt.kind === 'DIRECT_DEBIT' ? 'bank' : 'gateway',
    chargeId: attempt.id,
    paymentIntentId: attempt.payment_intent_id,
    amountCents: attempt.amount_cents,
    paymentAuthorizationId: attempt.authorization_id,
  } as const
  await emitInvoiceEvent(tx, actorOf(attempt), invoice, name, { ...charge, ...more } as never, sequence)
}

/**
 * Emits the event of a collected payment: CHARGE_SUCCEEDED for a charge that needed no action, otherwise the new
 * state of the invoice (IEVT-5).
 */
export async function emitPaymentEvent(
  tx: Tx,
  invoice: InvoiceRow,
  attempt: AttemptRow,
  paid: BookedPayment & { id: string; amountCents: number },
): Promise<void> {
  const invoiceFullyPaid = isCovered(invoice)
  if (attempt.link_id === null) {
    await emitChargeEvent(tx, invoice, attempt, 'CHARGE_SUCCEEDED', { invoiceFullyPaid })
    return
  }
  const name = invoiceFullyPaid ? 'INVOICE_PAID' : 'INVOICE_PARTIALLY_PAID'
  await emitInvoiceEvent(tx, actorOf(attempt), invoice, name, {
    source: 'gateway',
    paymentId: paid.id,
    method: 'GATEWAY_CARD',
    amountCents: paid.amountCents,
    paidAt: paid.paid_at,
    reference: null,
    paymentIntentId: attempt.payment_intent_id,
  })
}

function actorOf({ application_id }: EventAttempt) {
  return { personId: '', applicationId: application_id }
}
