import { limits } from '#contract/limits.ts'
import type { PostResult } from '#platform/adapters/http-client/post.ts'
import { required } from '#platform/required.ts'
import type { NextAttempt } from '../../due-delivery.ts'

export type AttemptOutcome =
  | 'DELIVERED'
  | 'HTTP_STATUS'
  | 'REDIRECT'
  | 'INTERNAL'
  | Exclude<PostResult['outcome'], 'ANSWERED'>
/** The consequence of an attempt: the delivery ends, or a retry follows after a wait. */
export type AttemptVerdict = { final: 'DELIVERED' | 'FAILED'; waitMs: null } | { final: null; waitMs: number }

const retryableStatuses = new Set([408, 425, 429])

/** The name of the outcome (DLV-6). */
export function outcomeOf({ outcome, status }: Pick<PostResult, 'outcome' | 'status'>): AttemptOutcome {
  if (outcome !== 'ANSWERED') return outcome
  const hundreds = Math.floor(required(status, 'the status of an answer') / 100)
  if (hundreds === 2) return 'DELIVERED'
  return hundreds === 3 ? 'REDIRECT' : 'HTTP_STATUS'
}

/** True for outcomes that a retry may change: 5xx, 408, 425, 429 and network failures. */
export function isRetryable(outcome: AttemptOutcome, status: number | null): boolean {
  if (outcome === 'HTTP_STATUS') {
    const answered = required(status, 'the status of an answer')
    return answered >= 500 || retryableStatuses.has(answered)
  }
  return !['DELIVERED', 'REDIRECT', 'BLOCKED_ADDRESS'].includes(outcome)
}

/** Decides what follows an attempt. Waits start at its end. A manual retry is never repeated. */
export function decideNext(
  outcome: AttemptOutcome,
  status: number | null,
  { retries, trigger }: Pick<NextAttempt, 'retries' | 'trigger'>,
): AttemptVerdict {
  if (outcome === 'DELIVERED') return { final: 'DELIVERED', waitMs: null }
  const seconds = limits.webhookWaitSeconds[retries]
  if (trigger === 'MANUAL' || seconds === undefined || !isRetryable(outcome, status))
    return { final: 'FAILED', waitMs: null }
  return { final: null, waitMs: seconds * 1000 }
}
