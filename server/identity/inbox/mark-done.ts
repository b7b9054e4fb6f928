import { markInboxDone } from '#contract/identity/inbox.ts'
import { fail } from '#platform/fail.ts'
import { command } from '#platform/http/operation.ts'
import { insertDoneMark, setDoneUntil } from './inbox-done.sql.ts'

/** HOM-7. Marks concern nobody else, so the audit log has no entry for them (AUD-1). */
export const markDone = command(markInboxDone, async ({ tx, caller, body }) => {
  const { itemId, until } = body
  if ((itemId === undefined) === (until === undefined)) {
    const message = 'must be set if, and only if, until is not'
    fail('VALIDATION_ERROR', { details: [{ path: 'itemId', code: 'one-of', message }] })
  }
  tx.pending.isReplay = true
  if (itemId === undefined) await tx.run(setDoneUntil, { personId: caller.personId, until: until! })
  else await tx.run(insertDoneMark, { personId: caller.personId, item: itemId })
})
