import { listGrants, listPastGrants } from '#contract/chat/grants.ts'
import { fail } from '#platform/fail.ts'
import { query } from '#platform/http/operation.ts'
import { assertManagesChannel, channelFor, isManageable } from '../channels/channel.access.ts'
import { readCursorPage } from '../cursor-page.ts'
import { showGrant, showPastGrant } from './grant.json.ts'
import { grantsOf, pastGrants } from './grant.sql.ts'

/** Ids start with `c`. */
const afterAllIds = 'd'

export const list = query(listGrants, async ({ db, caller, params: { id } }) => {
  const [channel, grants] = await Promise.all([channelFor(db, caller, id), grantsOf(db, id)])
  if (!channel.role && !(caller.isAdministrator && isManageable(channel))) fail('CHANNEL_NOT_FOUND')
  return { items: grants.map(showGrant) }
})

export const listPast = query(listPastGrants, async ({ db, caller, params: { id }, query }) => {
  assertManagesChannel(caller, await channelFor(db, caller, id), 'CHAT_APPLICATIONS_MANAGE')
  const page = await readCursorPage(query, (before, limit) =>
    pastGrants(db, id, before ?? afterAllIds, limit),
  )
  return { ...page, items: page.items.map(showPastGrant) }
})
