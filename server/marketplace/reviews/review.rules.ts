import { changedFieldNames } from '#platform/changed-fields.ts'
import { fail } from '#platform/fail.ts'
import type { ReviewedRow } from './review.sql.ts'

/** The rating and comment of a review. */
export type Opinion = { rating: number; comment: string | null }

/** Trims a comment; null if it is empty. */
export function normalizeComment(comment: string | null): string | null {
  return comment?.trim() || null
}

/** Refuses unless the entry is approved, installed by the caller, and not their own (REV-4). */
export function assertReviewable(listing: ReviewedRow | undefined): asserts listing is ReviewedRow {
  if (!listing?.is_listed) fail('ENTRY_NOT_APPROVED')
  if (listing.is_own) fail('ENTRY_OWN')
  if (!listing.is_installed) fail('ENTRY_NOT_INSTALLED')
}

/** The names of the changed fields. */
export function changedOpinion(before: Opinion, after: Opinion): string[] {
  return changedFieldNames(['rating', 'comment'], before, after)
}
