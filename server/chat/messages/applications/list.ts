import { listAppMessages } from '#contract/chat/application-messages.ts'
import { fail } from '#platform/fail.ts'
import { query } from '#platform/http/operation.ts'
import { readableChannelFor } from '../../grants/grant.access.ts'
import { showAppMessage } from '../message.json.ts'
import { areVisibleMessages, visibleMessagesOf } from '../pages/message-page.sql.ts'
import { fetchLimit, toMessagePage } from '../pages/message-page.ts'

export const listVisible = query(listAppMessages, async ({ db, caller, params: { channelId }, query }) => {
  const { before = null, after = null } = query
  const direction = after !== null && before === null ? 'newer' : 'older'
  const range = { before, after, direction, limit: fetchLimit(query) } as const
  const rows = await visibleMessagesOf(db, channelId, caller.applicationId ?? '', range)
  if (rows.length === 0) {
    await readableChannelFor(db, caller, channelId)
    const bounds = [before, after].filter(id => id !== null)
    if (!(await areVisibleMessages(db, channelId, bounds))) fail('MESSAGE_NOT_FOUND')
  }
  return toMessagePage(rows, query, direction, 'older', showAppMessage)
})
