import { type Failure, type Gateway, type Intent, isGatewayError } from '#platform/adapters/gateway.ts'
import type { Tx } from '#platform/data/db.ts'
import { newId } from '#platform/ids.ts'
import { lockInvoiceById } from '../invoices/invoice.access.ts'
import type { InvoiceRow } from '../invoices/invoice.row.ts'
import { isCovered } from '../invoices/invoice.rules.ts'
import { bookPayment } from '../payments/payment.sql.ts'
import { actionUrl, createActionLink } from './action-link.ts'
import { emitChargeEvent, emitPaymentEvent } from './charge.events.ts'
import type { AttemptRow } from './charge.row.ts'
import {
  gatewayUnavailable,
  isOpen,
  needsPayer,
  nextState,
  paymentCanceled,
  withDefaultTexts,
} from './charge.rules.ts'
import { type AttemptRef, lockAttempt, readAttempt, setAttemptState } from './charge.sql.ts'
import { gatewayOf, type PaymentContext, transactAsSystem } from './payment-context.ts'

/** An attempt with its gateway. The intent and the account of an attempt never change. */
type AttemptAtGateway = { organizationId: string; attempt: AttemptRow; gateway: Gateway }
/** `refusal`: the gateway refused for sure. `isPolled`: no request works on the attempt any more. */
type SettleOptions = { refusal?: Failure; isPolled?: boolean }

/**
 * Reads the intent of an attempt from the gateway and records the result. A declined intent is cancelled at once,
 * so that nobody can confirm it later. Requests, the worker, gateway notices and the public page call this in any
 * order and simultaneously: each reads the intent itself, and money is booked once. Returns the attempt afterwards,
 * unchanged if the gateway does not answer.
 */
export async function settleAttempt(
  context: PaymentContext,
  { organizationId, id }: AttemptRef,
  options: SettleOptions = {},
): Promise<AttemptRow> {
  const attempt = await readAttempt(context.database.of(organizationId), id)
  // the bank reports the result of a direct debit
  if (attempt.gateway_account_id === null) return attempt
  const gateway = await gatewayOf(context, organizationId, attempt.gateway_account_id)
  return settleLoadedAttempt(context, { organizationId, attempt, gateway }, options)
}

/** The same for a loaded attempt. Its state is read again under its lock. */
export async function settleLoadedAttempt(
  context: PaymentContext,
  target: AttemptAtGateway,
  options: SettleOptions = {},
): Promise<AttemptRow> {
  const attempt = await readAndApply(context, target, options)
  if (attempt.state !== 'CANCELING') return attempt
  const isAnswered = await cancelAtGateway(context, { ...target, attempt })
  return isAnswered ? readAndApply(context, { ...target, attempt }) : attempt
}

/** Fails an attempt without a stored intent. It was never confirmed, so no money can move. */
export function failUnsentAttempt(
  context: PaymentContext,
  ref: AttemptRef,
  failure: Failure = gatewayUnavailable,
): Promise<AttemptRow> {
  return transactAsSystem(context, ref.organizationId, async tx => {
    const { invoice_id } = await readAttempt(tx, ref.id)
    const invoice = await lockInvoiceById(tx, invoice_id)
    const attempt = await lockAttempt(tx, ref.id)
    return attempt.state === 'CREATED' ? failAttempt(tx, invoice, attempt, failure) : attempt
  })
}

async function readAndApply(
  context: PaymentContext,
  { organizationId, attempt, gateway }: AttemptAtGateway,
  options: SettleOptions = {},
): Promise<AttemptRow> {
  const { payment_intent_id: intentId } = attempt
  if (intentId === null) return attempt
  const intent = await answerOrUndefined(context, attempt, () => gateway.readIntent(intentId))
  // another process may have had an answer in the meantime
  if (!intent) return readAttempt(context.database.of(organizationId), attempt.id)
  const observed = { ...intent, failure: intent.failure ?? options.refusal ?? null }
  return transactAsSystem(context, organizationId, tx =>
    applyIntent(tx, context, attempt, observed, options.isPolled),
  )
}

/** True when the gateway answered. The intent that is read afterwards says whether it is cancelled. */
async function cancelAtGateway(
  context: PaymentContext,
  { attempt, gateway }: AttemptAtGateway,
): Promise<boolean> {
  const { id, poll_count: pollCount, payment_intent_id: intentId } = attempt
  if (intentId === null) throw new Error(`The attempt ${id} is cancelled without an intent`)
  // the gateway repeats the answer to a key, failures included, so each poll uses a new one
  const key = `${id}:cancel:${pollCount}`
  return (await answerOrUndefined(context, attempt, () => gateway.cancelIntent(intentId, key))) !== undefined
}

/** The answer of the gateway; undefined when only a later read can tell. */
async function answerOrUndefined<Answer>(
  { log }: PaymentContext,
  { id }: AttemptRow,
  ask: () => Promise<Answer>,
): Promise<Answer | undefined> {
  try {
    return await ask()
  } catch (error) {
    if (!isGatewayError(error)) throw error
    log?.warn({ chargeId: id, err: error }, 'the state of a payment could not be read from the gateway')
    return undefined
  }
}

