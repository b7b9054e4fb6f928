import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { listAppMessages, publishMessage, readAppMessage } from '#contract/chat/application-messages.ts'
import { deleteMessage, editMessage, readMessage } from '#contract/chat/messages.ts'
import type { AppMessage } from '#contract/chat/shapes.ts'
import { limits } from '#contract/limits.ts'
import { newId } from '#platform/ids.ts'
import { connect } from '#sdk/client.ts'
import {
  type ChatFixture,
  createTestChannel,
  eventsIn,
  insertTestGrant,
  sendMessage,
  startChatFixture,
} from '#tests/support/chat/chat.ts'
import { atLeast, lastOf } from '#tests/support/elements.ts'
import { makeApplication, type TestApplication } from '#tests/support/integrations/applications.ts'
import { setUsed } from '#tests/support/rates.ts'

let fixture: ChatFixture
let channelId: string
let app: TestApplication
beforeAll(async () => {
  fixture = await startChatFixture()
})
beforeEach(async () => {
  channelId = (await createTestChannel(fixture.owner, { memberIds: [fixture.member.id] })).id
  app = await createApplication()
  await insertTestGrant(fixture.server, channelId, app, fixture.owner)
})
afterAll(() => fixture.server.close())

const createApplication = () =>
  makeApplication(fixture.server, fixture.org, { scopes: ['chat:messages:view', 'chat:messages:send'] })
const publish = (by: Pick<TestApplication, 'client'>, body = {}, to = channelId) =>
  by.client.send(publishMessage, {
    params: { channelId: to },
    body: { content: 'From an application', ...body },
  })
const read = (messageId: string, by = app) => by.client.send(readAppMessage, { params: { messageId } })
const list = (query = {}, by = app) => by.client.send(listAppMessages, { params: { channelId }, query })
const contents = ({ body }: Awaited<ReturnType<typeof list>>) =>
  (body as { items: AppMessage[] }).items.map(({ content }) => content)

it('publishes a visible message of the application', async () => {
  const { member, server } = fixture
  const { status, body } = await publish(app, { content: `Hello <@${member.id}> and <@${app.id}>` })
  const { id } = body
  expect({ status, body }).toEqual({
    status: 201,
    body: {
      id,
      channelId,
      parentMessageId: null,
      createdAt: body.createdAt,
      editedAt: null,
      author: { kind: 'APP', id: app.id, displayName: app.name },
      content: `Hello <@${member.id}> and <@${app.id}>`,
      mentions: [{ kind: 'USER', id: member.id }],
      replyCount: 0,
      lastReplyAt: null,
    },
  })
  expect((await read(id)).body).toEqual(body)
  expect(await member.call(readMessage, { params: { messageId: id } })).toMatchObject({
    seq: 1,
    visibility: 'VISIBLE',
    author: body.author,
  })
  expect((await eventsIn(server, channelId)).slice(-2)).toMatchObject([
    { name: 'chat.message.created', actor_id: app.id },
    { name: 'CHAT_MESSAGE_CREATED', actor_id: app.id },
  ])
  expect(await server.sql('select actor_id from audit where subject = $1', [id])).toEqual([
    { actor_id: app.id },
  ])
})

it('answers 404 without access, as for an unknown channel', async () => {
  const { owner, server, org, stranger } = fixture
  const unknown = await publish(app, {}, newId())
  expect(unknown).toMatchObject({ status: 404, body: { errorCode: 'CHANNEL_NOT_FOUND' } })
  const foreign = (await createTestChannel(stranger)).id
  const ungranted = (await createTestChannel(owner)).id
  const changes: [string, string][] = [
    ['revoked', 'update chat_grant set revoked_at = now() where channel_id = $1'],
    ['taken out', 'update chat_grant set is_member = false where channel_id = $1'],
    ['without its grantor', 'delete from chat_member where channel_id = $1'],
  ]
  const places: [string, string, string?][] = [
    ['foreign', foreign],
    ['ungranted', ungranted],
  ]
  for (const [name, change] of changes) {
    const { id } = await createTestChannel(owner)
    await insertTestGrant(server, id, app, owner)
    const message = await sendMessage(owner, id)
    await server.sql(change, [id])
    places.push([name, id, message.id])
  }
  for (const [name, id, messageId] of places) {
    const answers = await Promise.all([
      publish(app, {}, id),
      app.client.send(listAppMessages, { params: { channelId: id } }),
    ])
    for (const { status, body } of answers)
      expect({ name, status, body }).toEqual({ name, status: 404, body: unknown.body })
    if (messageId) expect((await read(messageId)).status).toBe(404)
  }
  const gone = await org.person()
  const { id } = await createTestChannel(owner, { memberIds: [gone.id] })
  await insertTestGrant(server, id, app, gone)
  expect((await publish(app, {}, id)).status).toBe(201)
  await server.sql('update membership set removed_at = now() where person_id = $1', [gone.id])
  expect((await publish(app, {}, id)).status).toBe(404)
})

