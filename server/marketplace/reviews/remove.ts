import { removeReview } from '#contract/marketplace/reviews.ts'
import { command } from '#platform/http/operation.ts'
import { lockOwnReview } from './review.access.ts'
import { emitRatings } from './review.events.ts'
import { deleteReview } from './review.sql.ts'

/** Deletes a review of the caller (REV-8). */
export const remove = command(removeReview, async ({ tx, caller, params, audit }) => {
  const review = await lockOwnReview(tx, caller, params.reviewId)
  const ratings = await deleteReview(tx, caller.personId, review.id)
  audit(review.id, ['review'])
  emitRatings(tx, caller, 'ai-marketplace.review-deleted', review, ratings)
})
