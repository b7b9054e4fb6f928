import type { EntryStatus, ReleaseFinding } from '#contract/marketplace/entries.ts'
import { fail } from '#platform/fail.ts'

/** The state of an entry when its asset is submitted. `listed` and `last` are submitted versions. */
export type SubmissionState = {
  status: EntryStatus
  listed_version_id: string | null
  last_version_id: string
  last_status: EntryStatus
}

/** True if a release waits for a decision. */
export function isWaiting(status: EntryStatus): boolean {
  return status === 'PENDING' || status === 'UNDER_REVIEW'
}

/**
 * Refuses ENTRY_ALREADY_SUBMITTED unless the published version can be submitted. A new, rejected or withdrawn entry always
 * allows it. An approved entry allows it if neither the listed nor the waiting release has this version, and no review of
 * the waiting release has started (ENT-10 to ENT-13).
 */
export function assertSubmittable(entry: SubmissionState | undefined, versionId: string): void {
  if (!entry || entry.status === 'REJECTED' || entry.status === 'ARCHIVED') return
  const isNotListed = entry.listed_version_id !== versionId
  const isNotUnderReview = entry.last_status !== 'UNDER_REVIEW'
  const isNotPending = entry.last_status !== 'PENDING' || entry.last_version_id !== versionId
  if (entry.status !== 'APPROVED' || !isNotListed || !isNotUnderReview || !isNotPending)
    fail('ENTRY_ALREADY_SUBMITTED')
}

/** Refuses RELEASE_REFUSED for findings that block a submission. */
export function assertNoBlockingFindings(findings: readonly ReleaseFinding[]): void {
  if (findings.some(({ severity }) => severity === 'block')) fail('RELEASE_REFUSED', { findings })
}

/** The average rating with two decimals; null without ratings. */
export function ratingAverage(sum: number, count: number): number | null {
  return count === 0 ? null : Math.round((100 * sum) / count) / 100
}
