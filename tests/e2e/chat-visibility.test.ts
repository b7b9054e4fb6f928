import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { approveAgent } from '#contract/chat/agents.ts'
import {
  addAppChannelMember,
  archiveAppChannel,
  createAppChannel,
  listAppChannels,
  readAppChannel,
  updateAppChannel,
} from '#contract/chat/application-channels.ts'
import { listAppMessages, publishMessage, readAppMessage } from '#contract/chat/application-messages.ts'
import { putGrant, revokeGrant } from '#contract/chat/grants.ts'
import { deleteMessage, editMessage } from '#contract/chat/messages.ts'
import { channelKinds, grantCapabilities } from '#contract/chat/shapes.ts'
import { removeMember } from '#contract/identity/organization.ts'
import { removeApplication } from '#contract/integrations/applications.ts'
import { listOwnDeliveries, readDelivery, retryDelivery } from '#contract/integrations/deliveries.ts'
import { recoverDeliveries, replayEvents } from '#contract/integrations/recoveries.ts'
import { holdWebhook, resumeWebhook, setWebhook } from '#contract/integrations/webhook.ts'
import { limits } from '#contract/limits.ts'
import { newId } from '#platform/ids.ts'
import { fewestShards, shardOf } from '#server/integrations/webhooks/shards/shard.ts'
import { propose, reportExecution } from '#tests/support/chat/agents.ts'
import { createTestChannel, insertTestGrant, sendMessage } from '#tests/support/chat/chat.ts'
import { defined, exactly, firstOf, itemAt } from '#tests/support/elements.ts'
import { makeApplication, type TestApplication } from '#tests/support/integrations/applications.ts'
import type { ReceivedWebhook } from '#tests/support/integrations/receiver.ts'
import { openWebhookFixtures, type WebhookFixtures } from '#tests/support/integrations/webhook-fixtures.ts'
import { untilDelivered } from '#tests/support/integrations/webhooks.ts'
import { until } from '#tests/support/processes.ts'
import { plantUsed } from '#tests/support/rates.ts'
import { insertRows } from '#tests/support/rows.ts'
import type { Person } from '#tests/support/test-server.ts'

/** No application receives or reads a message without access. */

const messageEvents = [
  'CHAT_MESSAGE_CREATED',
  'CHAT_MESSAGE_UPDATED',
  'CHAT_MESSAGE_DELETED',
  'CHAT_APP_MENTIONED',
]
const channelEvents = [
  'CHAT_CHANNEL_CREATED',
  'CHAT_CHANNEL_UPDATED',
  'CHAT_CHANNEL_ARCHIVED',
  'CHAT_MEMBER_ADDED',
  'CHAT_MEMBER_REMOVED',
]
const executedEvent = 'CHAT_AGENT_TASK_EXECUTED'

let { server, org, receiver } = {} as WebhookFixtures
let administrator: Person
let owner: Person
beforeAll(async () => {
  ;({ server, org, receiver } = await openWebhookFixtures())
  administrator = await org.person({ role: 'OWNER', name: 'Boss' })
  owner = await org.person({ role: 'ADMIN', name: 'Owner' })
})
afterAll(() => Promise.all([server?.close(), receiver?.close()]))

type SubscribedApplication = TestApplication & { path: string }

/** An application that subscribes to all chat events. */
async function subscribedApplication(
  events = [...messageEvents, ...channelEvents, executedEvent],
): Promise<SubscribedApplication> {
  const app = await makeApplication(server, org, {
    principal: administrator,
    scopes: [
      'chat:events:subscribe',
      'chat:messages:view',
      'chat:messages:send',
      'chat:channels:create',
      'chat:channels:manage',
      'chat:members:manage',
      'chat:agents:manage',
    ],
  })
  const path = `/${app.id}`
  await administrator.call(setWebhook, {
    params: { id: app.id },
    body: { url: `${receiver.url}${path}`, events },
  })
  return { ...app, path }
}

const receivedBy = ({ path }: SubscribedApplication) =>
  receiver.received.filter(notice => notice.path === path)
const eventNames = (notices: readonly ReceivedWebhook[]) =>
  notices.map(({ body }) => {
    const { event, data } = JSON.parse(body) as { event: string; data: { messageId?: string } }
    return data.messageId ? `${event} ${data.messageId}` : event
  })
const deliveries = ({ id }: SubscribedApplication) =>
  server.sql<{ id: string; event: string; status: string; attempts: number }>(
    'select id, event, status, attempts from webhook_delivery where application_id = $1 order by id',
    [id],
  )
