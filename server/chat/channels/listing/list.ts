import { listDirectory, listGovernedChannels, listOwnChannels, readChannel } from '#contract/chat/channels.ts'
import { likePattern } from '#platform/data/dynamic-filters.ts'
import { fail } from '#platform/fail.ts'
import { fold } from '#platform/fold.ts'
import { query } from '#platform/http/operation.ts'
import { pageOf } from '#platform/http/pagination.ts'
import { required } from '#platform/required.ts'
import { channelFor } from '../channel.access.ts'
import { showListedChannel, showManageableChannel, showOwnChannel } from '../channel.json.ts'
import { channelDetail, directory, manageableChannels, ownChannels } from './channel-list.sql.ts'

export const listOwn = query(listOwnChannels, async ({ db, caller, query }) => {
  const { limit, offset } = pageOf(query)
  const { archived = false, type: kind = null } = query
  const { rows, total } = await ownChannels(db, caller.personId, { archived, kind }, { limit, offset })
  return { items: rows.map(showOwnChannel), total, limit, offset }
})

export const listDiscoverable = query(listDirectory, async ({ db, caller, query }) => {
  const { limit, offset } = pageOf(query)
  const { rows, total } = await directory(db, caller.personId, searchPattern(query.search), { limit, offset })
  return { items: rows.map(showListedChannel), total, limit, offset }
})

export const listManageable = query(listGovernedChannels, async ({ db, caller, query }) => {
  if (!caller.isAdministrator) fail('PERMISSION_DENIED')
  const { limit, offset } = pageOf(query)
  const { archived = false, hasOwner = null } = query
  const filters = { archived, search: searchPattern(query.search), hasOwner }
  const { rows, total } = await manageableChannels(db, caller.personId, filters, { limit, offset })
  return { items: rows.map(showManageableChannel), total, limit, offset }
})

export const read = query(readChannel, async ({ db, caller, params: { id } }) => {
  const [, row] = await Promise.all([channelFor(db, caller, id), channelDetail(db, caller.personId, id)])
  return showOwnChannel(required(row, 'a channel of the caller'))
})

function searchPattern(search: string | undefined): string | null {
  return likePattern(search && fold(search))
}
