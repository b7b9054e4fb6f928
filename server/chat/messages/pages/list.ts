import { listMessages } from '#contract/chat/messages.ts'
import { query } from '#platform/http/operation.ts'
import { ownChannelFor } from '../../channels/channel.access.ts'
import { showMessage } from '../message.json.ts'
import { messagesOf } from './message-page.sql.ts'
import { fetchLimit, toMessagePage } from './message-page.ts'

export const list = query(listMessages, async ({ db, caller, params, query }) => {
  const { before = Number.MAX_SAFE_INTEGER, after = 0 } = query
  const direction = query.after !== undefined && query.before === undefined ? 'newer' : 'older'
  const rows = await messagesOf(db, params.id, caller.personId, {
    before,
    after,
    direction,
    limit: fetchLimit(query),
  })
  if (rows.length === 0) await ownChannelFor(db, caller, params.id)
  return toMessagePage(rows, query, direction, 'older', showMessage)
})
