import { hideReview, showReviewAgain } from '#contract/marketplace/review-queue.ts'
import { fail } from '#platform/fail.ts'
import { workflow } from '#platform/http/operation.ts'
import { transactAcross } from '#server/identity/index.ts'
import { setTextHidden } from './submission.sql.ts'

// audited in the operator's organization: the organization of the author must not learn who wrote the review

/** Hides the text of a review from everyone except its author. Its rating still counts. */
export const hide = workflow(hideReview, async ({ caller, origin, params: { reviewId }, body, services }) => {
  const { reason } = body
  return transactAcross({ caller, origin, services }, 'operator', hideReview, async (crossTenant, record) => {
    if (!(await setTextHidden(crossTenant, reviewId, reason))) fail('REVIEW_NOT_FOUND')
    await record(crossTenant.of(caller.organizationId), { subject: reviewId, changed: ['isHidden'] })
    return { id: reviewId, isHidden: true }
  })
})

/** Shows the text of a review again. */
export const show = workflow(showReviewAgain, ({ caller, origin, params: { reviewId }, services }) =>
  transactAcross({ caller, origin, services }, 'operator', showReviewAgain, async (crossTenant, record) => {
    if (!(await setTextHidden(crossTenant, reviewId, null))) fail('REVIEW_NOT_FOUND')
    await record(crossTenant.of(caller.organizationId), { subject: reviewId, changed: ['isHidden'] })
    return { id: reviewId, isHidden: false }
  }),
)
