import type { Charge } from '#contract/billing/shapes.ts'
import { limits } from '#contract/limits.ts'
import type { Failure, IntentStatus } from '#platform/adapters/gateway/port.ts'
import { lastOf } from '#platform/required.ts'
import type { AttemptRow, AttemptState } from './charge.row.ts'

type OpenState = Exclude<AttemptState, 'SUCCEEDED' | 'FAILED'>

/** Only one open attempt per invoice is allowed. */
export function isOpen(state: AttemptState): state is OpenState {
  return state !== 'SUCCEEDED' && state !== 'FAILED'
}

/**
 * The next state of an open attempt, given the state of its intent at the gateway, which has collected nothing. CANCELING
 * waits for the gateway's confirmation. `isPolled` means that no request works on the attempt any more, so an overdue
 * step is not awaited.
 */
export function nextState(
  attempt: Pick<AttemptRow, 'kind' | 'age_seconds'> & { state: OpenState },
  { status, failure }: { status: Exclude<IntentStatus, 'succeeded'>; failure: Failure | null },
  isPolled = false,
): OpenState | 'FAILED' {
  const { kind, state } = attempt
  if (status === 'canceled') return 'FAILED'
  if (state === 'CANCELING') return state
  if (status === 'processing') return 'PROCESSING'
  if (isPolled && isAbandoned(attempt)) return 'CANCELING'
  if (status === 'requires_action' || needsPayer(failure)) return 'REQUIRES_ACTION'
  // a payer who is present can try another card
  if (kind === 'ON_SESSION') return 'REQUIRES_ACTION'
  if (failure || (isPolled && state === 'CONFIRMING')) return 'CANCELING'
  return state
}

/** The bank asks the payer to authenticate: not a failure (CHG-2). */
export function needsPayer(failure: Failure | null): boolean {
  return failure?.code === 'authentication_required' || failure?.declineCode === 'authentication_required'
}

/**
 * The status that callers see. A declined charge is FAILED even while its intent still has to be cancelled at the
 * gateway.
 */
export function chargeStatusOf({
  state,
  failure_code,
}: Pick<AttemptRow, 'state' | 'failure_code'>): Charge['status'] {
  if (state === 'SUCCEEDED' || state === 'REQUIRES_ACTION' || state === 'FAILED') return state
  return state === 'CANCELING' && failure_code !== null ? 'FAILED' : 'PROCESSING'
}

/** A request is working on it, or its process was killed while it did. */
export function isRunning({ state }: Pick<AttemptRow, 'state'>): boolean {
  return state === 'CREATED' || state === 'CONFIRMING'
}

/** The payer did not answer the bank within the limit. */
function isAbandoned({ state, age_seconds }: Pick<AttemptRow, 'state' | 'age_seconds'>): boolean {
  return state === 'REQUIRES_ACTION' && age_seconds > limits.actionHours * 3_600
}

const [minute, hour, day] = [60, 3_600, 86_400]
// a request waits twenty seconds for each call to the gateway
const pollIntervals: Record<OpenState, readonly [number, ...number[]]> = {
  CREATED: [90],
  CONFIRMING: [90],
  CANCELING: [15, 30, minute, 5 * minute, 15 * minute, hour],
  REQUIRES_ACTION: [minute, 5 * minute, 15 * minute, hour],
  PROCESSING: [minute, 5 * minute, hour, day],
}

/** Seconds until the worker polls the attempt again; null for terminal states. The worker never gives up. */
export function nextPollSeconds(state: AttemptState, pollCount: number): number | null {
  if (!isOpen(state)) return null
  return pollIntervals[state][pollCount] ?? lastOf(pollIntervals[state])
}

/** The same for an attempt that has just come into an open state. */
export function firstPollSeconds(state: OpenState): number {
  return pollIntervals[state][0]
}

/** A failure with both texts filled in, as FAILED requires (CHG-4). */
export function withDefaultTexts({ code, declineCode, message }: Failure): Failure {
  return { code: code ?? 'card_declined', declineCode, message: message ?? 'The card was declined.' }
}

/** The gateway never confirmed that the payment started. */
export const gatewayUnavailable: Failure = {
  code: 'gateway_unavailable',
  declineCode: null,
  message: 'The gateway did not answer. Nothing was collected.',
}

/** The invoice was paid in another way, or the payer did not answer in time. */
export const paymentCanceled: Failure = {
  code: 'canceled',
  declineCode: null,
  message: 'The payment was cancelled before it was made.',
}
