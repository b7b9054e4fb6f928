import { markInboxDone } from '#contract/identity/inbox.ts'
import { fail } from '#platform/fail.ts'
import { workflow } from '#platform/http/operation.ts'
import { insertDoneMark, setDoneUntil } from './inbox-done.sql.ts'

/** HOM-7. Marks concern nobody else, so the audit log has no entry for them (AUD-1). */
export const markDone = workflow(markInboxDone, async ({ caller, body, services: { database } }) => {
  const { itemId, until } = body
  if ((itemId === undefined) === (until === undefined)) {
    const message = 'must be set if, and only if, until is not'
    fail('VALIDATION_ERROR', { details: [{ path: 'itemId', code: 'one-of', message }] })
  }
  await database.transact(caller.organizationId, tx =>
    itemId === undefined
      ? tx.run(setDoneUntil, caller.personId, until!)
      : tx.run(insertDoneMark, caller.personId, itemId),
  )
})
