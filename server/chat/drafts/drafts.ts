import { deleteDraft, listDrafts, readDraft, saveDraft } from '#contract/chat/drafts.ts'
import type { Db } from '#platform/data/db.ts'
import { fail } from '#platform/fail.ts'
import type { Caller } from '#platform/http/caller.ts'
import { command, query } from '#platform/http/operation.ts'
import { ownChannelFor } from '../channels/channel.access.ts'
import { messageFor } from '../messages/message.access.ts'
import { showDraft } from './draft.json.ts'
import { type DraftKey, draftAt, draftsOf, removeDraft, setDraft } from './draft.sql.ts'

/** Keeps MSG-16. */
export const read = query(readDraft, async ({ db, caller, params, query }) => {
  const key = await keyFor(db, caller, params.id, query.parentMessageId)
  const row = await draftAt(db, caller.personId, key)
  const { channelId, threadId: parentMessageId } = key
  return row ? showDraft(row) : { channelId, parentMessageId, content: '', updatedAt: null }
})

/** Leaves neither an event nor an audit entry: a text that nobody has sent concerns nobody else (MSG-16). */
export const save = command(saveDraft, async ({ tx, caller, params, body }) => {
  const key = await keyFor(tx, caller, params.id, body.parentMessageId)
  tx.pending.isReplay = true
  const row = await setDraft(tx, caller.personId, key, body.content)
  return showDraft(row ?? fail('TOO_MANY_DRAFTS'))
})

/** Keeps MSG-16. */
export const remove = command(deleteDraft, async ({ tx, caller, params, query }) => {
  const key = await keyFor(tx, caller, params.id, query.parentMessageId)
  tx.pending.isReplay = true
  await removeDraft(tx, caller.personId, key)
})

export const list = query(listDrafts, async ({ db, caller }) => ({
  items: (await draftsOf(db, caller.personId)).map(showDraft),
}))

/** A channel of the caller, and the thread of a message there. Refuses CHANNEL_NOT_FOUND, MESSAGE_NOT_FOUND. */
async function keyFor(
  db: Db,
  caller: Caller,
  channelId: string,
  parentId: string | undefined,
): Promise<DraftKey> {
  await ownChannelFor(db, caller, channelId)
  if (parentId === undefined) return { channelId, threadId: null }
  const { id, root_id, channel_id } = await messageFor(db, caller, parentId)
  if (channel_id !== channelId) fail('MESSAGE_NOT_FOUND')
  return { channelId, threadId: root_id ?? id }
}
