import { deleteMessage } from '#contract/chat/messages.ts'
import type { Caller } from '#platform/caller.ts'
import { fail } from '#platform/fail.ts'
import { changes } from '#platform/serve.ts'
import { assertGoverns, assertNotArchived, isGoverned } from '../channels/access.ts'
import { type HeldMessage, lockMessage } from './access.ts'
import { announceChanged } from './announce.ts'
import { changeToDeleted, isAuthor } from './rules.ts'
import { showMessage } from './show.ts'
import { setMessage } from './store.ts'

/** Empties a message that the caller wrote, or that stands in a channel that they govern. */
export const remove = changes(deleteMessage, async ({ tx, caller, params, audits }) => {
  const before = await lockMessage(tx, caller, params.messageId)
  assertMayDelete(caller, before)
  assertNotArchived(before)
  audits(before.id)
  if (before.deleted_at !== null) return showMessage(before)
  const { message } = await setMessage(tx, caller.personId, before, changeToDeleted(before))
  await announceChanged(tx, caller, before, message, [])
  return showMessage(message)
})

function assertMayDelete(caller: Caller, message: HeldMessage): void {
  if (isAuthor(caller, message)) return
  if (!isGoverned(message)) fail('NOT_THE_AUTHOR')
  assertGoverns(caller, message, 'CHAT_CHANNELS_EDIT')
}
