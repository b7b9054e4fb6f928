import { rejectSubmission } from '#contract/marketplace/review-queue.ts'
import { emit } from '#platform/events/emit.ts'
import { workflow } from '#platform/http/operation.ts'
import { transactAcross } from '#server/identity/index.ts'
import { decideRejected } from './decision.sql.ts'
import { lockSubmission } from './submission.access.ts'
import { showSubmission } from './submission.json.ts'
import { assertDecidable, assertNotOwn } from './submission.rules.ts'
import { submissionOf } from './submission.sql.ts'

/**
 * PENDING or UNDER_REVIEW → REJECTED, with a reason for the submitter. An entry with a listed release stays APPROVED
 * (DSK-9, ENT-14).
 */
export const reject = workflow(
  rejectSubmission,
  async ({ caller, origin, params: { entryId }, body, services }) => {
    const { reason } = body
    const { releaseId } = body
    return transactAcross(
      { caller, origin, services },
      'operator',
      rejectSubmission,
      async (crossTenant, record) => {
        const { tx, entry } = await lockSubmission(crossTenant, entryId)
        assertNotOwn(entry, caller)
        assertDecidable(entry, releaseId)
        await decideRejected(tx, { entryId, releaseId }, caller.personId, reason)
        const row = await submissionOf(crossTenant, entryId)
        const submitter = { organizationId: tx.organizationId, personId: entry.submitted_by }
        emit(tx, caller, 'ai-marketplace.rejected', { entryId, version: row.version, reason }, [submitter])
        await record(tx, { subject: entryId, changed: ['status'] })
        return showSubmission(row)
      },
    )
  },
)
