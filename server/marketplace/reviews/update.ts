import { updateReview } from '#contract/marketplace/reviews.ts'
import { command } from '#platform/http/operation.ts'
import { lockOwnReview } from './review.access.ts'
import { emitRatings } from './review.events.ts'
import { showReview } from './review.json.ts'
import { changedOpinion, normalizeComment } from './review.rules.ts'
import { setReview } from './review.sql.ts'

/** Updates a review of the caller. `comment: null` removes the comment (REV-6). */
export const update = command(updateReview, async ({ tx, caller, params, body, audit }) => {
  const before = await lockOwnReview(tx, caller, params.reviewId)
  const { rating = before.rating, comment = before.comment } = body
  const opinion = { rating, comment: normalizeComment(comment) }
  const changed = changedOpinion(before, opinion)
  audit(before.id, changed)
  if (changed.length === 0) return showReview(before, caller)
  const content = { ...opinion, version: before.version }
  const { review, ratings } = await setReview(tx, caller.personId, before, content)
  emitRatings(tx, caller, 'ai-marketplace.review-updated', review, ratings)
  return showReview(review, caller)
})
