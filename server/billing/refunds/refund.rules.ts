import type { GatewayRefund } from '#platform/adapters/gateway/port.ts'
import { fail } from '#platform/fail.ts'
import type { RefundPartRow, RefundPartState, RefundRow } from './refund.row.ts'

/** What the gateway collected in one payment, and how much of it is not promised to be given back. */
export type CollectedPayment = {
  id: string
  amount_cents: number
  refund_reserved_cents: number
  is_disputed: boolean
  gateway_account_id: string
  payment_intent_id: string
}
export type NewRefundPart = { paymentId: string; accountId: string; amountCents: number }

/**
 * Which payments give back how much, the newest first. Refuses REFUND_NOT_ALLOWED when that is nothing, or more than is
 * left. A disputed payment gives nothing back (RFD-3, RFD-4).
 */
export function splitRefund(
  payments: CollectedPayment[],
  { amountCents, intentId }: { amountCents: number | undefined; intentId: string | undefined },
): { parts: NewRefundPart[]; amountCents: number; isFull: boolean } {
  const left = (payment: CollectedPayment) => payment.amount_cents - payment.refund_reserved_cents
  const total = (of: CollectedPayment[]) => of.reduce((sum, payment) => sum + left(payment), 0)
  const open = payments.filter(
    payment => !payment.is_disputed && (intentId ?? payment.payment_intent_id) === payment.payment_intent_id,
  )
  const wanted = amountCents ?? total(open)
  if (wanted === 0 || wanted > total(open)) fail('REFUND_NOT_ALLOWED', { refundableCents: total(open) })
  const parts: NewRefundPart[] = []
  let rest = wanted
  for (const payment of open) {
    const cents = Math.min(left(payment), rest)
    if (cents === 0) continue
    parts.push({ paymentId: payment.id, accountId: payment.gateway_account_id, amountCents: cents })
    rest -= cents
  }
  return { parts, amountCents: wanted, isFull: wanted === total(payments) }
}

const states: Record<GatewayRefund['status'], RefundPartState> = {
  pending: 'PENDING',
  succeeded: 'SUCCEEDED',
  failed: 'FAILED',
  canceled: 'FAILED',
}
const order: RefundPartState[] = ['SENT', 'PENDING', 'SUCCEEDED', 'FAILED']

/**
 * What a part is at, now that its refund was seen at the gateway: only further on, since what was seen may be old. One
 * that had failed because nobody found it is whatever it was found to be.
 */
export function nextState(
  { state, gateway_refund_id }: Pick<RefundPartRow, 'state' | 'gateway_refund_id'>,
  status: GatewayRefund['status'],
): RefundPartState {
  const result = states[status]
  const isFound = gateway_refund_id !== null
  return isFound && order.indexOf(result) < order.indexOf(state) ? state : result
}

type RefundResult = Pick<RefundRow, 'status' | 'amount_cents' | 'is_full'>

/**
 * What a refund is, by its parts: PENDING while one of them has not ended. When some payments gave back their part and
 * others did not, it is a refund of what was given back.
 */
export function refundResultOf(
  refund: RefundResult,
  parts: Pick<RefundPartRow, 'state' | 'amount_cents'>[],
): RefundResult & { failedCents: number } {
  const sum = (state: RefundPartState) =>
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
const pollIntervals: Record<RefundPartState, readonly (number | null)[]> = {
  SENT: [30, 15, 30, ...Array<number>(10).fill(minute), 5 * minute, 15 * minute, hour],
  PENDING: [15, 15, 30, minute, 5 * minute, hour, day],
  // banks send money back for weeks
  SUCCEEDED: [day, 7 * day, 30 * day, null],
  FAILED: [null],
}

/** In how many seconds the worker looks at a part, which has so often; null: never again. */
export function nextPollSeconds(state: RefundPartState, pollCount: number): number | null {
  const after = pollIntervals[state]
  return pollCount < after.length ? after[pollCount]! : after.at(-1)!
}

/** A gateway knows a key for a day. After this the same request could give back twice, and is not made again. */
export const keyLifetimeSeconds = 23 * hour
