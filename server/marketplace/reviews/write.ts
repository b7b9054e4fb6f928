import { writeReview } from '#contract/marketplace/reviews.ts'
import { command } from '#platform/http/operation.ts'
import { newId } from '#platform/ids.ts'
import { entryFor } from '../entries/entry.access.ts'
import { emitRatings } from './review.events.ts'
import { showReview } from './review.json.ts'
import { assertReviewable, changedOpinion, normalizeComment } from './review.rules.ts'
import { insertReview, lockReviewed, setReview } from './review.sql.ts'

/**
 * Writes a review. A person has one review per entry: a second one replaces it and keeps its id, its date and its helpful
 * votes (REV-3).
 */
export const write = command(writeReview, async ({ tx, caller, params, body, audit }) => {
  const { personId } = caller
  const [{ listing, before }] = await tx.inOrder(
    () => lockReviewed(tx, personId, params.id),
    () => entryFor(tx, caller, params.id),
  )
  assertReviewable(listing)
  const opinion = { rating: body.rating, comment: normalizeComment(body.comment ?? null) }
  const content = { ...opinion, version: listing.version }
  if (!before) {
    const { review, ratings } = await insertReview(tx, personId, params.id, newId(), content)
    audit(review.id, ['rating', 'comment'])
    emitRatings(tx, caller, 'ai-marketplace.reviewed', review, ratings)
    return showReview(review, caller)
  }
  const changed = changedOpinion(before, opinion)
  audit(before.id, changed)
  if (changed.length === 0 && before.version === listing.version) return showReview(before, caller)
  const { review, ratings } = await setReview(tx, personId, before, content)
  if (changed.length > 0) emitRatings(tx, caller, 'ai-marketplace.review-updated', review, ratings)
  return showReview(review, caller)
})
