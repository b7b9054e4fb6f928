import type { Charge } from '#contract/billing/shapes.ts'
import { limits } from '#contract/limits.ts'
import type { Failure, Intent } from '#platform/adapters/gateway/port.ts'
import type { AttemptRow, AttemptState } from './charge.row.ts'

/** An attempt that has not ended holds the one slot of its invoice. */
export function isOpen(state: AttemptState): boolean {
  return state !== 'SUCCEEDED' && state !== 'FAILED'
}

/**
 * What an attempt is at, now that the gateway was seen to have its intent at this. What was collected always counts;
 * else nothing that has ended changes, and what is being cancelled waits for the gateway to say that it is. With `isLate`
 * nobody is at work on the attempt any more: what should have happened by now will not be waited for.
 */
export function nextState(
  attempt: Pick<AttemptRow, 'kind' | 'state' | 'age_seconds'>,
  { status, failure }: Pick<Intent, 'status' | 'failure'>,
  isLate = false,
): AttemptState {
  const { kind, state } = attempt
  if (status === 'succeeded') return 'SUCCEEDED'
  if (!isOpen(state)) return state
  if (status === 'canceled') return 'FAILED'
  if (state === 'CANCELING') return state
  if (status === 'processing') return 'PROCESSING'
  if (isLate && isForgotten(attempt)) return 'CANCELING'
  if (status === 'requires_action' || isForPayer(failure)) return 'REQUIRES_ACTION'
  // a payer who is there tries another card; whoever is not there has none to try
  if (kind === 'ON_SESSION') return 'REQUIRES_ACTION'
  if (failure || (isLate && state === 'CONFIRMING')) return 'CANCELING'
  return state
}

/** The bank asks the payer: not a failure (CHG-2). */
export function isForPayer(failure: Failure | null): boolean {
  return failure?.code === 'authentication_required' || failure?.declineCode === 'authentication_required'
}

/** The answer to a charge. A card that was declined has failed, also while the gateway has still to cancel the intent. */
export function chargeStatusOf({
  state,
  failure_code,
}: Pick<AttemptRow, 'state' | 'failure_code'>): Charge['status'] {
  if (state === 'SUCCEEDED' || state === 'REQUIRES_ACTION' || state === 'FAILED') return state
  return state === 'CANCELING' && failure_code !== null ? 'FAILED' : 'PROCESSING'
}

/** Somebody is at work on it right now, or was when their process ended. */
export function isRunning({ state }: Pick<AttemptRow, 'state'>): boolean {
  return state === 'CREATED' || state === 'CONFIRMING'
}

/** The payer was asked and has not answered, for longer than is waited for. */
function isForgotten({ state, age_seconds }: Pick<AttemptRow, 'state' | 'age_seconds'>): boolean {
  return state === 'REQUIRES_ACTION' && age_seconds > limits.actionHours * 3_600
}

const [minute, hour, day] = [60, 3_600, 86_400]
// a request is patient for twenty seconds with each of its questions
const waits: Record<AttemptState, readonly number[]> = {
  CREATED: [90],
  CONFIRMING: [90],
  CANCELING: [15, 30, minute, 5 * minute, 15 * minute, hour],
  REQUIRES_ACTION: [minute, 5 * minute, 15 * minute, hour],
  PROCESSING: [minute, 5 * minute, hour, day],
  SUCCEEDED: [],
  FAILED: [],
}

/** In how many seconds the worker looks at it, which has so often; null: never again. It never gives up. */
export function lookAfter(state: AttemptState, looks: number): number | null {
  return waits[state][looks] ?? waits[state].at(-1) ?? null
}

/** Why nothing was collected. With FAILED both texts are filled (CHG-4). */
export function declined({ code, declineCode, message }: Failure): Failure {
  return { code: code ?? 'card_declined', declineCode, message: message ?? 'The card was declined.' }
}

/** The gateway did not say that it began, or never did. */
export const unavailable: Failure = {
  code: 'gateway_unavailable',
  declineCode: null,
  message: 'The gateway did not answer. Nothing was collected.',
}

/** Somebody paid in another way, or the payer was waited for in vain. */
export const canceled: Failure = {
  code: 'canceled',
  declineCode: null,
  message: 'The payment was cancelled before it was made.',
}
