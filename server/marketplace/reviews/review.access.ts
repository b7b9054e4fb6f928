import type { Tx } from '#platform/data/db.ts'
import { fail } from '#platform/fail.ts'
import type { Caller } from '#platform/http/caller.ts'
import { lockReview, type ReviewRow } from './review.sql.ts'

/**
 * Locks a review of the caller, and the ratings of its entry, until the transaction ends. Other people see a review while
 * its entry is listed. Refuses REVIEW_NOT_FOUND, and REVIEW_NOT_OWN for a review of another person.
 */
export async function lockOwnReview(tx: Tx, caller: Caller, id: string): Promise<ReviewRow> {
  const locked = (await lockReview(tx, caller.personId, id)) ?? fail('REVIEW_NOT_FOUND')
  const { review, isListed } = locked
  if (!review.is_own) fail(isListed ? 'REVIEW_NOT_OWN' : 'REVIEW_NOT_FOUND')
  return review
}
