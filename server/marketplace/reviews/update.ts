import { updateReview } from '#contract/marketplace/reviews.ts'
import { changes } from '#platform/serve.ts'
import { lockOwnReview } from './access.ts'
import { announceRatings } from './announce.ts'
import { changedOpinion, tidyComment } from './rules.ts'
import { showReview } from './show.ts'
import { setReview } from './store.ts'

/** Modifies a review of the caller. `comment: null` takes the words away (REV-6). */
export const update = changes(updateReview, async ({ tx, caller, params, body, audits }) => {
  const before = await lockOwnReview(tx, caller, params.reviewId)
  const { rating = before.rating, comment = before.comment } = body
  const opinion = { rating, comment: tidyComment(comment) }
  const changed = changedOpinion(before, opinion)
  audits(before.id, changed)
  if (changed.length === 0) return showReview(before, caller)
  const content = { ...opinion, version: before.version }
  const { review, ratings } = await setReview(tx, caller.personId, before, content)
  announceRatings(tx, caller, 'ai-marketplace.review-updated', review, ratings)
  return showReview(review, caller)
})
