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
import { propose, report } from '#tests/support/chat/agents.ts'
import { makeChannel, plantGrant, say } from '#tests/support/chat/chat.ts'
import { makeApplication, type TestApplication } from '#tests/support/integrations/applications.ts'
import type { ReceivedWebhook } from '#tests/support/integrations/receiver.ts'
import { openWebhookFixtures, type WebhookFixtures } from '#tests/support/integrations/webhook-fixtures.ts'
import { until } from '#tests/support/processes.ts'
import type { Person } from '#tests/support/test-server.ts'

/** Chat: no application receives or reads a message that is not for it. */

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
const executed = 'CHAT_AGENT_TASK_EXECUTED'

let { server, org, receiver } = {} as WebhookFixtures
let boss: Person
let owner: Person
beforeAll(async () => {
  ;({ server, org, receiver } = await openWebhookFixtures())
  boss = await org.person({ role: 'OWNER', name: 'Boss' })
  owner = await org.person({ role: 'ADMIN', name: 'Owner' })
})
afterAll(() => Promise.all([server?.close(), receiver?.close()]))

type Hooked = TestApplication & { path: string }

/** An application that asks to be told everything of chat. */
async function hooked(events = [...messageEvents, ...channelEvents, executed]): Promise<Hooked> {
  const app = await makeApplication(server, org, {
    principal: boss,
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
  await boss.call(setWebhook, { params: { id: app.id }, body: { url: `${receiver.url}${path}`, events } })
  return { ...app, path }
}

const got = ({ path }: Hooked) => receiver.received.filter(notice => notice.path === path)
const tellings = (notices: readonly ReceivedWebhook[]) =>
  notices.map(({ body }) => {
    const { event, data } = JSON.parse(body) as { event: string; data: { messageId?: string } }
    return data.messageId ? `${event} ${data.messageId}` : event
  })
const deliveries = ({ id }: Hooked) =>
  server.sql<{ id: string; event: string; status: string; attempts: number }>(
    'select id, event, status, attempts from webhook_delivery where application_id = $1 order by id',
    [id],
  )
const statuses = async (app: Hooked) => (await deliveries(app)).map(({ status }) => status)
/** Everything that was said until now has been told, or never will be. */
async function settled(): Promise<void> {
  await server.relayed()
  await until('nothing is due', async () => {
    const due = `select 1 from webhook_endpoint e where e.status = 'ACTIVE' and (
      exists (select from webhook_due d where d.application_id = e.application_id)
      or exists (select from webhook_new_range f where f.application_id = e.application_id)) limit 1`
    return (await server.sql(due)).length === 0
  })
}

describe('who is told and who reads', () => {
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
  let apps: Record<State, Hooked>
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
    const made = await Promise.all(states.map(async state => [state, await hooked()] as const))
    apps = Object.fromEntries(made) as Record<State, Hooked>
    const foreign = await server.organization()
    apps['another organization'] = {
      ...(await makeApplication(server, foreign, {
        scopes: ['chat:messages:view', 'chat:events:subscribe'],
      })),
      path: '/foreign',
    }
    for (const kind of channelKinds) channels[kind] = await makeStates(kind)
    await boss.call(removeMember, { params: { personId: leaver.id } })
    await settled()
  })

  /** A channel in which each application is as its name says. */
  async function makeStates(kind: string): Promise<string> {
    const type = kind === 'GROUP' ? 'GROUP' : 'CHANNEL'
    const { id } = await makeChannel(owner, { type, memberIds: [leaver.id, mute.id] })
    const other = await makeChannel(owner)
    await plantGrant(server, other.id, apps.elsewhere, owner)
    const grants = {
      active: owner,
      revoked: owner,
      'taken out': owner,
      'grantor left': leaver,
      'grantor may not': mute,
      'grantor not in it': absent,
      'administrator not in it': boss,
    }
    for (const [state, by] of Object.entries(grants)) await plantGrant(server, id, apps[state as State], by)
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
    const channelId = channels[kind]!
    const before = Object.fromEntries(states.map(state => [state, got(apps[state]).length]))
    const mention = states.map(state => `<@${apps[state].id}>`).join(' ')
    const expected: string[] = []
    const ids: Record<string, string> = {}
    for (const visibility of visibilities) {
      const how = visibility === 'AI' ? { aiReply: true } : { visibility }
      const { id } = await say(owner, channelId, { content: `For you: ${mention}`, ...how })
      ids[visibility] = id
      await settled()
      await owner.call(editMessage, { params: { messageId: id }, body: { content: `Again: ${mention}` } })
      await settled()
      if (visibility === 'VISIBLE') {
        const names = ['CHAT_MESSAGE_CREATED', 'CHAT_APP_MENTIONED', 'CHAT_MESSAGE_UPDATED']
        expected.push(...names.map(name => `${name} ${id}`))
      }
    }
    await readsAll(channelId, ids)
    for (const id of Object.values(ids)) {
      await owner.call(deleteMessage, { params: { messageId: id } })
      await settled()
    }
    expected.push(`CHAT_MESSAGE_DELETED ${ids.VISIBLE}`)

    for (const state of states) {
      const told = tellings(got(apps[state]).slice(before[state]))
      expect([state, told.sort()]).toEqual([state, state === 'active' ? expected.sort() : []])
    }
  })

  /** What each of them reads. */
  async function readsAll(channelId: string, ids: Record<string, string>): Promise<void> {
    const read = (app: TestApplication, messageId: string) =>
      app.client.send(readAppMessage, { params: { messageId } })
    const unknown = (await read(apps.active, newId())).text
    const noChannel = (await apps.active.client.send(readAppChannel, { params: { channelId: newId() } })).text
    for (const state of states) {
      // its organization has the module, and nothing of this one
      const app = apps[state]
      for (const visibility of visibilities) {
        const { status, text } = await read(app, ids[visibility]!)
        const isSeen = state === 'active' && visibility === 'VISIBLE'
        expect([state, visibility, status, isSeen || text]).toEqual([
          state,
          visibility,
          isSeen ? 200 : 404,
          isSeen || unknown,
        ])
      }
      const params = { channelId }
      const [one, list, all] = await Promise.all([
        app.client.send(readAppChannel, { params }),
        app.client.send(listAppMessages, { params }),
        app.client.call(listAppChannels, {}),
      ])
      const isIn = state === 'active'
      expect([state, one.status, list.status]).toEqual([state, ...(isIn ? [200, 200] : [404, 404])])
      expect(all.items.some(({ id }) => id === channelId)).toBe(isIn)
      if (isIn) expect(list.body.items.map(({ id }) => id)).toEqual([ids.VISIBLE])
      else expect([one.text, list.text]).toEqual([noChannel, noChannel])
    }
  }

  it('nothing was even written for those who may not be told', async () => {
    for (const state of states) {
      const rows = await deliveries(apps[state])
      const ofMessages = rows.filter(({ event }) => messageEvents.includes(event))
      expect([state, ofMessages.length]).toEqual([state, state === 'active' ? 4 * channelKinds.length : 0])
      expect(ofMessages.every(({ status }) => status === 'DELIVERED')).toBe(true)
    }
  })

  it.each(['creator', 'neighbour'] as const)(
    'what an agent did is told to those who are in the channel, be they its %s',
    async whose => {
      const channelId = channels.GROUP!
      const creator = whose === 'creator' ? apps.active : await hooked()
      if (whose === 'neighbour') await plantGrant(server, channelId, creator, owner)
      const agentId = await agentOf(creator, channelId)
      const before = Object.fromEntries(states.map(state => [state, got(apps[state]).length]))
      expect((await report(creator, agentId)).status).toBe(201)
      await settled()
      for (const state of states)
        expect([state, tellings(got(apps[state]).slice(before[state]))]).toEqual([
          state,
          state === 'active' ? [executed] : [],
        ])
      expect(tellings(got(creator)).filter(name => name === executed).length).toBeGreaterThan(0)
    },
  )

  it('what an agent did is not told by a creator who has no access any more, nor to them', async () => {
    const channelId = (await makeChannel(owner)).id
    const [creator, other] = [await hooked(), await hooked()]
    for (const app of [creator, other]) await plantGrant(server, channelId, app, owner)
    const agentId = await agentOf(creator, channelId)
    const params = { id: creator.id }
    await boss.call(holdWebhook, { params })
    expect((await report(creator, agentId)).status).toBe(201)
    await settled()
    expect(await statuses(creator)).toEqual(['PENDING'])
    await owner.call(revokeGrant, { params: { id: channelId, applicationId: creator.id } })
    expect(await report(creator, agentId)).toMatchObject({
      status: 404,
      body: { errorCode: 'CHANNEL_NOT_FOUND' },
    })
    await boss.call(resumeWebhook, { params })
    await settled()
    expect([await statuses(creator), got(creator)]).toEqual([['NOT_AUTHORIZED'], []])
    expect(tellings(got(other))).toEqual([executed, 'CHAT_MEMBER_REMOVED'])
  })

  /** An agent of the application that may work. */
  async function agentOf(source: TestApplication, channelId: string): Promise<string> {
    const { id } = await propose({ source, channelId })
    await owner.call(approveAgent, { params: { agentId: id } })
    return id
  }

  it('what happens to the channel is told to those who are in it', async () => {
    const channelId = channels.CHANNEL!
    const before = Object.fromEntries(states.map(state => [state, got(apps[state]).length]))
    await plantGrant(server, channelId, apps.none, owner)
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
    // it is told of a channel that it makes, because it is in it
    await apps.active.client.call(createAppChannel, { body: { name: 'Its own' } })
    await settled()
    for (const state of states)
      expect([state, tellings(got(apps[state]).slice(before[state])).sort()]).toEqual([
        state,
        state === 'active' ? channelEvents.toSorted() : [],
      ])
  })
})

