import { type Failure, type Gateway, type Intent, isOfGateway } from '#platform/adapters/gateway.ts'
import type { Tx } from '#platform/data/database.ts'
import { newId } from '#platform/ids.ts'
import { lockInvoiceById } from '../invoices/invoice.access.ts'
import type { InvoiceRow } from '../invoices/invoice.row.ts'
import { isCovered } from '../invoices/invoice.rules.ts'
import { bookPayment } from '../payments/payment.sql.ts'
import { actionUrl, insertActionLink } from './action-link.ts'
import { tellOfCharge, tellOfMoney } from './charge.events.ts'
import type { AttemptRow } from './charge.row.ts'
import { canceled, declined, isForPayer, isOpen, nextState, unavailable } from './charge.rules.ts'
import { findAttempt, lockAttempt, moveAttempt, type Place } from './charge.sql.ts'
import { gatewayOf, type Till, transactFor } from './till.ts'

/** An attempt and the gateway that is asked about it. Which intent it is, and of what, never changes. */
type AtGateway = { organizationId: string; attempt: AttemptRow; gateway: Gateway }
/** What whoever comes to settle knows beside the gateway: that it refused for sure, or that nobody is at work any more. */
type Known = { refusal?: Failure; isLate?: boolean }

/**
 * Brings an attempt in step with what the gateway says of its intent now, and books what it collected. What was declined
 * is cancelled there at once, so that nobody can go on with it later. Requests, the worker, notices of the gateway and the
 * public page all come here, in any order and at the same time: each looks for itself, and money is booked once. Answers
 * the attempt as it is then; where the gateway does not answer, as it was.
 */
export async function settle(
  till: Till,
  { organizationId, id }: Place,
  known: Known = {},
): Promise<AttemptRow> {
  const attempt = (await findAttempt(till.database.of(organizationId), id))!
  const gateway = await gatewayOf(till, organizationId, attempt.gateway_account_id)
  return settleAt(till, { organizationId, attempt, gateway }, known)
}

/** The same, when attempt and gateway are at hand: what the attempt is at is looked at again under its lock. */
export async function settleAt(till: Till, asked: AtGateway, known: Known = {}): Promise<AttemptRow> {
  const attempt = await lookAndApply(till, asked, known)
  if (attempt.state !== 'CANCELING') return attempt
  const isAnswered = await cancelAtGateway(till, { ...asked, attempt })
  return isAnswered ? lookAndApply(till, { ...asked, attempt }) : attempt
}

/** Ends an attempt whose intent is not known, so that it was never confirmed: no money can move. */
export function endUnmade(till: Till, place: Place, failure: Failure = unavailable): Promise<AttemptRow> {
  return transactFor(till, place.organizationId, async tx => {
    const { invoice_id } = (await findAttempt(tx, place.id))!
    const invoice = (await lockInvoiceById(tx, invoice_id))!
    const attempt = (await lockAttempt(tx, place.id))!
    return attempt.state === 'CREATED' ? fail(tx, invoice, attempt, failure) : attempt
  })
}

async function lookAndApply(
  till: Till,
  { organizationId, attempt, gateway }: AtGateway,
  known: Known = {},
): Promise<AttemptRow> {
  if (attempt.payment_intent_id === null) return attempt
  const intent = await answered(till, attempt, () => gateway.readIntent(attempt.payment_intent_id!))
  // somebody else may have had an answer meanwhile
  if (!intent) return (await findAttempt(till.database.of(organizationId), attempt.id))!
  const seen = { ...intent, failure: intent.failure ?? known.refusal ?? null }
  return transactFor(till, organizationId, tx => apply(tx, till, attempt, seen, known.isLate))
}

/** True when the gateway answered: whether nothing will be collected stands in the intent as it is read then. */
async function cancelAtGateway(till: Till, { attempt, gateway }: AtGateway): Promise<boolean> {
  const { id, looks, payment_intent_id: intentId } = attempt
  // a key answers a failure again and again, and each look asks anew
  const key = `${id}:cancel:${looks}`
  return (await answered(till, attempt, () => gateway.cancelIntent(intentId!, key))) !== undefined
}

/** What the gateway answers; undefined when only looking again will tell. */
async function answered<Answer>(
  { log }: Till,
  { id }: AttemptRow,
  ask: () => Promise<Answer>,
): Promise<Answer | undefined> {
  try {
    return await ask()
  } catch (error) {
    if (!isOfGateway(error)) throw error
    log?.warn({ chargeId: id, err: error }, 'the gateway did not say what a payment is at')
    return undefined
  }
}

