import { approveSubmission } from '#contract/marketplace/review-queue.ts'
import { emit } from '#platform/events/emit.ts'
import { workflow } from '#platform/http/operation.ts'
import { transactAcross } from '#server/identity/index.ts'
import { listRelease } from '../entries/catalogue/catalogue.ts'
import { decideApproved, releaseToList } from './decision.sql.ts'
import { lockSubmission } from './submission.access.ts'
import { showSubmission } from './submission.json.ts'
import { assertDecidable, assertNotOwn, normalizeNote } from './submission.rules.ts'
import { submissionOf } from './submission.sql.ts'

/** PENDING or UNDER_REVIEW → APPROVED: lists the release (DSK-6). */
export const approve = workflow(
  approveSubmission,
  ({ caller, origin, params: { entryId }, body, services }) =>
    transactAcross(
      { caller, origin, services },
      'operator',
      approveSubmission,
      async (crossTenant, record) => {
        const { tx, entry } = await lockSubmission(crossTenant, entryId)
        assertNotOwn(entry, caller)
        assertDecidable(entry, body.releaseId)
        const replaced = { releaseId: body.releaseId, replacedId: entry.listed_release_id }
        const [release] = await Promise.all([
          releaseToList(tx, body.releaseId),
          decideApproved(tx, replaced, caller.personId, normalizeNote(body.note)),
        ])
        await listRelease(tx, entry, release)
        const submitter = { organizationId: tx.organizationId, personId: entry.submitted_by }
        emit(tx, caller, 'ai-marketplace.approved', { entryId, version: release.version }, [submitter])
        await record(tx, { subject: entryId, changed: ['status'] })
        return showSubmission(await submissionOf(crossTenant, entryId))
      },
    ),
)
