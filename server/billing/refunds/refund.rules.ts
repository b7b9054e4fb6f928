import type { GatewayRefund } from '#platform/adapters/gateway/port.ts'
import { fail } from '#platform/fail.ts'
import type { RefundPartRow, RefundPartState, RefundRow } from './refund.row.ts'

/** A payment that the gateway collected, and how much of it is reserved for refunds. */
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
 * Splits a refund over the payments, the newest first. Refuses REFUND_NOT_ALLOWED when the amount is zero or more
 * than is left, or when something else is left than the caller saw. A disputed payment cannot be refunded (RFD-3, RFD-4).
 */
export function splitRefund(
  payments: CollectedPayment[],
  request: {
    amountCents: number | undefined
    intentId: string | undefined
    refundableCents?: number | undefined
  },
): { parts: NewRefundPart[]; amountCents: number; isFull: boolean } {
  const left = (payment: CollectedPayment) => payment.amount_cents - payment.refund_reserved_cents
  const total = (of: CollectedPayment[]) => of.reduce((sum, payment) => sum + left(payment), 0)
  const open = payments.filter(
    payment =>
      !payment.is_disputed && (request.intentId ?? payment.payment_intent_id) === payment.payment_intent_id,
  )
  const refundableCents = total(open)
  const wanted = request.amountCents ?? refundableCents
  const isUnexpected = (request.refundableCents ?? refundableCents) !== refundableCents
  if (wanted === 0 || wanted > refundableCents || isUnexpected)
    fail('REFUND_NOT_ALLOWED', { refundableCents })
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
 * The next state of a part, given its refund at the gateway. The state only moves forward, because the observed one
 * may be old. A part that failed because no refund was found takes whatever state is found later.
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
 * The result of a refund: PENDING while a part is open. When some parts failed, the refund has the amount of the
 * others.
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
/** Seconds until the worker polls a part that was just sent. */
export const firstPollSeconds = 30
/**
 * A repeated request is harmless, because the gateway knows the key, so the poller does not wait for a request that
 * may have died: two polls and the lease of a killed worker (polling/polling.sql.ts) take less than two minutes.
 */
const pollIntervals: Record<RefundPartState, readonly (number | null)[]> = {
  SENT: [firstPollSeconds, 15, 30, ...Array<number>(10).fill(minute), 5 * minute, 15 * minute, hour],
  PENDING: [15, 15, 30, minute, 5 * minute, hour, day],
  // banks may return money for weeks
  SUCCEEDED: [day, 7 * day, 30 * day, null],
  FAILED: [null],
}

/** Seconds until the worker polls a part again; null: never. */
export function nextPollSeconds(state: RefundPartState, pollCount: number): number | null {
  const after = pollIntervals[state]
  return after[Math.min(pollCount, after.length - 1)] ?? null
}

/** The gateway remembers a key for a day. Later the same request could refund twice, so it is not repeated. */
export const keyLifetimeSeconds = 23 * hour
