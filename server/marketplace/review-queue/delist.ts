import { delistEntry } from '#contract/marketplace/review-queue.ts'
import { emit } from '#platform/events/emit.ts'
import { fail } from '#platform/fail.ts'
import { workflow } from '#platform/http/operation.ts'
import { transactAcross } from '#server/identity/index.ts'
import { unlist } from '../entries/catalogue/catalogue.ts'
import { archiveListed } from './decision.sql.ts'
import { endFeature } from './featured.sql.ts'
import { lockSubmission } from './submission.access.ts'
import { showSubmission } from './submission.json.ts'
import { submissionOf } from './submission.sql.ts'

/** APPROVED → ARCHIVED by an operator, with a reason for the submitter. Also archives a waiting release. */
export const delist = workflow(
  delistEntry,
  async ({ caller, origin, params: { entryId }, body, services }) => {
    const { reason } = body
    return transactAcross(
      { caller, origin, services },
      'operator',
      delistEntry,
      async (crossTenant, record) => {
        const { tx, entry } = await lockSubmission(crossTenant, entryId)
        if (entry.listed_release_id === null) fail('ENTRY_NOT_APPROVED')
        if (await endFeature(tx, entryId)) emit(tx, caller, 'ai-marketplace.unfeatured', { entryId })
        await unlist(tx, entry)
        await archiveListed(tx, entryId, entry.listed_release_id, reason)
        const submitter = { organizationId: tx.organizationId, personId: entry.submitted_by }
        emit(tx, caller, 'ai-marketplace.archived', { entryId, reason }, [submitter])
        await record(tx, { subject: entryId, changed: ['status'] })
        return showSubmission(await submissionOf(crossTenant, entryId))
      },
    )
  },
)
