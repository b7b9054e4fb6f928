import { startReview } from '#contract/marketplace/desk.ts'
import { emit } from '#platform/emit.ts'
import { steps } from '#platform/serve.ts'
import { transactAcross } from '#server/identity/index.ts'
import { lockSubmission } from './access.ts'
import { start as begin } from './decisions/store.ts'
import { assertNotOwn, assertStartable } from './rules.ts'
import { showSubmission } from './show.ts'
import { submissionOf } from './store.ts'

/** PENDING → UNDER_REVIEW (DSK-5). */
export const start = steps(startReview, ({ caller, origin, params: { entryId }, world }) =>
  transactAcross({ caller, origin, world }, 'operator', startReview, async (wide, record) => {
    const { tx, entry } = await lockSubmission(wide, entryId)
    assertNotOwn(entry, caller)
    assertStartable(entry)
    await begin(tx, entryId, entry.last_release_id, caller.personId)
    const row = await submissionOf(wide, entryId)
    const submitter = { organizationId: tx.organizationId, personId: entry.submitted_by }
    emit(tx, caller, 'ai-marketplace.under-review', { entryId, version: row.version }, [submitter])
    await record(tx, { subject: entryId, changed: ['status'] })
    return showSubmission(row)
  }),
)
