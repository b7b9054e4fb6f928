import type { Tx } from '#platform/data/database.ts'
import { fail } from '#platform/fail.ts'
import type { Caller } from '#platform/http/caller.ts'
import { lockReview, type ReviewRow } from './review.sql.ts'

/**
 * A review that the caller wrote; the ratings of its entry are locked until the transaction ends. Others see a review
 * while its entry is listed. Refuses REVIEW_NOT_FOUND, and REVIEW_NOT_OWN for one that somebody else wrote.
 */
export async function lockOwnReview(tx: Tx, caller: Caller, id: string): Promise<ReviewRow> {
  const locked = (await lockReview(tx, caller.personId, id)) ?? fail('REVIEW_NOT_FOUND')
  const { review, isListed } = locked
  if (!review.is_own) fail(isListed ? 'REVIEW_NOT_OWN' : 'REVIEW_NOT_FOUND')
  return review
}
