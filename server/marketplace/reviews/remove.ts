import { removeReview } from '#contract/marketplace/reviews.ts'
import { changes } from '#platform/http/operation.ts'
import { lockOwnReview } from './review.access.ts'
import { announceRatings } from './review.events.ts'
import { deleteReview } from './review.sql.ts'

/** Deletes a review of the caller (REV-8). */
export const remove = changes(removeReview, async ({ tx, caller, params, audits }) => {
  const review = await lockOwnReview(tx, caller, params.reviewId)
  const ratings = await deleteReview(tx, caller.personId, review.id)
  audits(review.id, ['review'])
  announceRatings(tx, caller, 'ai-marketplace.review-deleted', review, ratings)
})
