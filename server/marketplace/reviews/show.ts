import { anonymousName, type Review } from '#contract/marketplace/reviews.ts'
import type { Caller } from '#platform/caller.ts'
import type { ReviewRow } from './store.ts'

/**
 * A review. Of people of other organizations only the constant name is told. A text that the review team has hidden is
 * shown to its writer alone. Document 1, Review.
 */
export function showReview(row: ReviewRow, caller: Caller): Review {
  const { is_own: isOwn, writer_id, writer_name } = row
  return {
    id: row.id,
    entryId: row.entry_id,
    rating: row.rating,
    comment: row.is_hidden && !isOwn ? null : row.comment,
    user: { name: writer_name ?? anonymousName },
    ...(writer_id !== null && { userId: writer_id, organizationId: caller.organizationId }),
    isOwn,
    helpfulCount: row.helpful_count,
    helpfulByMe: row.helpful_by_me,
    version: row.version,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}
