import type Stripe from 'stripe'
import type { Movement } from './port.ts'
import { type StripeClient, translatingErrors } from './stripe-responses.ts'

/**
 * Every movement of money from `from` until `to`, the newest first, from the balance of the account. Only charges,
 * refunds and disputes of intents: fees and payouts collect nothing. Amounts are those of the object in its own
 * currency; the balance may have another.
 */
export async function* movementsOf(stripe: StripeClient, from: Date, to: Date): AsyncIterable<Movement> {
  const list = stripe.balanceTransactions.list({
    created: { gte: secondsOf(from), lt: secondsOf(to) },
    expand: ['data.source'],
    limit: 100,
  })
  const pages = list[Symbol.asyncIterator]()
  for (;;) {
    const { done, value } = await translatingErrors(() => pages.next())
    if (done) return
    const movement = movementOf(value)
    if (movement) yield movement
  }
}

function movementOf({ amount, source, created }: Stripe.BalanceTransaction): Movement | undefined {
  if (source === null || typeof source === 'string') return undefined
  const { object, payment_intent, metadata } = source as Stripe.Charge | Stripe.Refund | Stripe.Dispute
  const intentId = typeof payment_intent === 'string' ? payment_intent : payment_intent?.id
  if (intentId === undefined) return undefined
  const moved = (kind: Movement['kind'], objectId: string, cents: number, currency: string): Movement => ({
    kind,
    objectId,
    intentId,
    currency,
    at: new Date(created * 1000),
    // a charge copies the metadata of its intent
    metadata: metadata ?? {},
    // the sign of the balance entry gives the direction
    amountCents: amount < 0 ? -cents : cents,
  })
  if (object === 'charge') {
    const { amount_captured, currency } = source as Stripe.Charge
    return moved('PAYMENT', intentId, amount_captured, currency)
  }
  const { id, amount: cents, currency } = source as Stripe.Refund | Stripe.Dispute
  if (object === 'refund') return moved('REFUND', id, cents, currency)
  if (object === 'dispute') return moved('DISPUTE', id, cents, currency)
  return undefined
}

/** Stripe counts whole seconds: the second that contains `time` belongs to the period before it. */
function secondsOf(time: Date): number {
  return Math.ceil(time.getTime() / 1000)
}
