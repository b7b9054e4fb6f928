import { publishMessage } from '#contract/chat/application-messages.ts'
import type { Db } from '#platform/data/db.ts'
import { fail } from '#platform/fail.ts'
import type { Caller } from '#platform/http/caller.ts'
import { command } from '#platform/http/operation.ts'
import { newId } from '#platform/ids.ts'
import { assertNotArchived } from '../../channels/channel.access.ts'
import { readableChannelFor } from '../../grants/grant.access.ts'
import { emitMessagePosted } from '../message.events.ts'
import { mentionedApplications, showAppMessage } from '../message.json.ts'
import { mentionedIdsIn } from '../message.rules.ts'
import { insertAppMessage } from '../message.sql.ts'
import { searchWordsOf } from '../search/message-search.terms.ts'
import { recordThreadPeople } from '../threads/thread.sql.ts'

/** One statement checks access and inserts, as in post.ts (MSG-6, MSG-11). */
export const publish = command(publishMessage, async ({ tx, caller, params: { channelId }, body, audit }) => {
  const { content, parentMessageId: parentId = null } = body
  const message = await insertAppMessage(tx, {
    id: newId(),
    channelId,
    authorKind: 'APP',
    authorId: caller.applicationId ?? '',
    content,
    visibility: 'VISIBLE',
    parentId,
    mentionedIds: mentionedIdsIn(content),
    searchWords: searchWordsOf(content),
  })
  if (!message) return refusePublish(tx, caller, channelId)
  if (parentId !== null) await recordThreadPeople(tx, message.id)
  emitMessagePosted(tx, caller, message, mentionedApplications(message))
  audit(message.id, ['content'])
  return showAppMessage(message)
})

async function refusePublish(db: Db, caller: Caller, channelId: string): Promise<never> {
  assertNotArchived(await readableChannelFor(db, caller, channelId))
  fail('MESSAGE_NOT_FOUND')
}