const statuses = async (app: SubscribedApplication) => (await deliveries(app)).map(({ status }) => status)

describe('who receives and who reads', () => {
  const visibilities = ['VISIBLE', 'INTERNAL', 'PRIVATE', 'AI'] as const
  const states = [
    'active',
    'none',
    'revoked',
    'taken out',
    'grantor left',
    'grantor may not',
    'grantor not in it',
    'administrator not in it',
    'elsewhere',
    'another organization',
  ] as const
  type State = (typeof states)[number]
  let apps: Record<State, SubscribedApplication>
  let leaver: Person
  let mute: Person
  let absent: Person
  const channels: Record<string, string> = {}

  beforeAll(async () => {
    ;[leaver, mute, absent] = await Promise.all([
      org.person(),
      org.person({ permissions: ['CHAT_CHANNELS_EDIT', 'CHAT_APPLICATIONS_MANAGE'] }),
      org.person(),
    ])
    const entries = await Promise.all(
      states.map(async state => [state, await subscribedApplication()] as const),
    )
    apps = Object.fromEntries(entries) as Record<State, SubscribedApplication>
    const foreign = await server.organization()
    apps['another organization'] = {
      ...(await makeApplication(server, foreign, {
        scopes: ['chat:messages:view', 'chat:events:subscribe'],
      })),
      path: '/foreign',
    }
    for (const kind of channelKinds) channels[kind] = await createChannelWithStates(kind)
    await administrator.call(removeMember, { params: { personId: leaver.id } })
    await untilDelivered(server)
  })

  /** A channel with an application in each state. */
  async function createChannelWithStates(kind: string): Promise<string> {
    const type = kind === 'GROUP' ? 'GROUP' : 'CHANNEL'
    const { id } = await createTestChannel(owner, { type, memberIds: [leaver.id, mute.id] })
    const other = await createTestChannel(owner)
    await insertTestGrant(server, other.id, apps.elsewhere, owner)
    const grants = {
      active: owner,
      revoked: owner,
      'taken out': owner,
      'grantor left': leaver,
      'grantor may not': mute,
      'grantor not in it': absent,
      'administrator not in it': administrator,
    }
    for (const [state, by] of Object.entries(grants))
      await insertTestGrant(server, id, apps[state as State], by)
    await owner.call(revokeGrant, { params: { id, applicationId: apps.revoked.id } })
    await server.sql(
      'update chat_grant set is_member = false where channel_id = $1 and application_id = $2',
      [id, apps['taken out'].id],
    )
    if (kind === 'CUSTOMER_PORTAL' || kind === 'DIRECT') {
      await server.sql(
        `update chat_channel set kind = $2, direct_key = case $2 when 'DIRECT' then id end,
           name = case $2 when 'DIRECT' then null else name end where id = $1`,
        [id, kind],
      )
    }
    return id
  }

  it.each(channelKinds)('in a channel of the kind %s', async kind => {
    const channelId = defined(channels[kind])
    const before = Object.fromEntries(states.map(state => [state, receivedBy(apps[state]).length]))
    const mention = states.map(state => `<@${apps[state].id}>`).join(' ')
    const expected: string[] = []
    const ids: Record<string, string> = {}
    for (const visibility of visibilities) {
      const options = visibility === 'AI' ? { aiReply: true } : { visibility }
      const { id } = await sendMessage(owner, channelId, { content: `For you: ${mention}`, ...options })
      ids[visibility] = id
      await untilDelivered(server)
      await owner.call(editMessage, { params: { messageId: id }, body: { content: `Again: ${mention}` } })
      await untilDelivered(server)
      if (visibility === 'VISIBLE') {
        const names = ['CHAT_MESSAGE_CREATED', 'CHAT_APP_MENTIONED', 'CHAT_MESSAGE_UPDATED']
        expected.push(...names.map(name => `${name} ${id}`))
      }
    }
    await expectReads(channelId, ids)
    for (const id of Object.values(ids)) {
      await owner.call(deleteMessage, { params: { messageId: id } })
      await untilDelivered(server)
    }
    expected.push(`CHAT_MESSAGE_DELETED ${ids.VISIBLE}`)

    for (const state of states) {
      const events = eventNames(receivedBy(apps[state]).slice(before[state]))
      expect([state, events.sort()]).toEqual([state, state === 'active' ? expected.sort() : []])
    }
  })

  /** The messages that each application can read. */
  async function expectReads(channelId: string, ids: Record<string, string>): Promise<void> {
    const read = (app: TestApplication, messageId: string) =>
      app.client.send(readAppMessage, { params: { messageId } })
    const unknown = (await read(apps.active, newId())).text
    const noChannel = (await apps.active.client.send(readAppChannel, { params: { channelId: newId() } })).text
    for (const state of states) {
      // another organization with the module
      const app = apps[state]
      for (const visibility of visibilities) {
        const { status, text } = await read(app, defined(ids[visibility]))
        const isReadable = state === 'active' && visibility === 'VISIBLE'
        expect([state, visibility, status, isReadable || text]).toEqual([
          state,
          visibility,
          isReadable ? 200 : 404,
          isReadable || unknown,
        ])
      }
      const params = { channelId }
      const [one, list, all] = await Promise.all([
        app.client.send(readAppChannel, { params }),
        app.client.send(listAppMessages, { params }),
        app.client.call(listAppChannels, {}),
      ])
      const hasAccess = state === 'active'
      expect([state, one.status, list.status]).toEqual([state, ...(hasAccess ? [200, 200] : [404, 404])])
      expect(all.items.some(({ id }) => id === channelId)).toBe(hasAccess)
      if (hasAccess) expect(list.body.items.map(({ id }) => id)).toEqual([ids.VISIBLE])
      else expect([one.text, list.text]).toEqual([noChannel, noChannel])
    }
  }

  it('no delivery is written for applications without access', async () => {
    for (const state of states) {
      const rows = await deliveries(apps[state])
      const ofMessages = rows.filter(({ event }) => messageEvents.includes(event))
      expect([state, ofMessages.length]).toEqual([state, state === 'active' ? 4 * channelKinds.length : 0])
      expect(ofMessages.every(({ status }) => status === 'DELIVERED')).toBe(true)
    }
  })

  it.each(['creator', 'neighbour'] as const)(
    'executions of an agent go to applications in the channel, also to its %s',
    async role => {
      const channelId = defined(channels.GROUP)
      const creator = role === 'creator' ? apps.active : await subscribedApplication()
      if (role === 'neighbour') await insertTestGrant(server, channelId, creator, owner)
      const agentId = await agentOf(creator, channelId)
      const before = Object.fromEntries(states.map(state => [state, receivedBy(apps[state]).length]))
      expect((await reportExecution(creator, agentId)).status).toBe(201)
      await untilDelivered(server)
      for (const state of states)
        expect([state, eventNames(receivedBy(apps[state]).slice(before[state]))]).toEqual([
          state,
          state === 'active' ? [executedEvent] : [],
        ])
      expect(eventNames(receivedBy(creator)).filter(name => name === executedEvent).length).toBeGreaterThan(0)
    },
  )

  it('a creator without access can neither report executions of an agent nor receive them', async () => {
    const channelId = (await createTestChannel(owner)).id
    // an event of the channel that is relayed after the grants would go to these applications, too
    await untilDelivered(server)
    const [creator, other] = [await subscribedApplication(), await subscribedApplication()]
    for (const app of [creator, other]) await insertTestGrant(server, channelId, app, owner)
    const agentId = await agentOf(creator, channelId)
    const params = { id: creator.id }
    await administrator.call(holdWebhook, { params })
    expect((await reportExecution(creator, agentId)).status).toBe(201)
    await untilDelivered(server)
    expect(await statuses(creator)).toEqual(['PENDING'])
    await owner.call(revokeGrant, { params: { id: channelId, applicationId: creator.id } })
    expect(await reportExecution(creator, agentId)).toMatchObject({
      status: 404,
      body: { errorCode: 'CHANNEL_NOT_FOUND' },
    })
    await administrator.call(resumeWebhook, { params })
    await untilDelivered(server)
    expect([await statuses(creator), receivedBy(creator)]).toEqual([['NOT_AUTHORIZED'], []])
    expect(eventNames(receivedBy(other))).toEqual([executedEvent, 'CHAT_MEMBER_REMOVED'])
  })

  /** An active agent of the application. */
  async function agentOf(source: TestApplication, channelId: string): Promise<string> {
    const { id } = await propose({ source, channelId })
    await owner.call(approveAgent, { params: { agentId: id } })
    return id
  }

  it('channel events go to applications with access', async () => {
    const channelId = defined(channels.CHANNEL)
    const before = Object.fromEntries(states.map(state => [state, receivedBy(apps[state]).length]))
    await insertTestGrant(server, channelId, apps.none, owner)
    await server.sql(
      'update chat_grant set revoked_at = now() where channel_id = $1 and application_id = $2',
      [channelId, apps.none.id],
    )
    const params = { channelId }
    const renamed = apps.active.client.call(updateAppChannel, { params, body: { name: 'Renamed' } })
    expect((await renamed).name).toBe('Renamed')
    const grant = { id: channelId, applicationId: apps.none.id }
    await owner.call(putGrant, { params: grant, body: { capabilities: [] } })
    await owner.call(revokeGrant, { params: grant })
    await apps.active.client.call(archiveAppChannel, { params })
    // it receives the event of a channel that it creates, because it has access
    await apps.active.client.call(createAppChannel, { body: { name: 'Its own' } })
    await untilDelivered(server)
    for (const state of states)
      expect([state, eventNames(receivedBy(apps[state]).slice(before[state])).sort()]).toEqual([
        state,
        state === 'active' ? channelEvents.toSorted() : [],
      ])
  })
})