it('reads but does not write in an archived channel', async () => {
  const { owner, server } = fixture
  const message = await sendMessage(owner, channelId)
  await server.sql('update chat_channel set archived_at = now() where id = $1', [channelId])
  expect(await publish(app)).toMatchObject({ status: 409, body: { errorCode: 'CHANNEL_ARCHIVED' } })
  expect((await read(message.id)).status).toBe(200)
})

it('reads visible messages only', async () => {
  const { owner, stranger } = fixture
  const unknown = await read(newId())
  expect(unknown).toMatchObject({ status: 404, body: { errorCode: 'MESSAGE_NOT_FOUND' } })
  const visibleMessage = await sendMessage(owner, channelId)
  expect(await read(visibleMessage.id)).toMatchObject({
    status: 200,
    body: { content: visibleMessage.content },
  })
  const hidden = [
    await sendMessage(owner, channelId, { visibility: 'INTERNAL' }),
    await sendMessage(owner, channelId, { visibility: 'PRIVATE' }),
    await sendMessage(owner, channelId, { aiReply: true }),
    await sendMessage(stranger, (await createTestChannel(stranger)).id),
    await sendMessage(owner, (await createTestChannel(owner)).id),
    await owner.call(deleteMessage, { params: { messageId: (await sendMessage(owner, channelId)).id } }),
  ]
  for (const { id } of hidden) {
    const { status, body } = await read(id)
    expect({ status, body }).toEqual({ status: 404, body: unknown.body })
  }
  expect(contents(await list())).toEqual([visibleMessage.content])
})

it('shows visible replies and threads only', async () => {
  const { owner } = fixture
  const root = await sendMessage(owner, channelId)
  const visible = await sendMessage(owner, channelId, { parentMessageId: root.id })
  await sendMessage(owner, channelId, { parentMessageId: root.id, visibility: 'INTERNAL' })
  expect((await read(root.id)).body).toMatchObject({ replyCount: 1, lastReplyAt: visible.createdAt })
  expect((await read(visible.id)).body).toMatchObject({ parentMessageId: root.id })
  const answer = await publish(app, { parentMessageId: visible.id })
  expect(answer.body.parentMessageId).toBe(root.id)
  // the root is hidden: its replies have no parent, and a reply to them joins the same thread
  await owner.call(editMessage, { params: { messageId: root.id }, body: { visibility: 'INTERNAL' } })
  expect((await read(visible.id)).body).toMatchObject({ parentMessageId: null, replyCount: 0 })
  const again = await publish(app, { parentMessageId: visible.id })
  expect(again).toMatchObject({ status: 201, body: { parentMessageId: null } })
  expect(lastOf(await eventsIn(fixture.server, channelId)).data).toMatchObject({ parentMessageId: null })
  expect(await owner.call(readMessage, { params: { messageId: again.body.id } })).toMatchObject({
    parentMessageId: root.id,
  })
})

it('refuses a hidden parent', async () => {
  const { owner } = fixture
  const { id: elsewhere } = await createTestChannel(owner)
  await insertTestGrant(fixture.server, elsewhere, app, owner)
  const parents = [
    await sendMessage(owner, channelId, { visibility: 'INTERNAL' }),
    await sendMessage(owner, channelId, { visibility: 'PRIVATE' }),
    await sendMessage(owner, elsewhere),
    await owner.call(deleteMessage, { params: { messageId: (await sendMessage(owner, channelId)).id } }),
    { id: newId() },
  ]
  const bodies = await Promise.all(
    parents.map(async ({ id }) => {
      const { status, body } = await publish(app, { parentMessageId: id })
      return { status, body }
    }),
  )
  expect(bodies[0]).toMatchObject({ status: 404, body: { errorCode: 'MESSAGE_NOT_FOUND' } })
  for (const one of bodies) expect(one).toEqual(bodies[0])
})

