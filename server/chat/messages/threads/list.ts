import { listOwnThreads } from '#contract/chat/messages.ts'
import { query } from '#platform/http/operation.ts'
import { pageOf } from '#platform/http/pagination.ts'
import { showMessage } from '../message.json.ts'
import { threadsOf } from './thread.sql.ts'

/** Keeps MSG-18. */
export const threads = query(listOwnThreads, async ({ db, caller, query }) => {
  const { limit, offset } = pageOf(query)
  const { rows, total } = await threadsOf(db, caller.personId, { limit, offset })
  const items = rows.map(row => ({
    message: showMessage(row),
    channel: { id: row.channel_id, type: row.channel_kind, name: row.channel_name },
    unreadCount: row.unread,
  }))
  return { items, total, limit, offset }
})
