import { listAppMessages } from '#contract/chat/application-messages.ts'
import { fail } from '#platform/fail.ts'
import { query } from '#platform/http/operation.ts'
import { readableChannelFor } from '../../grants/grant.access.ts'
import { showAppMessage } from '../message.json.ts'
import { areBounds, visibleMessagesOf } from '../pages/message-page.sql.ts'
import { mostOf, pageOf } from '../pages/message-page.ts'

/** A page of what applications see of a channel, the newest first. */
export const listVisible = query(listAppMessages, async ({ db, caller, params: { channelId }, query }) => {
  const { before = null, after = null } = query
  const way = after !== null && before === null ? 'newer' : 'older'
  const stretch = { before, after, way, most: mostOf(query) } as const
  const rows = await visibleMessagesOf(db, channelId, caller.applicationId ?? '', stretch)
  if (rows.length === 0) {
    await readableChannelFor(db, caller, channelId)
    const bounds = [before, after].filter(id => id !== null)
    if (!(await areBounds(db, channelId, bounds))) fail('MESSAGE_NOT_FOUND')
  }
  return pageOf(rows, query, way, 'older', showAppMessage)
})
