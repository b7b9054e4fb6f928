import { limits } from '#contract/limits.ts'
import type { EntryStatus } from '#contract/marketplace/entries.ts'
import { fail } from '#platform/fail.ts'
import type { Caller } from '#platform/http/caller.ts'

/** What the desk looks at of an entry before it decides. `last` is the release that was submitted last. */
export type ReviewedRelease = {
  submitted_by: string
  last_release_id: string
  last_status: EntryStatus
}

/** Nobody reviews what they submitted themselves, or what was handed over to them. */
export function assertNotOwn(
  entry: { submitted_by: string; last_submitted_by: string },
  { personId }: Caller,
): void {
  if (entry.submitted_by === personId || entry.last_submitted_by === personId) fail('NOT_ON_YOURSELF')
}

/** Only a pending release can be started; one that is under review has been (DSK-5). */
export function assertStartable({ last_status }: ReviewedRelease): void {
  if (last_status === 'UNDER_REVIEW') fail('REVIEW_STARTED')
  if (last_status !== 'PENDING') fail('ENTRY_NOT_IN_REVIEW')
}

/**
 * A release that waits is decided, and only the one that was read: what was submitted meanwhile is another one.
 * It can be decided directly from PENDING, or from UNDER_REVIEW (DSK-6, DSK-7).
 */
export function assertDecidable(entry: ReviewedRelease, releaseId: string): void {
  if (entry.last_status !== 'PENDING' && entry.last_status !== 'UNDER_REVIEW') fail('ENTRY_NOT_IN_REVIEW')
  if (entry.last_release_id !== releaseId) fail('RELEASE_CHANGED')
}

/** A note without spaces around it; null for none. */
export function normalizeNote(note: string | undefined): string | null {
  return note?.trim() || null
}

/** Nothing is featured until a time that is over, or for ever. */
export function assertFeaturePeriod({ isPast, isTooFar }: { isPast: boolean; isTooFar: boolean }): void {
  if (!isPast && !isTooFar) return
  const message = isPast ? 'must be in the future' : `must be within ${limits.featuredDays} days`
  fail('VALIDATION_ERROR', { details: [{ path: 'until', code: 'period', message }] })
}