/** Writes what the gateway said. The invoice is locked before the attempt, by everybody. */
async function apply(
  tx: Tx,
  till: Till,
  { id, invoice_id }: AttemptRow,
  intent: Intent,
  isLate?: boolean,
): Promise<AttemptRow> {
  // sent together and run in this order
  const locked = await Promise.all([lockInvoiceById(tx, invoice_id), lockAttempt(tx, id)])
  const [invoice, attempt] = [locked[0]!, locked[1]!]
  const state = nextState(attempt, intent, isLate)
  if (state === 'SUCCEEDED') return collected(tx, till, invoice, attempt, intent)
  if (!isOpen(attempt.state)) return attempt
  if (state === 'FAILED') {
    // of one that was declined this was told when it was
    if (attempt.failure_code !== null) return moveAttempt(tx, attempt, state)
    return fail(tx, invoice, attempt, attempt.link_id === null ? unavailable : canceled)
  }
  if (state === 'REQUIRES_ACTION' && state !== attempt.state) return askPayer(tx, till, invoice, attempt)
  const { failure } = intent
  if (state === 'CANCELING' && state !== attempt.state && failure && !isForPayer(failure)) {
    const failed = await moveAttempt(tx, attempt, state, { failure: declined(failure) })
    await tellOfFailure(tx, invoice, failed)
    return failed
  }
  return moveAttempt(tx, attempt, state)
}

/** The only place where money of the gateway is booked: once, and always, also when nobody expects it any more. */
async function collected(
  tx: Tx,
  { log }: Till,
  invoice: InvoiceRow,
  attempt: AttemptRow,
  intent: Intent,
): Promise<AttemptRow> {
  const payment = { id: newId(), amountCents: intent.receivedCents }
  const booked = await bookPayment(tx, {
    ...payment,
    invoiceId: invoice.id,
    method: 'GATEWAY_CARD',
    currency: intent.currency,
    paidAt: null,
    reference: null,
    gateway: { accountId: attempt.gateway_account_id, intentId: intent.id, attemptId: attempt.id },
  })
  if (!booked) return attempt
  const paid = { ...invoice, ...booked }
  const isFullyPaid = isCovered(paid)
  const none = { code: null, declineCode: null, message: null }
  const [succeeded] = await Promise.all([
    moveAttempt(tx, attempt, 'SUCCEEDED', { isFullyPaid, failure: none }),
    tellOfMoney(tx, paid, attempt, { ...payment, ...booked }),
  ])
  const isSurprise =
    !isOpen(attempt.state) || invoice.lifecycle !== 'ISSUED' || booked.overpaid_cents > invoice.overpaid_cents
  if (isSurprise) {
    const { id: chargeId, invoice_id: invoiceId } = attempt
    const about = { organizationId: tx.organizationId, invoiceId, chargeId, overpaid: booked.overpaid_cents }
    log?.error(about, 'the gateway collected money that was not due: give it back')
  }
  return succeeded
}

async function askPayer(tx: Tx, till: Till, invoice: InvoiceRow, attempt: AttemptRow): Promise<AttemptRow> {
  const linkId = attempt.link_id ?? newId()
  if (attempt.link_id === null)
    await insertActionLink(tx, till, { id: linkId, invoiceId: invoice.id, attemptId: attempt.id })
  const asked = await moveAttempt(tx, attempt, 'REQUIRES_ACTION', { linkId })
  const publicUrl = actionUrl(till, tx.organizationId, linkId)
  await tellOfCharge(tx, invoice, asked, 'CHARGE_REQUIRES_ACTION', { publicUrl })
  return asked
}

async function fail(tx: Tx, invoice: InvoiceRow, attempt: AttemptRow, failure: Failure): Promise<AttemptRow> {
  const failed = await moveAttempt(tx, attempt, 'FAILED', { failure: declined(failure) })
  await tellOfFailure(tx, invoice, failed)
  return failed
}

function tellOfFailure(tx: Tx, invoice: InvoiceRow, attempt: AttemptRow): Promise<void> {
  return tellOfCharge(tx, invoice, attempt, 'CHARGE_FAILED', {
    failureCode: attempt.failure_code,
    failureMessage: attempt.failure_message,
    declineCode: attempt.decline_code,
  })
}
