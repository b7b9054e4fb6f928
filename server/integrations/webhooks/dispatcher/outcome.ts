import { limits } from '#contract/limits.ts'
import type { PostResult } from '#platform/adapters/http-client/post.ts'

/** Why a notice is sent: by itself, once more on somebody's word, or in a recovery of many. */
export type Trigger = 'AUTOMATIC' | 'MANUAL' | 'RECOVERY'
export type Outcome =
  | 'DELIVERED'
  | 'HTTP_STATUS'
  | 'REDIRECT'
  | 'INTERNAL'
  | Exclude<PostResult['outcome'], 'ANSWERED'>
export type Settled = 'DELIVERED' | 'FAILED'
/** What follows an attempt: the end, or another one after a wait. */
export type Verdict =
  | { outcome: Outcome; status: Settled; waitMs: null }
  | { outcome: Outcome; status: null; waitMs: number }

const retriedStatus = new Set([408, 425, 429])

/** The name of the outcome (DLV-6). */
export function outcomeOf({ outcome, status }: Pick<PostResult, 'outcome' | 'status'>): Outcome {
  if (outcome !== 'ANSWERED') return outcome
  if (status! >= 200 && status! < 300) return 'DELIVERED'
  return status! >= 300 && status! < 400 ? 'REDIRECT' : 'HTTP_STATUS'
}

/** True for what another attempt may change: 5xx, 408, 425, 429 and failures of the network. */
export function isRetried(outcome: Outcome, status: number | null): boolean {
  if (outcome === 'HTTP_STATUS') return status! >= 500 || retriedStatus.has(status!)
  return !['DELIVERED', 'REDIRECT', 'BLOCKED_ADDRESS'].includes(outcome)
}

/**
 * What follows the attempt. `tries` are those of this round before it; waits are counted from its end. An attempt on
 * somebody's word is one, whatever comes of it.
 */
export function judge(outcome: Outcome, status: number | null, tries: number, trigger: Trigger): Verdict {
  if (outcome === 'DELIVERED') return { outcome, status: 'DELIVERED', waitMs: null }
  const seconds = limits.webhookWaitSeconds[tries]
  if (trigger === 'MANUAL' || seconds === undefined || !isRetried(outcome, status))
    return { outcome, status: 'FAILED', waitMs: null }
  return { outcome, status: null, waitMs: seconds * 1000 }
}
