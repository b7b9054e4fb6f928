import { limits } from '#contract/limits.ts'
import type { EntryStatus } from '#contract/marketplace/entries.ts'
import { fail } from '#platform/fail.ts'
import type { Caller } from '#platform/http/caller.ts'

/** The state of an entry that a decision depends on. `last` is the release that was submitted last. */
export type ReviewedRelease = {
  submitted_by: string
  last_release_id: string
  last_status: EntryStatus
}

/** Operators must not review their own submissions, nor entries that were transferred to them. */
export function assertNotOwn(
  entry: { submitted_by: string; last_submitted_by: string },
  { personId }: Caller,
): void {
  if (entry.submitted_by === personId || entry.last_submitted_by === personId) fail('NOT_ON_YOURSELF')
}

/** The review of a release can start only while it is PENDING (DSK-5). */
export function assertStartable({ last_status }: ReviewedRelease): void {
  if (last_status === 'UNDER_REVIEW') fail('REVIEW_STARTED')
  if (last_status !== 'PENDING') fail('ENTRY_NOT_IN_REVIEW')
}

/**
 * Allows a decision from PENDING or UNDER_REVIEW (DSK-6, DSK-7), and only about the release that the operator read: another
 * one may have been submitted since.
 */
export function assertDecidable(entry: ReviewedRelease, releaseId: string): void {
  if (entry.last_status !== 'PENDING' && entry.last_status !== 'UNDER_REVIEW') fail('ENTRY_NOT_IN_REVIEW')
  if (entry.last_release_id !== releaseId) fail('RELEASE_CHANGED')
}

/** Trims a note; null if it is empty. */
export function normalizeNote(note: string | undefined): string | null {
  return note?.trim() || null
}

/** The end of a feature period must be in the future, within the limit. */
export function assertFeaturePeriod({ isPast, isTooFar }: { isPast: boolean; isTooFar: boolean }): void {
  if (!isPast && !isTooFar) return
  const message = isPast ? 'must be in the future' : `must be within ${limits.featuredDays} days`
  fail('VALIDATION_ERROR', { details: [{ path: 'until', code: 'period', message }] })
}
