import { archiveChannel } from '#contract/chat/channels.ts'
import { addChannelMember } from '#contract/chat/members.ts'
import { createTestChannel, sendMessage } from '#tests/support/chat/chat.ts'
import type { Call } from './ask.ts'
import type { Home } from './home.ts'

type Fixture = (home: Home) => Promise<Call | Call[]>

/** A channel of the owner of the home. */
async function channelOf(home: Home): Promise<string> {
  const { secret, owner } = home
  const given = { name: `Channel ${secret}`, description: `For ${secret}`, isDiscoverable: true }
  return (await createTestChannel(owner, given)).id
}

/** A channel of another person, without the owner. */
async function openChannel(home: Home): Promise<string> {
  const given = { name: `Open ${home.secret}`, isDiscoverable: true }
  return (await createTestChannel(await home.make.member(), given)).id
}

async function joined(home: Home): Promise<{ id: string; personId: string }> {
  const [id, { id: personId }] = [await channelOf(home), await home.make.member()]
  await home.owner.call(addChannelMember, { params: { id }, body: { personId } })
  return { id, personId }
}

const page = { limit: 100, offset: 0 }
const ofChannel: Fixture = async home => ({ params: { id: await channelOf(home) } })

/** Valid calls of the channel operations; see fixtures.ts. */
export const chatChannelFixtures: Record<string, Fixture> = {
  createChannel: async home => ({
    body: {
      type: 'CHANNEL',
      name: home.name('Channel'),
      description: `For ${home.mark}`,
      isDiscoverable: true,
      memberIds: [(await home.make.member()).id],
    },
  }),
  openDirectConversation: async home => ({ body: { personIds: [(await home.make.member()).id] } }),
  createPortalConversation: async home => ({
    body: {
      customerReference: home.name('customer'),
      name: home.name('Portal'),
      memberIds: [(await home.make.member()).id],
    },
  }),
  listOwnChannels: async home => {
    await channelOf(home)
    return { query: { ...page, type: 'CHANNEL', archived: false } }
  },
  listDirectory: async home => {
    await openChannel(home)
    return { query: { ...page, search: home.secret } }
  },
  listGovernedChannels: async home => {
    await openChannel(home)
    return { query: { ...page, search: home.secret, archived: false } }
  },
  readChannel: ofChannel,
  updateChannel: async home => ({
    params: { id: await channelOf(home) },
    body: { name: home.name('Channel'), description: `Still for ${home.mark}`, isDiscoverable: false },
  }),
  archiveChannel: ofChannel,
  unarchiveChannel: async home => {
    const id = await channelOf(home)
    await home.owner.call(archiveChannel, { params: { id } })
    return { params: { id } }
  },
  listChannelMembers: async home => ({ params: { id: (await joined(home)).id }, query: page }),
  addChannelMember: async home => ({
    params: { id: await channelOf(home) },
    body: { personId: (await home.make.member()).id, role: 'ADMIN' },
  }),
  changeChannelMember: async home => ({ params: await joined(home), body: { role: 'ADMIN' } }),
  removeChannelMember: async home => ({ params: await joined(home) }),
  joinChannel: async home => ({ params: { id: await openChannel(home) } }),
  leaveChannel: ofChannel,
  moveReadMarker: async home => {
    const id = await channelOf(home)
    await home.server.sql('update chat_channel set last_seq = 5 where id = $1', [id])
    return { params: { id }, body: { seq: 5 } }
  },
  markUnread: async home => {
    const { id } = await sendMessage(home.owner, await channelOf(home))
    return { params: { messageId: id } }
  },
  setChannelNotification: async home => ({
    params: { id: await channelOf(home) },
    body: { notification: 'MENTIONS' },
  }),
  openChatStream: async () => ({ query: { lastEventId: '1' } }),
}
