import { listAppChannels, readAppChannel } from '#contract/chat/application-channels.ts'
import { applicationOf } from '#platform/http/caller.ts'
import { query } from '#platform/http/operation.ts'
import { required } from '#platform/required.ts'
import { showAppChannel } from '../channels/channel.json.ts'
import { readableChannelFor } from '../grants/grant.access.ts'
import { channelsAfter } from './application-channel.sql.ts'

export const list = query(listAppChannels, async ({ db, caller, query: { after = '', limit } }) => {
  const { channels, nextAfter } = await channelsAfter(
    db,
    applicationOf(caller),
    after,
    required(limit, 'the limit of a page'),
  )
  return { items: channels.map(showAppChannel), nextAfter }
})

export const read = query(readAppChannel, async ({ db, caller, params: { channelId } }) =>
  showAppChannel(await readableChannelFor(db, caller, channelId)),
)
