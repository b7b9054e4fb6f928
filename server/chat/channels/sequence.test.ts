import { afterAll, beforeAll, expect, it } from 'vitest'
import { approveAgent } from '#contract/chat/agents.ts'
import { publishMessage } from '#contract/chat/application-messages.ts'
import { archiveChannel, updateChannel } from '#contract/chat/channels.ts'
import { putGrant, revokeGrant } from '#contract/chat/grants.ts'
import { deleteMessage, editMessage } from '#contract/chat/messages.ts'
import { removeMember } from '#contract/identity/organization.ts'
import { propose } from '#tests/support/chat/agents.ts'
import {
  type ChatFixture,
  createTestChannel,
  eventsIn,
  insertTestGrant,
  sendMessage,
  startChatFixture,
} from '#tests/support/chat/chat.ts'
import { makeApplication } from '#tests/support/integrations/applications.ts'

let fixture: ChatFixture
beforeAll(async () => {
  fixture = await startChatFixture()
})
afterAll(() => fixture.server.close())

/** The application events of a channel with their sequences, in order. */
async function sequences(channelId: string): Promise<[name: string, sequence: unknown][]> {
  const events = await eventsIn(fixture.server, channelId)
  return events.flatMap(({ name, data }) => (/^[A-Z_]+$/.test(name) ? [[name, data.sequence]] : []))
}

it('grows by one with each change that emits application events, and with no other change', async () => {
  const { server, org } = fixture
  const owner = await org.person({ role: 'ADMIN' })
  const scopes = ['chat:messages:view', 'chat:messages:send', 'chat:agents:manage'] as const
  const app = await makeApplication(server, org, { principal: owner, scopes: [...scopes] })
  const { id } = await createTestChannel(owner)
  const params = { id }
  await insertTestGrant(server, id, app, owner)
  await sendMessage(owner, id, { visibility: 'INTERNAL' })
  const { id: messageId } = await sendMessage(owner, id, `<@${app.id}> good morning`)
  await app.client.call(publishMessage, { params: { channelId: id }, body: { content: 'Hello' } })
  await owner.call(editMessage, { params: { messageId }, body: { content: 'Good morning' } })
  await owner.call(updateChannel, { params, body: { name: 'Renamed' } })
  // another channel has its own sequence
  await sendMessage(owner, (await createTestChannel(owner)).id, 'Elsewhere')
  const other = await makeApplication(server, org, { principal: owner })
  const grant = { params: { id, applicationId: other.id } }
  await owner.call(putGrant, { ...grant, body: { capabilities: [] } })
  await owner.call(revokeGrant, grant)
  const { id: agentId } = await propose({ channelId: id, source: app })
  await owner.call(approveAgent, { params: { agentId } })
  await owner.call(editMessage, { params: { messageId }, body: { visibility: 'INTERNAL' } })
  await owner.call(editMessage, { params: { messageId }, body: { content: 'For us alone' } })
  await owner.call(editMessage, { params: { messageId }, body: { visibility: 'VISIBLE' } })
  await owner.call(deleteMessage, { params: { messageId } })
  await owner.call(archiveChannel, { params })
  expect(await sequences(id)).toEqual([
    ['CHAT_CHANNEL_CREATED', 1],
    ['CHAT_MESSAGE_CREATED', 2],
    // the same change
    ['CHAT_APP_MENTIONED', 2],
    ['CHAT_MESSAGE_CREATED', 3],
    ['CHAT_MESSAGE_UPDATED', 4],
    ['CHAT_CHANNEL_UPDATED', 5],
    ['CHAT_MEMBER_ADDED', 6],
    ['CHAT_MEMBER_REMOVED', 7],
    ['CHAT_AGENT_PENDING_APPROVAL', 8],
    ['CHAT_AGENT_APPROVED', 9],
    ['CHAT_MESSAGE_DELETED', 10],
    ['CHAT_MESSAGE_CREATED', 11],
    ['CHAT_MESSAGE_DELETED', 12],
    ['CHAT_CHANNEL_ARCHIVED', 13],
  ])

  // a person who leaves the organization takes the access of their applications in each channel
  const leaver = await org.person({ role: 'ADMIN' })
  const channels = await Promise.all([1, 2, 3].map(() => createTestChannel(leaver)))
  for (const channel of channels) await insertTestGrant(server, channel.id, app, leaver)
  const administrator = await org.person({ role: 'OWNER' })
  expect((await administrator.send(removeMember, { params: { personId: leaver.id } })).status).toBe(204)
  for (const channel of channels)
    expect(await sequences(channel.id)).toEqual([
      ['CHAT_CHANNEL_CREATED', 1],
      ['CHAT_MEMBER_REMOVED', 2],
    ])
})

it('has no gaps or duplicates and matches the order of events under concurrent writes', async () => {
  const { member, app, server, org, admin: owner } = fixture
  const { id } = await createTestChannel(owner, { memberIds: [member.id] })
  await insertTestGrant(server, id, app, owner)
  const params = { id }
  const { id: rootId } = await sendMessage(owner, id, 'The beginning')
  const other = await makeApplication(server, org, { principal: owner })
  const grant = { params: { id, applicationId: other.id } }
  await Promise.all(
    Array.from({ length: 12 }, async (_, round) => {
      // replies update the row of the message that is edited
      await Promise.all([
        sendMessage(member, id, { content: `Reply ${round}`, parentMessageId: rootId }),
        owner.call(editMessage, { params: { messageId: rootId }, body: { content: `Edited ${round}` } }),
        owner.call(updateChannel, { params, body: { name: `Name ${round}` } }),
        app.client.call(publishMessage, { params: { channelId: id }, body: { content: `App ${round}` } }),
      ])
    }),
  )
  await owner.call(putGrant, { ...grant, body: { capabilities: [] } })
  const events = await sequences(id)
  const [{ deadlocks } = {}] = await server.sql(
    'select deadlocks from pg_stat_database where datname = current_database()',
  )
  expect(deadlocks).toBe(0)
  expect(events).toHaveLength(2 + 4 * 12 + 1)
  expect(events.map(([, sequence]) => sequence)).toEqual(events.map((_, at) => at + 1))
})