/** Records the state of the intent. Every transaction locks the invoice before the attempt. */
async function applyIntent(
  tx: Tx,
  context: PaymentContext,
  { id, invoice_id }: AttemptRow,
  intent: Intent,
  isPolled?: boolean,
): Promise<AttemptRow> {
  // sent together, run in this order
  const [invoice, attempt] = await tx.inOrder(
    () => lockInvoiceById(tx, invoice_id),
    () => lockAttempt(tx, id),
  )
  const { status, failure } = intent
  if (status === 'succeeded') {
    const { id: intentId, receivedCents: amountCents, currency } = intent
    return bookCollected(tx, context, invoice, attempt, { intentId, amountCents, currency, paidAt: null })
  }
  // the intent may have been read before another process booked its payment
  const { state: before } = attempt
  if (!isOpen(before)) return attempt
  const state = nextState({ ...attempt, state: before }, { status, failure }, isPolled)
  if (state === 'FAILED') {
    // a declined attempt emitted its event when it was declined
    if (attempt.failure_code !== null) return setAttemptState(tx, attempt, state)
    return failAttempt(tx, invoice, attempt, attempt.link_id === null ? gatewayUnavailable : paymentCanceled)
  }
  if (state === 'REQUIRES_ACTION' && state !== before) return askPayer(tx, context, invoice, attempt)
  if (state === 'CANCELING' && state !== before && failure && !needsPayer(failure)) {
    const failed = await setAttemptState(tx, attempt, state, { failure: withDefaultTexts(failure) })
    await emitChargeFailed(tx, invoice, failed)
    return failed
  }
  return setAttemptState(tx, attempt, state)
}

/** Collected money. `intentId` is null for a direct debit, and `paidAt` null for now. */
type Collected = { intentId: string | null; amountCents: number; currency: string; paidAt: string | null }

/**
 * The only place that books collected money: always, and once per intent, even for an attempt that has ended. The
 * transaction must have locked the invoice and then the attempt.
 */
export async function bookCollected(
  tx: Tx,
  { log }: Pick<PaymentContext, 'log'>,
  invoice: InvoiceRow,
  attempt: AttemptRow,
  { intentId, amountCents, currency, paidAt }: Collected,
): Promise<AttemptRow> {
  const payment = { id: newId(), amountCents }
  const booked = await bookPayment(tx, {
    ...payment,
    invoiceId: invoice.id,
    method: attempt.kind === 'DIRECT_DEBIT' ? 'DIRECT_DEBIT' : 'GATEWAY_CARD',
    currency,
    paidAt,
    reference: null,
    attempt: { id: attempt.id, accountId: attempt.gateway_account_id, intentId },
  })
  if (!booked) return attempt
  const paid = { ...invoice, ...booked }
  const isFullyPaid = isCovered(paid)
  const none = { code: null, declineCode: null, message: null }
  const [succeeded] = await Promise.all([
    setAttemptState(tx, attempt, 'SUCCEEDED', { isFullyPaid, failure: none }),
    emitPaymentEvent(tx, paid, attempt, { ...payment, ...booked }),
  ])
  const wasNotDue =
    !isOpen(attempt.state) || invoice.lifecycle !== 'ISSUED' || booked.overpaid_cents > invoice.overpaid_cents
  if (wasNotDue) {
    const { id: chargeId, invoice_id: invoiceId } = attempt
    const about = { organizationId: tx.organizationId, invoiceId, chargeId, overpaid: booked.overpaid_cents }
    log?.error(about, 'the gateway collected money that was not due: refund it')
  }
  return succeeded
}

async function askPayer(
  tx: Tx,
  context: PaymentContext,
  invoice: InvoiceRow,
  attempt: AttemptRow,
): Promise<AttemptRow> {
  const linkId = attempt.link_id ?? newId()
  if (attempt.link_id === null)
    await createActionLink(tx, context, { id: linkId, invoiceId: invoice.id, attemptId: attempt.id })
  const waiting = await setAttemptState(tx, attempt, 'REQUIRES_ACTION', { linkId })
  const publicUrl = actionUrl(context, tx.organizationId, linkId)
  await emitChargeEvent(tx, invoice, waiting, 'CHARGE_REQUIRES_ACTION', { publicUrl })
  return waiting
}

/** Ends a locked attempt without a payment. */
export async function failAttempt(
  tx: Tx,
  invoice: InvoiceRow,
  attempt: AttemptRow,
  failure: Failure,
): Promise<AttemptRow> {
  const failed = await setAttemptState(tx, attempt, 'FAILED', { failure: withDefaultTexts(failure) })
  await emitChargeFailed(tx, invoice, failed)
  return failed
}

function emitChargeFailed(tx: Tx, invoice: InvoiceRow, attempt: AttemptRow): Promise<void> {
  return emitChargeEvent(tx, invoice, attempt, 'CHARGE_FAILED', {
    failureCode: attempt.failure_code,
    failureMessage: attempt.failure_message,
    declineCode: attempt.decline_code,
  })
}
