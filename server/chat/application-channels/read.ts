import { listAppChannels, readAppChannel } from '#contract/chat/application-channels.ts'
import { query } from '#platform/http/operation.ts'
import { showToApplication } from '../channels/channel.json.ts'
import { readableChannelFor } from '../grants/grant.access.ts'
import { channelsAfter } from './application-channel.sql.ts'

/** The channels that the calling application is in. */
export const list = query(listAppChannels, async ({ db, caller, query: { after = '', limit } }) => {
  const { channels, nextAfter } = await channelsAfter(db, caller.applicationId!, after, limit!)
  return { items: channels.map(showToApplication), nextAfter }
})

export const read = query(readAppChannel, async ({ db, caller, params: { channelId } }) =>
  showToApplication(await readableChannelFor(db, caller, channelId)),
)
