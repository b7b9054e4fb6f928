import { searchMessages } from '#contract/chat/messages.ts'
import { query } from '#platform/http/operation.ts'
import { ownChannelFor } from '../../channels/channel.access.ts'
import { showMessage } from '../message.json.ts'
import { findMessages } from './message-search.sql.ts'
import { toSearchQuery } from './message-search.terms.ts'

export const search = query(searchMessages, async ({ db, caller, query: { search, channelId } }) => {
  const searchQuery = toSearchQuery(search)
  const rows =
    searchQuery === undefined ? [] : await findMessages(db, caller.personId, searchQuery, channelId)
  if (rows.length === 0 && channelId !== undefined) await ownChannelFor(db, caller, channelId)
  return { items: rows.map(showMessage) }
})
