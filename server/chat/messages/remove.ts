import { deleteMessage } from '#contract/chat/messages.ts'
import { fail } from '#platform/fail.ts'
import type { Caller } from '#platform/http/caller.ts'
import { command } from '#platform/http/operation.ts'
import { assertManagesChannel, assertNotArchived, isManageable } from '../channels/channel.access.ts'
import { deleteFiles } from '../files/file.sql.ts'
import { type LockedMessage, lockMessage } from './message.access.ts'
import { emitMessageChanged } from './message.events.ts'
import { showMessage } from './message.json.ts'
import { deletionChange, isAuthor } from './message.rules.ts'
import { setMessage } from './message.sql.ts'

export const remove = command(deleteMessage, async ({ tx, caller, params, audit }) => {
  const before = await lockMessage(tx, caller, params.messageId)
  assertMayDelete(caller, before)
  assertNotArchived(before)
  audit(before.id)
  if (before.deleted_at !== null) return showMessage(before)
  await deleteFiles(tx, before.attachments ?? [])
  const { message } = await setMessage(tx, caller.personId, before, deletionChange(before))
  await emitMessageChanged(tx, caller, before, message, [])
  return showMessage(message)
})

function assertMayDelete(caller: Caller, message: LockedMessage): void {
  if (isAuthor(caller, message)) return
  if (!isManageable(message)) fail('NOT_THE_AUTHOR')
  assertManagesChannel(caller, message, 'CHAT_CHANNELS_EDIT')
}