describe('access at delivery', () => {
  let app: Hooked
  let channelId: string
  const grant = { capabilities: [...grantCapabilities] }
  async function prepared() {
    app = await hooked(messageEvents)
    channelId = (await makeChannel(owner)).id
    await owner.call(putGrant, { params: { id: channelId, applicationId: app.id }, body: grant })
  }
  const revoke = () => owner.call(revokeGrant, { params: { id: channelId, applicationId: app.id } })
  const id = () => ({ params: { id: app.id } })
  const ends = (wanted: string[]) =>
    until(`deliveries are ${wanted}`, async () => (await statuses(app)).sort().join() === wanted.join())
  const ending: [string, () => Promise<unknown>][] = [
    ['the grant is revoked', () => revoke()],
    [
      'it is taken out of the channel',
      () =>
        owner.call(putGrant, {
          params: { id: channelId, applicationId: app.id },
          body: { ...grant, isMember: false },
        }),
    ],
    [
      'its grantor is not in the organization any more',
      () => server.sql('update membership set removed_at = now() where person_id = $1', [owner.id]),
    ],
    [
      'the message turns internal',
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
  const restored = () =>
    server.sql('update membership set removed_at = null where person_id = $1', [owner.id])

  it.each(ending)('before the first attempt %s', async (_, end) => {
    await prepared()
    await boss.call(holdWebhook, id())
    await say(owner, channelId)
    await server.relayed()
    expect(await statuses(app)).toEqual(['PENDING'])
    await end()
    await boss.call(resumeWebhook, id())
    await ends(['NOT_AUTHORIZED'])
    await restored()
    expect(await deliveries(app)).toMatchObject([{ status: 'NOT_AUTHORIZED', attempts: 0 }])
    expect(got(app)).toEqual([])
    for (const table of ['webhook_due', 'webhook_new_range'])
      expect(await server.sql(`select 1 from ${table} where application_id = $1`, [app.id])).toEqual([])
  })

  it('between two attempts the grant is revoked', async () => {
    await prepared()
    receiver.replyWith(500, app.path)
    await say(owner, channelId)
    await receiver.waitFor(1, app.path)
    await revoke()
    await ends(['NOT_AUTHORIZED'])
    expect(got(app)).toHaveLength(1)
    // it keeps what came of its last attempt
    const [refused] = await deliveries(app)
    const params = { id: app.id, deliveryId: refused!.id }
    expect(await boss.call(readDelivery, { params })).toMatchObject({
      status: 'NOT_AUTHORIZED',
      attempts: 1,
      outcome: 'HTTP_STATUS',
      lastStatus: 500,
    })
  })

  it('between two attempts the message turns internal: only that is told', async () => {
    await prepared()
    receiver.replyWith(
      (notice: ReceivedWebhook) => (notice.event === 'CHAT_MESSAGE_CREATED' ? 500 : 204),
      app.path,
    )
    const { id: messageId } = await say(owner, channelId)
    await receiver.waitFor(1, app.path)
    await owner.call(editMessage, { params: { messageId }, body: { visibility: 'INTERNAL' } })
    await ends(['DELIVERED', 'NOT_AUTHORIZED'])
    expect(tellings(got(app))).toEqual([
      `CHAT_MESSAGE_CREATED ${messageId}`,
      `CHAT_MESSAGE_DELETED ${messageId}`,
    ])
  })

  it('before a manual retry; what was delivered stays so', async () => {
    await prepared()
    await say(owner, channelId)
    await ends(['DELIVERED'])
    receiver.replyWith(400, app.path)
    await say(owner, channelId)
    await ends(['DELIVERED', 'FAILED'])
    await revoke()
    receiver.replyWith(204, app.path)
    const [delivered, failed] = await deliveries(app)
    for (const { id: deliveryId } of [delivered!, failed!])
      expect(await boss.send(retryDelivery, { params: { id: app.id, deliveryId } })).toMatchObject({
        status: 409,
        body: { errorCode: 'DELIVERY_NOT_AUTHORIZED', message: expect.stringContaining('grant') },
      })
    expect(await statuses(app)).toEqual(['DELIVERED', 'FAILED'])
    // the grant may go after the retry was accepted
    await server.sql(
      `insert into webhook_due (shard, application_id, due_at, delivery_id, organization_key, attempt, trigger)
       select e.shard, w.application_id, now(), w.id, w.organization_id, 2, 'MANUAL'
       from webhook_delivery w join webhook_endpoint e using (organization_id, application_id)
       where w.application_id = $1`,
      [app.id],
    )
    await settled()
    expect(await statuses(app)).toEqual(['DELIVERED', 'NOT_AUTHORIZED'])
    expect(got(app)).toHaveLength(2)
    for (const [{ id: deliveryId }, lastStatus] of [[delivered!, 204] as const, [failed!, 400] as const])
      expect(await boss.call(readDelivery, { params: { id: app.id, deliveryId } })).toMatchObject({
        lastStatus,
      })
    // with a new grant it is sent
    await owner.call(putGrant, { params: { id: channelId, applicationId: app.id }, body: grant })
    await boss.call(retryDelivery, { params: { id: app.id, deliveryId: failed!.id } })
    await ends(['DELIVERED', 'DELIVERED'])
  })

  it('before a recovery of many; with a new grant nothing is lost', async () => {
    await prepared()
    receiver.replyWith(400, app.path)
    for (let n = 0; n < 5; n++) await say(owner, channelId)
    await ends(Array(5).fill('FAILED'))
    await revoke()
    receiver.replyWith(204, app.path)
    const since = new Date(Date.now() - 60_000).toISOString()
    const recover = (status: 'FAILED' | 'NOT_AUTHORIZED') =>
      boss.call(recoverDeliveries, { ...id(), body: { since, status, perSecond: 100 } })
    expect((await recover('FAILED')).count).toBe(5)
    await ends(Array(5).fill('NOT_AUTHORIZED'))
    expect(got(app)).toHaveLength(5)
    await owner.call(putGrant, { params: { id: channelId, applicationId: app.id }, body: grant })
    expect((await recover('NOT_AUTHORIZED')).count).toBe(5)
    await ends(Array(5).fill('DELIVERED'))
    expect(got(app)).toHaveLength(10)
  })

  it('a replay tells what it may see now', async () => {
    await prepared()
    const late = await hooked([])
    await say(owner, channelId)
    await say(owner, channelId, { visibility: 'INTERNAL' })
    const gone = await say(owner, channelId)
    await settled()
    await owner.call(deleteMessage, { params: { messageId: gone.id } })
    await settled()
    const body = { url: `${receiver.url}${late.path}`, events: messageEvents }
    await boss.call(setWebhook, { params: { id: late.id }, body })
    const since = new Date(Date.now() - 60_000).toISOString()
    const replay = () => boss.call(replayEvents, { params: { id: late.id }, body: { since, perSecond: 100 } })
    expect((await replay()).count).toBe(0)
    await owner.call(putGrant, { params: { id: channelId, applicationId: late.id }, body: grant })
    expect((await replay()).count).toBe(2)
    await settled()
    expect(got(late).map(({ event }) => event)).toEqual(['CHAT_MESSAGE_CREATED', 'CHAT_MESSAGE_DELETED'])
  })

  it('what is pulled is what may be seen now', async () => {
    await prepared()
    const seen = await say(owner, channelId)
    const hidden = await say(owner, channelId)
    await settled()
    const pull = async () => {
      const { items } = await app.client.call(listOwnDeliveries, {})
      return items.map(({ body }) => (body as { data: { messageId: string } }).data.messageId)
    }
    await until('they can be pulled', async () => (await pull()).length === 2, 15_000)
    await owner.call(editMessage, { params: { messageId: hidden.id }, body: { visibility: 'INTERNAL' } })
    expect(await pull()).toEqual([seen.id])
    await revoke()
    expect(await pull()).toEqual([])
  })

  it('a deleted application is told nothing more, and reads nothing', async () => {
    await prepared()
    await boss.call(removeApplication, { params: { id: app.id } })
    await say(owner, channelId)
    await settled()
    expect(got(app)).toEqual([])
    const answer = await app.client.send(readAppChannel, { params: { channelId } })
    expect(answer.status).toBe(401)
  })
})

describe('loops', () => {
  it('an application is not told of what it did itself, but of its channels', async () => {
    const [one, other] = [await hooked(), await hooked()]
    const { id } = await makeChannel(owner)
    for (const app of [one, other])
      await owner.call(putGrant, {
        params: { id, applicationId: app.id },
        body: { capabilities: [...grantCapabilities] },
      })
    await settled()
    const before = [got(one).length, got(other).length]
    await one.client.call(publishMessage, {
      params: { channelId: id },
      body: { content: `<@${one.id}> talks to <@${other.id}>` },
    })
    await one.client.call(updateAppChannel, { params: { channelId: id }, body: { description: 'New' } })
    await one.client.call(addAppChannelMember, { params: { channelId: id }, body: { userId: boss.id } })
    await settled()
    const names = (app: Hooked, from: number) =>
      got(app)
        .slice(from)
        .map(({ event }) => event)
    expect(names(one, before[0]!)).toEqual(['CHAT_CHANNEL_UPDATED'])
    expect(names(other, before[1]!).sort()).toEqual([
      'CHAT_APP_MENTIONED',
      'CHAT_CHANNEL_UPDATED',
      'CHAT_MESSAGE_CREATED',
    ])
  })

  it('two that answer each other come to an end at their hourly limit', async () => {
    const apps = [await hooked(['CHAT_MESSAGE_CREATED']), await hooked(['CHAT_MESSAGE_CREATED'])]
    const { id: channelId } = await makeChannel(owner)
    const refused: number[] = []
    for (const app of apps) {
      await owner.call(putGrant, {
        params: { id: channelId, applicationId: app.id },
        body: { capabilities: [] },
      })
      // all but ten were used before
      await server.sql(
        `insert into rate_window (bucket, caller, starts_at, used)
         select 'chat-messages', $1, date_trunc('hour', now()) + n * interval '1 hour', $2 from generate_series(0, 1) n`,
        [`${org.id}/${app.id}`, limits.messagesPerHour - 10],
      )
      receiver.replyWith((response, _notice) => {
        response.writeHead(204).end()
        void app.client
          .send(publishMessage, { params: { channelId }, body: { content: 'I answer everything' } })
          .then(({ status }) => status !== 201 && refused.push(status))
      }, app.path)
    }
    await say(owner, channelId, 'Who begins?')
    await until('both were refused', () => refused.length >= 2, 20_000)
    await settled()
    const rows = await server.sql<{ author_id: string; n: number }>(
      'select author_id, count(*)::int as n from chat_message where channel_id = $1 group by 1',
      [channelId],
    )
    expect(rows.sort((a, b) => b.n - a.n).map(({ n }) => n)).toEqual([10, 10, 1])
    expect(new Set(refused)).toEqual(new Set([429]))
    for (const app of apps) expect(got(app).length).toBeLessThanOrEqual(11)
  })
})
