import { fail } from '#platform/fail.ts'
import type { ReviewedRow } from './review.sql.ts'

/** What a review says: stars, and words or none. */
export type Opinion = { rating: number; comment: string | null }

/** Words without space around them; none when nothing is left. */
export function normalizeComment(comment: string | null): string | null {
  return comment?.trim() || null
}

/** Refuses unless the entry is approved, somebody else's, and installed by the person who reviews it (REV-4). */
export function assertReviewable(listing: ReviewedRow | undefined): asserts listing is ReviewedRow {
  if (!listing?.is_listed) fail('ENTRY_NOT_APPROVED')
  if (listing.is_own) fail('ENTRY_OWN')
  if (!listing.is_installed) fail('ENTRY_NOT_INSTALLED')
}

/** The names of what is said differently now. */
export function changedOpinion(before: Opinion, after: Opinion): string[] {
  const names: (keyof Opinion)[] = ['rating', 'comment']
  return names.filter(name => before[name] !== after[name])
}
