import { limits } from '#contract/limits.ts'
import type { PostResult } from '#platform/adapters/http-client/post.ts'

/** Why a delivery is sent: automatically, by a manual retry, or by a recovery. */
export type DeliveryTrigger = 'AUTOMATIC' | 'MANUAL' | 'RECOVERY'
export type AttemptOutcome =
  | 'DELIVERED'
  | 'HTTP_STATUS'
  | 'REDIRECT'
  | 'INTERNAL'
  | Exclude<PostResult['outcome'], 'ANSWERED'>
export type FinalStatus = 'DELIVERED' | 'FAILED'
/** The result of an attempt: a final status, or a retry after a wait. */
export type AttemptVerdict =
  | { outcome: AttemptOutcome; status: FinalStatus; waitMs: null }
  | { outcome: AttemptOutcome; status: null; waitMs: number }

const retryableStatuses = new Set([408, 425, 429])

/** The name of the outcome (DLV-6). */
export function outcomeOf({ outcome, status }: Pick<PostResult, 'outcome' | 'status'>): AttemptOutcome {
  if (outcome !== 'ANSWERED') return outcome
  if (status! >= 200 && status! < 300) return 'DELIVERED'
  return status! >= 300 && status! < 400 ? 'REDIRECT' : 'HTTP_STATUS'
}

/** True for outcomes that a retry may change: 5xx, 408, 425, 429 and network failures. */
export function isRetryable(outcome: AttemptOutcome, status: number | null): boolean {
  if (outcome === 'HTTP_STATUS') return status! >= 500 || retryableStatuses.has(status!)
  return !['DELIVERED', 'REDIRECT', 'BLOCKED_ADDRESS'].includes(outcome)
}

/**
 * Decides what follows an attempt. `retries` counts the earlier attempts of this round; waits start at the end of the
 * attempt. A manual retry is never repeated.
 */
export function decideNext(
  outcome: AttemptOutcome,
  status: number | null,
  retries: number,
  trigger: DeliveryTrigger,
): AttemptVerdict {
  if (outcome === 'DELIVERED') return { outcome, status: 'DELIVERED', waitMs: null }
  const seconds = limits.webhookWaitSeconds[retries]
  if (trigger === 'MANUAL' || seconds === undefined || !isRetryable(outcome, status))
    return { outcome, status: 'FAILED', waitMs: null }
  return { outcome, status: null, waitMs: seconds * 1000 }
}
