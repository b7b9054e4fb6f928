import { listThread } from '#contract/chat/messages.ts'
import { query } from '#platform/http/operation.ts'
import { messageFor } from '../message.access.ts'
import { showMessage } from '../message.json.ts'
import { repliesTo } from './message-page.sql.ts'
import { fetchLimit, toMessagePage } from './message-page.ts'

export const thread = query(listThread, async ({ db, caller, params, query }) => {
  const { id, root_id } = await messageFor(db, caller, params.messageId)
  const { before = Number.MAX_SAFE_INTEGER, after = 0 } = query
  const direction = query.before !== undefined && query.after === undefined ? 'older' : 'newer'
  const range = { before, after, direction, limit: fetchLimit(query) } as const
  return toMessagePage(
    await repliesTo(db, root_id ?? id, caller.personId, range),
    query,
    direction,
    'newer',
    showMessage,
  )
})
