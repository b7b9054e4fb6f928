import type { AttemptOutcome } from '../sending/attempt-outcome.ts'

/** Results of the attempts of one endpoint since its health was last written, at `writtenAt`. */
export type AttemptCounts = {
  hasDelivered: boolean
  /** Since the last success. */
  failedAttempts: number
  failedDeliveries: number
  isGone: boolean
  writtenAt: number
}

export function emptyCounts(writtenAt: number): AttemptCounts {
  return { hasDelivered: false, failedAttempts: 0, failedDeliveries: 0, isGone: false, writtenAt }
}

/** Counts the result of an attempt. `isEnd` is true if no retry follows. */
export function countAttempt(
  counts: AttemptCounts,
  outcome: AttemptOutcome,
  status: number | null,
  isEnd: boolean,
): void {
  if (outcome === 'DELIVERED') {
    counts.hasDelivered = true
    counts.isGone = false
    counts.failedAttempts = 0
    counts.failedDeliveries = 0
    return
  }
  counts.failedAttempts++
  if (isEnd) counts.failedDeliveries++
  if (status === 410) counts.isGone = true
}

/** Restores counts that could not be written, unless a success came in the meantime. */
export function restoreCounts(counts: AttemptCounts, before: AttemptCounts): void {
  counts.writtenAt = before.writtenAt
  if (counts.hasDelivered) return
  counts.hasDelivered = before.hasDelivered
  counts.failedAttempts += before.failedAttempts
  counts.failedDeliveries += before.failedDeliveries
  counts.isGone ||= before.isGone
}
