import { markHelpful, unmarkHelpful } from '#contract/marketplace/reviews.ts'
import type { Tx } from '#platform/data/db.ts'
import { emit } from '#platform/events/emit.ts'
import { fail } from '#platform/fail.ts'
import type { Caller } from '#platform/http/caller.ts'
import { markUncounted } from '#platform/http/counted-limits.ts'
import { command } from '#platform/http/operation.ts'
import { lockVotable, setHelpfulVote } from './helpful-vote.sql.ts'

type Audits = (subject: string, changed?: readonly string[]) => void

/** Marks a review as helpful. A second mark of the same person changes nothing and emits no event (REV-11). */
export const mark = command(markHelpful, ({ tx, caller, params, audit }) =>
  setHelpful(tx, caller, params.reviewId, true, audit),
)

/** Removes the caller's helpful mark (REV-11). */
export const unmark = command(unmarkHelpful, ({ tx, caller, params, audit }) =>
  setHelpful(tx, caller, params.reviewId, false, audit),
)

async function setHelpful(tx: Tx, caller: Caller, id: string, isHelpful: boolean, audits: Audits) {
  const review = (await lockVotable(tx, caller.personId, id)) ?? fail('REVIEW_NOT_FOUND')
  if (isHelpful && review.is_own) fail('REVIEW_OWN')
  const helpfulCount = await setHelpfulVote(tx, caller.personId, id, isHelpful)
  audits(id, helpfulCount === undefined ? [] : ['helpful'])
  if (helpfulCount === undefined) markUncounted(tx)
  else
    emit(tx, caller, 'ai-marketplace.review-helpful', {
      entryId: review.entry_id,
      reviewId: id,
      helpfulCount,
    })
  return { id, helpfulCount: helpfulCount ?? review.helpful_count, helpfulByMe: isHelpful }
}
