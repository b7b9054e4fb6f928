import type { billingEvents } from '#contract/billing/events.ts'
import type { EventData } from '#contract/events.ts'
import type { Tx } from '#platform/data/database.ts'
import { tellOfInvoice } from '../invoices/invoice.events.ts'
import type { InvoiceRow } from '../invoices/invoice.row.ts'
import { isCovered } from '../invoices/invoice.rules.ts'
import type { Booked } from '../payments/payment.sql.ts'
import type { AttemptRow } from './charge.row.ts'

type ChargeEvent = Extract<keyof typeof billingEvents, `CHARGE_${string}`>
/** What is told of an attempt, which is known before it is written. */
type Told = Pick<
  AttemptRow,
  'id' | 'kind' | 'application_id' | 'payment_intent_id' | 'amount_cents' | 'authorization_id'
>
type More<Name extends ChargeEvent> = Omit<EventData<Name>, keyof EventData<'CHARGE_STARTED'>>

/** Emits a notice of a charge. A payment that its payer makes has no such notice (IEVT-6). */
export async function tellOfCharge<Name extends ChargeEvent>(
  tx: Tx,
  invoice: InvoiceRow,
  attempt: Told,
  name: Name,
  more: More<Name>,
): Promise<void> {
  if (attempt.kind === 'ON_SESSION') return
  const charge = {
    source: 'gateway',
    chargeId: attempt.id,
    paymentIntentId: attempt.payment_intent_id,
    amountCents: attempt.amount_cents,
    paymentAuthorizationId: attempt.authorization_id,
  } as const
  await tellOfInvoice(tx, actorOf(attempt), invoice, name, { ...charge, ...more } as never)
}

/**
 * Tells that the gateway collected money: of a charge that went through by itself CHARGE_SUCCEEDED alone, and after the
 * payer had to do something what became of the invoice (IEVT-5).
 */
export async function tellOfMoney(
  tx: Tx,
  invoice: InvoiceRow,
  attempt: AttemptRow,
  paid: Booked & { id: string; amountCents: number },
): Promise<void> {
  const invoiceFullyPaid = isCovered(invoice)
  if (attempt.link_id === null) {
    await tellOfCharge(tx, invoice, attempt, 'CHARGE_SUCCEEDED', { invoiceFullyPaid })
    return
  }
  const name = invoiceFullyPaid ? 'INVOICE_PAID' : 'INVOICE_PARTIALLY_PAID'
  await tellOfInvoice(tx, actorOf(attempt), invoice, name, {
    source: 'gateway',
    paymentId: paid.id,
    method: 'GATEWAY_CARD',
    amountCents: paid.amountCents,
    paidAt: paid.paid_at,
    reference: null,
    paymentIntentId: attempt.payment_intent_id,
  })
}

function actorOf({ application_id }: Told) {
  return { personId: '', applicationId: application_id }
}
