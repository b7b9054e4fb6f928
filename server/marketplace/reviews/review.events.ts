import type { Tx } from '#platform/data/db.ts'
import { emit } from '#platform/events/emit.ts'
import type { Caller } from '#platform/http/caller.ts'
import { ratingAverage } from '../entries/entry.rules.ts'
import type { Ratings } from './review.sql.ts'

type AboutRatings =
  | 'ai-marketplace.reviewed'
  | 'ai-marketplace.review-updated'
  | 'ai-marketplace.review-deleted'

/** Emits the new average rating of an entry, without its author. */
export function emitRatings(
  tx: Tx,
  caller: Caller,
  name: AboutRatings,
  review: { id: string; entry_id: string },
  { rating_sum, rating_count }: Ratings,
): void {
  emit(tx, caller, name, {
    entryId: review.entry_id,
    reviewId: review.id,
    ratingAverage: ratingAverage(rating_sum, rating_count),
    ratingCount: rating_count,
  })
}
