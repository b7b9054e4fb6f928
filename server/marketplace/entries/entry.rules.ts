import type { EntryStatus, ReleaseFinding } from '#contract/marketplace/entries.ts'
import { fail } from '#platform/fail.ts'

/** Where an entry stands when its asset is submitted. `listed` and `last` are the versions that were submitted. */
export type SubmissionState = {
  status: EntryStatus
  listed_version_id: string | null
  last_version_id: string
  last_status: EntryStatus
}

/** A release that waits for a decision. */
export function isWaiting(status: EntryStatus): boolean {
  return status === 'PENDING' || status === 'UNDER_REVIEW'
}

/**
 * Refuses ENTRY_ALREADY_SUBMITTED unless the published version can be submitted: of a new, rejected or withdrawn
 * entry always, of an approved one when neither the listed nor the waiting release has it, and a waiting release that
 * it would replace is not being reviewed (ENT-10 to ENT-13).
 */
export function assertSubmittable(entry: SubmissionState | undefined, versionId: string): void {
  if (!entry || entry.status === 'REJECTED' || entry.status === 'ARCHIVED') return
  const isNotListed = entry.listed_version_id !== versionId
  const isNotUnderReview = entry.last_status !== 'UNDER_REVIEW'
  const isNotPending = entry.last_status !== 'PENDING' || entry.last_version_id !== versionId
  if (entry.status !== 'APPROVED' || !isNotListed || !isNotUnderReview || !isNotPending)
    fail('ENTRY_ALREADY_SUBMITTED')
}

/** The automatic checks refuse what they are sure about. */
export function assertNoBlockingFindings(findings: readonly ReleaseFinding[]): void {
  if (findings.some(({ severity }) => severity === 'block')) fail('RELEASE_REFUSED', { findings })
}

/** The mean of ratings for people to read, with two decimals; null without any. */
export function ratingAverage(sum: number, count: number): number | null {
  return count === 0 ? null : Math.round((100 * sum) / count) / 100
}
