import { anonymousName, type Review } from '#contract/marketplace/reviews.ts'
import type { Caller } from '#platform/http/caller.ts'
import type { ReviewRow } from './review.sql.ts'

/**
 * A review. Authors of other organizations appear under a constant name (REV-2). Only the author sees a text that operators
 * have hidden (REV-15).
 */
export function showReview(row: ReviewRow, caller: Caller): Review {
  const { is_own: isOwn, author_id, author_name } = row
  return {
    id: row.id,
    entryId: row.entry_id,
    rating: row.rating,
    comment: row.is_hidden && !isOwn ? null : row.comment,
    user: { name: author_name ?? anonymousName },
    ...(author_id !== null && { userId: author_id, organizationId: caller.organizationId }),
    isOwn,
    helpfulCount: row.helpful_count,
    helpfulByMe: row.helpful_by_me,
    version: row.version,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}