it('pages by message id; a hidden message is not a cursor', async () => {
  const { owner } = fixture
  const message = []
  for (const text of ['one', 'two', 'three', 'four', 'five']) {
    message.push(await sendMessage(owner, channelId, text))
    await sendMessage(owner, channelId, { visibility: 'INTERNAL' })
  }
  const [one, two, , four] = atLeast(4, message)
  expect([contents(await list({ limit: 2 })), (await list({ limit: 2 })).body.hasMore]).toEqual([
    ['five', 'four'],
    true,
  ])
  expect(contents(await list({ before: four.id, limit: 2 }))).toEqual(['three', 'two'])
  expect(contents(await list({ after: one.id, limit: 2 }))).toEqual(['three', 'two'])
  expect(contents(await list({ after: one.id, before: four.id }))).toEqual(['three', 'two'])
  expect(contents(await list({ before: one.id }))).toEqual([])
  await owner.call(deleteMessage, { params: { messageId: four.id } })
  expect(contents(await list({ before: four.id, limit: 2 }))).toEqual(['three', 'two'])
  await owner.call(editMessage, { params: { messageId: two.id }, body: { visibility: 'INTERNAL' } })
  const [hidden, unknown] = await Promise.all([list({ before: two.id }), list({ before: newId() })])
  expect(hidden).toMatchObject({ status: 404, body: { errorCode: 'MESSAGE_NOT_FOUND' } })
  expect(hidden.body).toEqual(unknown.body)
})

it('requires the scope of the operation, the module and a key', async () => {
  const message = await sendMessage(fixture.owner, channelId)
  const nothing = await makeApplication(fixture.server, fixture.org, {
    scopes: ['chat:events:subscribe', 'chat:channels:manage'],
  })
  await insertTestGrant(fixture.server, channelId, nothing, fixture.owner)
  const small = await makeApplication(fixture.server, await fixture.server.organization({ plan: 'FREE' }), {
    scopes: ['chat:messages:view', 'chat:messages:send'],
  })
  for (const [client, status, errorCode] of [
    [nothing.client, 403, 'INSUFFICIENT_SCOPE'],
    [small.client, 403, 'MODULE_NOT_ENABLED'],
    [connect(fixture.server.url, { apiKey: 'wrong' }), 401, undefined],
  ] as const) {
    const answers = await Promise.all([
      publish({ client }),
      client.send(listAppMessages, { params: { channelId } }),
      client.send(readAppMessage, { params: { messageId: message.id } }),
    ])
    for (const { status: got, body } of answers)
      expect([got, (body as { errorCode?: string }).errorCode]).toEqual([status, errorCode])
  }
})

it('publishes once per Idempotency-Key', async () => {
  const headers = { 'x-api-key': app.key, 'content-type': 'application/json', 'idempotency-key': newId() }
  const post = async (content: string) => {
    const url = `${fixture.server.url}/api/external/v1/chat/channels/${channelId}/messages`
    const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify({ content }) })
    return { status: answer.status, body: (await answer.json()) as { id: string; errorCode?: string } }
  }
  const answers = await Promise.all([post('Once'), post('Once'), post('Once')])
  expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1)
  expect(await post('Twice')).toMatchObject({ status: 422, body: { errorCode: 'IDEMPOTENCY_KEY_REUSED' } })
  expect(contents(await list())).toEqual(['Once'])
  const [counted] = await fixture.server.sql('select used from rate_window where caller like $1', [
    `%${app.id}`,
  ])
  expect(counted).toEqual({ used: 1 })
})

it('limits messages per hour exactly over two nodes', async () => {
  const { server } = fixture
  const other = { client: app.at((await server.anotherApi()).url) }
  await publish(app)
  await setUsed(server, limits.messagesPerHour - 10, { caller: `%${app.id}` })
  const answers = await Promise.all(Array.from({ length: 30 }, (_, n) => publish(n % 2 ? app : other)))
  const refused = answers.filter(({ status }) => status === 429)
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(10)
  expect(refused).toHaveLength(20)
  const [{ left } = { left: 0 }] = await server.sql<{ left: number }>(
    `select extract(epoch from date_trunc('hour', now()) + interval '1 hour' - now())::float8 as left`,
  )
  for (const { body } of refused) {
    const { errorCode, retryAfterSeconds } = body as unknown as {
      errorCode: string
      retryAfterSeconds: number
    }
    expect(errorCode).toBe('RATE_LIMIT_EXCEEDED')
    expect(Math.abs(retryAfterSeconds - left)).toBeLessThan(5)
  }
  expect(contents(await list({ limit: 100 }))).toHaveLength(11)
  // requests that were refused for another reason do not count
  await setUsed(server, limits.messagesPerHour - 1, { caller: `%${app.id}` })
  expect((await publish(app, {}, newId())).status).toBe(404)
  expect((await publish(app)).status).toBe(201)
})

it('refuses an invalid body', async () => {
  for (const body of [
    { content: '' },
    { content: ' ' },
    { content: 'x'.repeat(limits.messageContent + 1) },
    { visibility: 'INTERNAL' },
  ])
    expect((await publish(app, body)).status).toBe(400)
})
