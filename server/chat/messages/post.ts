import { postMessage } from '#contract/chat/messages.ts'
import type { Db, Tx } from '#platform/data/db.ts'
import { fail } from '#platform/fail.ts'
import type { Caller } from '#platform/http/caller.ts'
import { command } from '#platform/http/operation.ts'
import { newId } from '#platform/ids.ts'
import { assertNotArchived, ownChannelFor } from '../channels/channel.access.ts'
import { attachFiles, type FileRow } from '../files/file.sql.ts'
import { messageFor } from './message.access.ts'
import { emitMessagePosted } from './message.events.ts'
import { mentionedApplications, showMessage } from './message.json.ts'
import { mentionedIdsIn, resolveAudience } from './message.rules.ts'
import { insertMessage } from './message.sql.ts'
import { searchWordsOf } from './search/message-search.terms.ts'
import { recordThreadPeople } from './threads/thread.sql.ts'

/** One statement checks access and inserts. Only if it inserts nothing, refusePost finds out why. */
export const post = command(postMessage, async ({ tx, caller, params, body, audit }) => {
  const { visibility, readerIds } = resolveAudience(body)
  const others = [...new Set(readerIds)].filter(id => id !== caller.personId)
  const { content, parentMessageId: parentId = null, aiReply, fileIds = [] } = body
  const message = await insertMessage(
    tx,
    {
      id: newId(),
      channelId: params.id,
      authorKind: aiReply ? 'AI' : 'USER',
      authorId: caller.personId,
      content,
      visibility,
      parentId,
      mentionedIds: mentionedIdsIn(content),
      searchWords: searchWordsOf(content),
    },
    others,
  )
  if (!message) return refusePost(tx, caller, params.id, parentId)
  if (parentId !== null) await recordThreadPeople(tx, message.id)
  const attachments = await takeFiles(tx, caller, { id: message.id, channelId: params.id }, fileIds)
  emitMessagePosted(tx, caller, message, mentionedApplications(message))
  audit(message.id, ['content'])
  return showMessage({ ...message, attachments })
})

/** Gives the files to the message, or refuses FILE_NOT_FOUND, which undoes the message too (MSG-19). */
async function takeFiles(
  tx: Tx,
  caller: Caller,
  message: { id: string; channelId: string },
  fileIds: readonly string[],
): Promise<FileRow[]> {
  if (fileIds.length === 0) return []
  const files = await attachFiles(tx, message, caller.personId, fileIds)
  return files.length === new Set(fileIds).size ? files : fail('FILE_NOT_FOUND')
}

async function refusePost(
  db: Db,
  caller: Caller,
  channelId: string,
  parentId: string | null,
): Promise<never> {
  assertNotArchived(await ownChannelFor(db, caller, channelId))
  if (parentId !== null) {
    const { channel_id, deleted_at } = await messageFor(db, caller, parentId)
    if (channel_id !== channelId || deleted_at !== null) fail('MESSAGE_NOT_FOUND')
  }
  fail('CHANNEL_MEMBER_NOT_FOUND')
}
