import { startReview } from '#contract/marketplace/review-queue.ts'
import { emit } from '#platform/events/emit.ts'
import { workflow } from '#platform/http/operation.ts'
import { transactAcross } from '#server/identity/index.ts'
import { setReviewStarted as begin } from './decision.sql.ts'
import { lockSubmission } from './submission.access.ts'
import { showSubmission } from './submission.json.ts'
import { assertNotOwn, assertStartable } from './submission.rules.ts'
import { submissionOf } from './submission.sql.ts'

/** PENDING → UNDER_REVIEW (DSK-5). */
export const start = workflow(startReview, ({ caller, origin, params: { entryId }, services }) =>
  transactAcross({ caller, origin, services }, 'operator', startReview, async (crossTenant, record) => {
    const { tx, entry } = await lockSubmission(crossTenant, entryId)
    assertNotOwn(entry, caller)
    assertStartable(entry)
    await begin(tx, entryId, entry.last_release_id, caller.personId)
    const row = await submissionOf(crossTenant, entryId)
    const submitter = { organizationId: tx.organizationId, personId: entry.submitted_by }
    emit(tx, caller, 'ai-marketplace.under-review', { entryId, version: row.version }, [submitter])
    await record(tx, { subject: entryId, changed: ['status'] })
    return showSubmission(row)
  }),
)