describe('access at delivery', () => {
  let app: SubscribedApplication
  let channelId: string
  const grant = { capabilities: [...grantCapabilities] }
  async function prepareChannel() {
    app = await subscribedApplication(messageEvents)
    channelId = (await createTestChannel(owner)).id
    await owner.call(putGrant, { params: { id: channelId, applicationId: app.id }, body: grant })
  }
  const revoke = () => owner.call(revokeGrant, { params: { id: channelId, applicationId: app.id } })
  const id = () => ({ params: { id: app.id } })
  const waitForStatuses = (expected: string[]) =>
    until(`deliveries are ${expected}`, async () => (await statuses(app)).sort().join() === expected.join())
  const accessLosses: [string, () => Promise<unknown>][] = [
    ['the grant is revoked', () => revoke()],
    [
      'the application is removed from the channel',
      () =>
        owner.call(putGrant, {
          params: { id: channelId, applicationId: app.id },
          body: { ...grant, isMember: false },
        }),
    ],
    [
      'its grantor has left the organization',
      () => server.sql('update membership set removed_at = now() where person_id = $1', [owner.id]),
    ],
    [
      'the message becomes internal',
      async () => {
        const [{ id: messageId }] = (await server.sql<{ id: string }>(
          'select id from chat_message where channel_id = $1',
          [channelId],
        )) as [{ id: string }]
        await server.sql(`update chat_message set visibility = 'INTERNAL' where id = $1`, [messageId])
      },
    ],
    [
      'the message is deleted',
      () => server.sql('update chat_message set deleted_at = now() where channel_id = $1', [channelId]),
    ],
  ]
  const restoreAccess = () =>
    server.sql('update membership set removed_at = null where person_id = $1', [owner.id])

  it.each(accessLosses)('before the first attempt %s', async (_, end) => {
    await prepareChannel()
    await administrator.call(holdWebhook, id())
    await sendMessage(owner, channelId)
    await server.relayed()
    expect(await statuses(app)).toEqual(['PENDING'])
    await end()
    await administrator.call(resumeWebhook, id())
    await waitForStatuses(['NOT_AUTHORIZED'])
    await restoreAccess()
    expect(await deliveries(app)).toMatchObject([{ status: 'NOT_AUTHORIZED', attempts: 0 }])
    expect(receivedBy(app)).toEqual([])
    for (const table of ['webhook_due', 'webhook_new_range'])
      expect(await server.sql(`select 1 from ${table} where application_id = $1`, [app.id])).toEqual([])
  })

  it('between two attempts the grant is revoked', async () => {
    await prepareChannel()
    receiver.replyWith(500, app.path)
    await sendMessage(owner, channelId)
    await receiver.waitFor(1, app.path)
    await revoke()
    await waitForStatuses(['NOT_AUTHORIZED'])
    expect(receivedBy(app)).toHaveLength(1)
    // the result of the last attempt stays
    const refused = firstOf(await deliveries(app))
    const params = { id: app.id, deliveryId: refused.id }
    expect(await administrator.call(readDelivery, { params })).toMatchObject({
      status: 'NOT_AUTHORIZED',
      attempts: 1,
      outcome: 'HTTP_STATUS',
      lastStatus: 500,
    })
  })

  it('between two attempts the message becomes internal: only the deletion is delivered', async () => {
    await prepareChannel()
    receiver.replyWith(
      (notice: ReceivedWebhook) => (notice.event === 'CHAT_MESSAGE_CREATED' ? 500 : 204),
      app.path,
    )
    const { id: messageId } = await sendMessage(owner, channelId)
    await receiver.waitFor(1, app.path)
    await owner.call(editMessage, { params: { messageId }, body: { visibility: 'INTERNAL' } })
    await waitForStatuses(['DELIVERED', 'NOT_AUTHORIZED'])
    expect(eventNames(receivedBy(app))).toEqual([
      `CHAT_MESSAGE_CREATED ${messageId}`,
      `CHAT_MESSAGE_DELETED ${messageId}`,
    ])
  })

  it('before a manual retry; delivered events stay delivered', async () => {
    await prepareChannel()
    await sendMessage(owner, channelId)
    await waitForStatuses(['DELIVERED'])
    receiver.replyWith(400, app.path)
    await sendMessage(owner, channelId)
    await waitForStatuses(['DELIVERED', 'FAILED'])
    await revoke()
    receiver.replyWith(204, app.path)
    const [delivered, failed] = exactly(2, await deliveries(app))
    for (const { id: deliveryId } of [delivered, failed])
      expect(await administrator.send(retryDelivery, { params: { id: app.id, deliveryId } })).toMatchObject({
        status: 409,
        body: { errorCode: 'DELIVERY_NOT_AUTHORIZED', message: expect.stringContaining('grant') },
      })
    expect(await statuses(app)).toEqual(['DELIVERED', 'FAILED'])
    // the grant may be revoked after the retry was accepted
    await insertRows(
      server,
      'webhook_due',
      [delivered, failed].map(({ id: deliveryId }) => ({
        shard: shardOf(app.id, fewestShards),
        application_id: app.id,
        delivery_id: deliveryId,
        organization_key: app.organizationId,
        attempt: 2,
        trigger: 'MANUAL',
      })),
    )
    await untilDelivered(server)
    expect(await statuses(app)).toEqual(['DELIVERED', 'NOT_AUTHORIZED'])
    expect(receivedBy(app)).toHaveLength(2)
    for (const [{ id: deliveryId }, lastStatus] of [[delivered, 204] as const, [failed, 400] as const])
      expect(await administrator.call(readDelivery, { params: { id: app.id, deliveryId } })).toMatchObject({
        lastStatus,
      })
    // with a new grant it is delivered
    await owner.call(putGrant, { params: { id: channelId, applicationId: app.id }, body: grant })
    await administrator.call(retryDelivery, { params: { id: app.id, deliveryId: failed.id } })
    await waitForStatuses(['DELIVERED', 'DELIVERED'])
  })

  it('before a bulk recovery; with a new grant nothing is lost', async () => {
    await prepareChannel()
    receiver.replyWith(400, app.path)
    for (let n = 0; n < 5; n++) await sendMessage(owner, channelId)
    await waitForStatuses(Array(5).fill('FAILED'))
    await revoke()
    receiver.replyWith(204, app.path)
    const since = new Date(Date.now() - 60_000).toISOString()
    const recover = (status: 'FAILED' | 'NOT_AUTHORIZED') =>
      administrator.call(recoverDeliveries, { ...id(), body: { since, status, perSecond: 100 } })
    expect((await recover('FAILED')).count).toBe(5)
    await waitForStatuses(Array(5).fill('NOT_AUTHORIZED'))
    expect(receivedBy(app)).toHaveLength(5)
    await owner.call(putGrant, { params: { id: channelId, applicationId: app.id }, body: grant })
    expect((await recover('NOT_AUTHORIZED')).count).toBe(5)
    await waitForStatuses(Array(5).fill('DELIVERED'))
    expect(receivedBy(app)).toHaveLength(10)
  })

  it('a replay delivers events by the current access', async () => {
    await prepareChannel()
    const late = await subscribedApplication([])
    await sendMessage(owner, channelId)
    await sendMessage(owner, channelId, { visibility: 'INTERNAL' })
    const deletedMessage = await sendMessage(owner, channelId)
    await untilDelivered(server)
    await owner.call(deleteMessage, { params: { messageId: deletedMessage.id } })
    await untilDelivered(server)
    const body = { url: `${receiver.url}${late.path}`, events: messageEvents }
    await administrator.call(setWebhook, { params: { id: late.id }, body })
    const since = new Date(Date.now() - 60_000).toISOString()
    const replay = () =>
      administrator.call(replayEvents, { params: { id: late.id }, body: { since, perSecond: 100 } })
    expect((await replay()).count).toBe(0)
    await owner.call(putGrant, { params: { id: channelId, applicationId: late.id }, body: grant })
    expect((await replay()).count).toBe(2)
    await untilDelivered(server)
    expect(receivedBy(late).map(({ event }) => event)).toEqual([
      'CHAT_MESSAGE_CREATED',
      'CHAT_MESSAGE_DELETED',
    ])
  })

  it('pulled deliveries follow the current access', async () => {
    await prepareChannel()
    const visibleMessage = await sendMessage(owner, channelId)
    const hidden = await sendMessage(owner, channelId)
    await untilDelivered(server)
    const pull = async () => {
      const { items } = await app.client.call(listOwnDeliveries, {})
      return items.map(({ body }) => (body as { data: { messageId: string } }).data.messageId)
    }
    await until('they can be pulled', async () => (await pull()).length === 2)
    await owner.call(editMessage, { params: { messageId: hidden.id }, body: { visibility: 'INTERNAL' } })
    expect(await pull()).toEqual([visibleMessage.id])
    await revoke()
    expect(await pull()).toEqual([])
  })

  it('a deleted application receives and reads nothing more', async () => {
    await prepareChannel()
    await administrator.call(removeApplication, { params: { id: app.id } })
    await sendMessage(owner, channelId)
    await untilDelivered(server)
    expect(receivedBy(app)).toEqual([])
    const answer = await app.client.send(readAppChannel, { params: { channelId } })
    expect(answer.status).toBe(401)
  })
})

