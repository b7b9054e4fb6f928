import { publishMessage } from '#contract/chat/application-messages.ts'
import type { Caller } from '#platform/caller.ts'
import type { Db } from '#platform/db/database.ts'
import { fail } from '#platform/fail.ts'
import { newId } from '#platform/ids.ts'
import { changes } from '#platform/serve.ts'
import { assertNotArchived } from '../../channels/access.ts'
import { readableChannelFor } from '../../grants/access.ts'
import { announcePosted } from '../announce.ts'
import { namedIn } from '../rules.ts'
import { searchedWords } from '../search/terms.ts'
import { mentionedApplications, showAppMessage } from '../show.ts'
import { insertAppMessage } from '../store.ts'

/** Writes a visible message, as post.ts does (MSG-6, MSG-11). */
export const publish = changes(
  publishMessage,
  async ({ tx, caller, params: { channelId }, body, audits }) => {
    const { content, parentMessageId: parentId = null } = body
    const message = await insertAppMessage(tx, {
      id: newId(),
      channelId,
      authorKind: 'APP',
      authorId: caller.applicationId ?? '',
      ...{ content, visibility: 'VISIBLE', parentId },
      named: namedIn(content),
      words: searchedWords(content),
    })
    if (!message) return refusePublish(tx, caller, channelId)
    announcePosted(tx, caller, message, mentionedApplications(message))
    audits(message.id, ['content'])
    return showAppMessage(message)
  },
)

async function refusePublish(db: Db, caller: Caller, channelId: string): Promise<never> {
  assertNotArchived(await readableChannelFor(db, caller, channelId))
  fail('MESSAGE_NOT_FOUND')
}
