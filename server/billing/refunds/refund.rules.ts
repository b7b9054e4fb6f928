import type { GatewayRefund } from '#platform/adapters/gateway/port.ts'
import { fail } from '#platform/fail.ts'
import type { PartRow, PartState, RefundRow } from './refund.row.ts'

/** What the gateway collected in one payment, and how much of it is not promised to be given back. */
export type Collected = {
  id: string
  amount_cents: number
  refund_reserved_cents: number
  is_disputed: boolean
  gateway_account_id: string
  payment_intent_id: string
}
export type NewPart = { paymentId: string; accountId: string; amountCents: number }

/**
 * Which payments give back how much, the newest first. Refuses REFUND_NOT_ALLOWED when that is nothing, or more than is
 * left. A disputed payment gives nothing back (RFD-3, RFD-4).
 */
export function partsOf(
  payments: Collected[],
  { amountCents, intentId }: { amountCents: number | undefined; intentId: string | undefined },
): { parts: NewPart[]; amountCents: number; isFull: boolean } {
  const left = (payment: Collected) => payment.amount_cents - payment.refund_reserved_cents
  const total = (of: Collected[]) => of.reduce((sum, payment) => sum + left(payment), 0)
  const open = payments.filter(
    payment => !payment.is_disputed && (intentId ?? payment.payment_intent_id) === payment.payment_intent_id,
  )
  const wanted = amountCents ?? total(open)
  if (wanted === 0 || wanted > total(open)) fail('REFUND_NOT_ALLOWED', { refundableCents: total(open) })
  const parts: NewPart[] = []
  let rest = wanted
  for (const payment of open) {
    const cents = Math.min(left(payment), rest)
    if (cents === 0) continue
    parts.push({ paymentId: payment.id, accountId: payment.gateway_account_id, amountCents: cents })
    rest -= cents
  }
  return { parts, amountCents: wanted, isFull: wanted === total(payments) }
}

const states: Record<GatewayRefund['status'], PartState> = {
  pending: 'PENDING',
  succeeded: 'SUCCEEDED',
  failed: 'FAILED',
  canceled: 'FAILED',
}
const order: PartState[] = ['SENT', 'PENDING', 'SUCCEEDED', 'FAILED']

/**
 * What a part is at, now that its refund was seen at the gateway: only further on, since what was seen may be old. One
 * that had failed because nobody found it is whatever it was found to be.
 */
export function nextState(
  { state, gateway_refund_id }: Pick<PartRow, 'state' | 'gateway_refund_id'>,
  status: GatewayRefund['status'],
): PartState {
  const seen = states[status]
  const isFound = gateway_refund_id !== null
  return isFound && order.indexOf(seen) < order.indexOf(state) ? state : seen
}

type Ended = Pick<RefundRow, 'status' | 'amount_cents' | 'is_full'>

/**
 * What a refund is, by its parts: PENDING while one of them has not ended. When some payments gave back their part and
 * others did not, it is a refund of what was given back.
 */
export function outcomeOf(
  refund: Ended,
  parts: Pick<PartRow, 'state' | 'amount_cents'>[],
): Ended & { failedCents: number } {
  const sum = (state: PartState) =>
    parts.filter(part => part.state === state).reduce((cents, part) => cents + part.amount_cents, 0)
  const [givenCents, failedCents] = [sum('SUCCEEDED'), sum('FAILED')]
  const isOpen = parts.some(({ state }) => state === 'SENT' || state === 'PENDING')
  if (isOpen) return { ...refund, status: 'PENDING', failedCents }
  if (givenCents === 0) return { ...refund, status: 'FAILED', failedCents }
  const is_full = refund.is_full && failedCents === 0
  return { status: 'SUCCEEDED', amount_cents: givenCents, is_full, failedCents }
}

const [minute, hour, day] = [60, 3_600, 86_400]
/**
 * To ask again is harmless, since the gateway knows the key, so nobody waits for a request that may have died: two looks
 * and the time alone of a worker that is killed in between (recovery/store.ts) come to less than two minutes.
 */
const waits: Record<PartState, readonly (number | null)[]> = {
  SENT: [30, 15, 30, ...Array<number>(10).fill(minute), 5 * minute, 15 * minute, hour],
  PENDING: [15, 15, 30, minute, 5 * minute, hour, day],
  // banks send money back for weeks
  SUCCEEDED: [day, 7 * day, 30 * day, null],
  FAILED: [null],
}

/** In how many seconds the worker looks at a part, which has so often; null: never again. */
export function lookAfter(state: PartState, looks: number): number | null {
  const after = waits[state]
  return looks < after.length ? after[looks]! : after.at(-1)!
}

/** A gateway knows a key for a day. After this the same request could give back twice, and is not made again. */
export const keySeconds = 23 * hour
