import { putGrant } from '#contract/chat/grants.ts'
import { grantCapabilities } from '#contract/chat/shapes.ts'
import { createTestChannel, insertTestGrant } from '#tests/support/chat/chat.ts'
import type { Call } from './ask.ts'
import { type Home, ownApplication } from './home.ts'
import { registered } from './integration-fixtures.ts'

type Fixture = (home: Home) => Promise<Call | Call[]>

const ownChannel = async ({ owner, secret }: Home): Promise<string> => {
  const { id } = await createTestChannel(owner, { name: `Channel ${secret}`, description: `For ${secret}` })
  return id
}

/** A channel in which an application of the home has a grant. */
async function granted(home: Home): Promise<{ id: string; applicationId: string }> {
  const params = { id: await ownChannel(home), applicationId: await registered(home) }
  await home.owner.call(putGrant, { params, body: { capabilities: [...grantCapabilities] } })
  return params
}

/** A channel in which the calling application has a grant. */
async function inHand(home: Home): Promise<string> {
  const channelId = await ownChannel(home)
  await insertTestGrant(home.server, channelId, await ownApplication(home.server, home.owner), home.owner)
  return channelId
}

/** Valid calls of the grant operations and the channel operations of applications; see fixtures.ts. */
export const chatGrantFixtures: Record<string, Fixture> = {
  listGrants: async home => ({ params: { id: (await granted(home)).id } }),
  putGrant: async home => ({
    params: { id: await ownChannel(home), applicationId: await registered(home) },
    body: { capabilities: [...grantCapabilities], isMember: true },
  }),
  revokeGrant: async home => ({ params: await granted(home) }),
  listPastGrants: async home => ({
    params: { id: (await granted(home)).id },
    query: { limit: 100, before: 'd' },
  }),

  createAppChannel: async home => ({
    body: { name: home.name('Channel'), description: `For ${home.mark}`, isDiscoverable: true },
  }),
  updateAppChannel: async home => ({
    params: { channelId: await inHand(home) },
    body: { name: home.name('Channel'), description: `Still for ${home.mark}` },
  }),
  archiveAppChannel: async home => ({ params: { channelId: await inHand(home) } }),
  addAppChannelMember: async home => ({
    params: { channelId: await inHand(home) },
    body: { userId: (await home.make.member()).id },
  }),
  removeAppChannelMember: async home => {
    const userId = (await home.make.member()).id
    const { id: channelId } = await createTestChannel(home.owner, {
      name: `Channel ${home.secret}`,
      memberIds: [userId],
    })
    await insertTestGrant(home.server, channelId, await ownApplication(home.server, home.owner), home.owner)
    return { params: { channelId, userId } }
  },
  listAppChannels: async home => {
    await inHand(home)
    return { query: { limit: 100, after: 'c' } }
  },
  readAppChannel: async home => ({ params: { channelId: await inHand(home) } }),
}