describe('loops', () => {
  it('an application receives no events of its own messages, but of its own channel changes', async () => {
    const [one, other] = [await subscribedApplication(), await subscribedApplication()]
    const { id } = await createTestChannel(owner)
    for (const app of [one, other])
      await owner.call(putGrant, {
        params: { id, applicationId: app.id },
        body: { capabilities: [...grantCapabilities] },
      })
    await untilDelivered(server)
    const before = [receivedBy(one).length, receivedBy(other).length]
    await one.client.call(publishMessage, {
      params: { channelId: id },
      body: { content: `<@${one.id}> talks to <@${other.id}>` },
    })
    await one.client.call(updateAppChannel, { params: { channelId: id }, body: { description: 'New' } })
    await one.client.call(addAppChannelMember, {
      params: { channelId: id },
      body: { userId: administrator.id },
    })
    await untilDelivered(server)
    const names = (app: SubscribedApplication, from: number) =>
      receivedBy(app)
        .slice(from)
        .map(({ event }) => event)
    expect(names(one, firstOf(before))).toEqual(['CHAT_CHANNEL_UPDATED'])
    expect(names(other, itemAt(before, 1)).sort()).toEqual([
      'CHAT_APP_MENTIONED',
      'CHAT_CHANNEL_UPDATED',
      'CHAT_MESSAGE_CREATED',
    ])
  })

  it('two applications that answer each other stop at their hourly limit', async () => {
    const apps = [
      await subscribedApplication(['CHAT_MESSAGE_CREATED']),
      await subscribedApplication(['CHAT_MESSAGE_CREATED']),
    ]
    const { id: channelId } = await createTestChannel(owner)
    const refused: number[] = []
    for (const app of apps) {
      await owner.call(putGrant, {
        params: { id: channelId, applicationId: app.id },
        body: { capabilities: [] },
      })
      // all but ten of the hour are used
      await plantUsed(server, {
        bucket: 'chat-messages',
        caller: `${org.id}/${app.id}`,
        used: limits.messagesPerHour - 10,
        windowSeconds: 3_600,
      })
      receiver.replyWith((response, _notice) => {
        response.writeHead(204).end()
        void app.client
          .send(publishMessage, { params: { channelId }, body: { content: 'I answer everything' } })
          .then(({ status }) => status !== 201 && refused.push(status))
      }, app.path)
    }
    await sendMessage(owner, channelId, 'Who begins?')
    await until('both were refused', () => refused.length >= 2)
    await untilDelivered(server)
    const rows = await server.sql<{ author_id: string; n: number }>(
      'select author_id, count(*)::int as n from chat_message where channel_id = $1 group by 1',
      [channelId],
    )
    expect(rows.sort((a, b) => b.n - a.n).map(({ n }) => n)).toEqual([10, 10, 1])
    expect(new Set(refused)).toEqual(new Set([429]))
    for (const app of apps) expect(receivedBy(app).length).toBeLessThanOrEqual(11)
  })
})
