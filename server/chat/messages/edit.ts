import { editMessage } from '#contract/chat/messages.ts'
import { changedFieldNames } from '#platform/changed-fields.ts'
import { fail } from '#platform/fail.ts'
import { command } from '#platform/http/operation.ts'
import { assertNotArchived } from '../channels/channel.access.ts'
import { lockMessage } from './message.access.ts'
import { emitMessageChanged } from './message.events.ts'
import { showMessage } from './message.json.ts'
import { assertNotEmpty, assertStaysPrivate, editChange, isAuthor } from './message.rules.ts'
import { setMessage } from './message.sql.ts'
import { recordThreadPeople } from './threads/thread.sql.ts'

/** Emits no event if neither the content nor the visibility changes. */
export const edit = command(editMessage, async ({ tx, caller, params, body, audit }) => {
  assertNotEmpty(body)
  const before = await lockMessage(tx, caller, params.messageId)
  if (!isAuthor(caller, before)) fail('NOT_THE_AUTHOR')
  if (before.deleted_at !== null) fail('MESSAGE_NOT_FOUND')
  assertNotArchived(before)
  const { content = before.content, visibility = before.visibility } = body
  if (before.author_kind === 'AI') assertStaysPrivate(visibility)
  const changed = changedFieldNames(['content', 'visibility'], before, { content, visibility })
  audit(before.id, changed)
  if (changed.length === 0) return showMessage(before)
  const { message, newlyMentioned } = await setMessage(
    tx,
    caller.personId,
    before,
    editChange(before, { content, visibility }),
  )
  await recordThreadPeople(tx, message.id)
  await emitMessageChanged(tx, caller, before, message, newlyMentioned)
  return showMessage(message)
})
