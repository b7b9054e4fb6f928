import { afterAll, beforeAll, expect, it } from 'vitest'
import { listMessages, postMessage, readMessage } from '#contract/chat/messages.ts'
import { limits } from '#contract/limits.ts'
import { newId } from '#platform/ids.ts'
import {
  type ChatFixture,
  createTestChannel,
  eventsIn,
  insertTestGrant,
  sendMessage,
  startChatFixture,
} from '#tests/support/chat/chat.ts'
import { atLeast, mapAll } from '#tests/support/elements.ts'
import { makeApplication } from '#tests/support/integrations/applications.ts'

let fixture: ChatFixture
beforeAll(async () => {
  fixture = await startChatFixture()
})
afterAll(() => fixture.server.close())

/** A channel with the people and the application of the fixture. */
async function channel(): Promise<string> {
  const { id } = await createTestChannel(fixture.owner, { memberIds: [fixture.member.id] })
  await insertTestGrant(fixture.server, id, fixture.app, fixture.owner)
  return id
}
const names = async (channelId: string) => (await eventsIn(fixture.server, channelId)).map(({ name }) => name)

it('posts a visible message and emits events to people and applications', async () => {
  const { owner, member, server } = fixture
  const id = await channel()
  const message = await sendMessage(member, id, 'Good morning')
  expect(message).toMatchObject({
    channelId: id,
    seq: 1,
    parentMessageId: null,
    content: 'Good morning',
    visibility: 'VISIBLE',
    author: { kind: 'USER', id: member.id, displayName: member.name },
    editedAt: null,
    deletedAt: null,
    replyCount: 0,
    lastReplyAt: null,
    mentions: [],
  })
  expect(await owner.call(readMessage, { params: { messageId: message.id } })).toEqual(message)
  const ids = { messageId: message.id, channelId: id, parentMessageId: null }
  expect((await eventsIn(server, id)).slice(-2)).toMatchObject([
    { name: 'chat.message.created', actor_id: member.id, data: { ...ids, seq: 1 } },
    { name: 'CHAT_MESSAGE_CREATED', actor_id: member.id, data: ids },
  ])
  expect(
    (await server.sql('select operation, subject from audit where subject = $1', [message.id]))[0],
  ).toEqual({ operation: 'POST /api/chat/channels/:id/messages', subject: message.id })
})

it.each(['INTERNAL', 'PRIVATE'] as const)(
  'emits no application event for a message that is %s',
  async visibility => {
    const id = await channel()
    const message = await sendMessage(fixture.member, id, { content: `<@${fixture.app.id}>`, visibility })
    expect(message).toMatchObject({ visibility, mentions: [] })
    expect((await names(id)).slice(2)).toEqual(['chat.message.created'])
  },
)

it('shows a private message to its author and the named readers', async () => {
  const { owner, member, org, server } = fixture
  const third = await org.person()
  const { id } = await createTestChannel(owner, { memberIds: [member.id, third.id] })
  const note = await sendMessage(member, id, {
    visibility: 'PRIVATE',
    readerIds: [third.id, third.id, member.id],
  })
  for (const person of [member, third]) {
    expect((await person.call(readMessage, { params: { messageId: note.id } })).content).toBe(note.content)
    expect((await person.call(listMessages, { params: { id } })).items).toHaveLength(1)
  }
  const [hidden, unknown] = await mapAll([note.id, newId()], messageId =>
    owner.send(readMessage, { params: { messageId } }),
  )
  expect(hidden).toMatchObject({ status: 404, body: unknown.body })
  expect((await owner.call(listMessages, { params: { id } })).items).toEqual([])
  expect(await server.sql('select last_message_at from chat_channel where id = $1', [id])).toEqual([
    { last_message_at: null },
  ])
})

it('shows an AI reply only to the person whom it answers', async () => {
  const { owner, member } = fixture
  const id = await channel()
  const answer = await sendMessage(member, id, { aiReply: true })
  expect(answer).toMatchObject({
    visibility: 'PRIVATE',
    author: { kind: 'AI', id: member.id, displayName: 'AI' },
  })
  expect((await owner.call(listMessages, { params: { id } })).items).toEqual([])
  for (const body of [{ visibility: 'VISIBLE' as const }, { readerIds: [owner.id] }]) {
    const refused = await member.send(postMessage, {
      params: { id },
      body: { content: 'x', aiReply: true, ...body },
    })
    expect(refused).toMatchObject({ status: 400, body: { errorCode: 'VALIDATION_ERROR' } })
  }
})

it('accepts readers for private messages only, and only members as readers', async () => {
  const { member, outsider, stranger, channelId } = fixture
  const post = (body: object) =>
    member.send(postMessage, { params: { id: channelId }, body: { content: 'x', ...body } })
  expect((await post({ readerIds: [fixture.owner.id] })).status).toBe(400)
  for (const readerIds of [[outsider.id], [stranger.id], ['unknown'], [fixture.owner.id, outsider.id]]) {
    const refused = await post({ visibility: 'PRIVATE', readerIds })
    expect(refused).toMatchObject({ status: 404, body: { errorCode: 'CHANNEL_MEMBER_NOT_FOUND' } })
  }
  const many = Array.from({ length: limits.messageReaders + 1 }, newId)
  expect((await post({ visibility: 'PRIVATE', readerIds: many })).status).toBe(400)
})

it('answers for a channel without access as for an unknown one, and assigns no number', async () => {
  const { outsider, admin, stranger, server } = fixture
  const id = await channel()
  for (const person of [outsider, admin, stranger]) {
    const [hidden, unknown] = await mapAll([id, newId()], one =>
      person.send(postMessage, { params: { id: one }, body: { content: 'x' } }),
    )
    expect(hidden).toMatchObject({ status: 404, body: { errorCode: 'CHANNEL_NOT_FOUND' } })
    expect(hidden.body).toEqual(unknown.body)
  }
  const mute = await fixture.org.person({ permissions: ['STUDIO_VIEW'] })
  expect(await mute.send(postMessage, { params: { id }, body: { content: 'x' } })).toMatchObject({
    status: 403,
    body: { errorCode: 'PERMISSION_DENIED' },
  })
  expect(await server.sql('select last_seq from chat_channel where id = $1', [id])).toEqual([{ last_seq: 0 }])
})

it('refuses an archived channel', async () => {
  const id = await channel()
  await fixture.server.sql('update chat_channel set archived_at = now() where id = $1', [id])
  expect(await fixture.owner.send(postMessage, { params: { id }, body: { content: 'x' } })).toMatchObject({
    status: 409,
    body: { errorCode: 'CHANNEL_ARCHIVED' },
  })
})

it.each([
  ['an empty text', { content: '' }],
  ['a blank text', { content: ' \n\t' }],
  ['a long text', { content: 'x'.repeat(limits.messageContent + 1) }],
  ['an unknown visibility', { content: 'x', visibility: 'SECRET' }],
  ['too many mentions', { content: Array.from({ length: 51 }, () => `<@${newId()}>`).join(' ') }],
])('refuses %s', async (_, body) => {
  const refused = await fixture.owner.send(postMessage, {
    params: { id: fixture.channelId },
    body: body as never,
  })
  expect(refused).toMatchObject({ status: 400, body: { errorCode: 'VALIDATION_ERROR' } })
})

it('joins the thread of a reply and counts replies for members and for applications separately', async () => {
  const { owner, member } = fixture
  const id = await channel()
  const root = await sendMessage(owner, id)
  const reply = await sendMessage(member, id, { parentMessageId: root.id })
  expect(reply.parentMessageId).toBe(root.id)
  const second = await sendMessage(owner, id, { parentMessageId: reply.id, visibility: 'INTERNAL' })
  expect(second.parentMessageId).toBe(root.id)
  await sendMessage(member, id, { parentMessageId: root.id, visibility: 'PRIVATE' })
  const again = await owner.call(readMessage, { params: { messageId: root.id } })
  expect(again).toMatchObject({ replyCount: 2, lastReplyAt: second.createdAt })
  const [counted] = await fixture.server.sql(
    'select visible_reply_count, visible_last_reply_at from chat_message where id = $1',
    [root.id],
  )
  expect(counted).toEqual({ visible_reply_count: 1, visible_last_reply_at: reply.createdAt })
})

it('refuses a parent that is in another channel, deleted, private to others or unknown', async () => {
  const { owner, member, server } = fixture
  const [id, other] = [await channel(), await channel()]
  const elsewhere = await sendMessage(owner, other)
  const deleted = await sendMessage(owner, id)
  await server.sql(`update chat_message set deleted_at = now() where id = $1`, [deleted.id])
  const hidden = await sendMessage(owner, id, { visibility: 'PRIVATE' })
  for (const parentMessageId of [elsewhere.id, deleted.id, hidden.id, newId()]) {
    const refused = await member.send(postMessage, {
      params: { id },
      body: { content: 'x', parentMessageId },
    })
    expect(refused).toMatchObject({ status: 404, body: { errorCode: 'MESSAGE_NOT_FOUND' } })
  }
})

it('hides a private root from people who may not read it', async () => {
  const { owner, member } = fixture
  const id = await channel()
  const root = await sendMessage(owner, id, { visibility: 'PRIVATE' })
  const reply = await sendMessage(owner, id, { parentMessageId: root.id })
  expect(reply.parentMessageId).toBe(root.id)
  const read = await member.call(readMessage, { params: { messageId: reply.id } })
  expect(read.parentMessageId).toBeNull()
  const [streamEvent, applicationEvent] = atLeast(2, (await eventsIn(fixture.server, id)).slice(-2))
  expect([streamEvent.data.parentMessageId, applicationEvent.data.parentMessageId]).toEqual([null, null])
})

it('mentions only people in the channel and applications with access', async () => {
  const { owner, member, outsider, app, server } = fixture
  const id = await channel()
  const elsewhere = await makeApplication(server, fixture.org)
  const everybody = [member, outsider, owner, app, elsewhere].map(one => `<@${one.id}>`)
  const message = await sendMessage(owner, id, `${everybody.join(' ')} ${everybody.join(' ')} <@nobody>`)
  const mentions = [
    { kind: 'USER', id: member.id },
    { kind: 'APP', id: app.id },
  ].sort((a, b) => (a.id < b.id ? -1 : 1))
  expect(message.mentions).toEqual(mentions)
  expect((await owner.call(readMessage, { params: { messageId: message.id } })).mentions).toEqual(mentions)
  const events = (await eventsIn(server, id)).filter(({ name }) => name === 'CHAT_APP_MENTIONED')
  expect(events.map(({ data }) => data.messageId)).toEqual([message.id])
})

it('moves the read marker of an author who had read everything, and no other marker', async () => {
  const { owner, member, server } = fixture
  const id = await channel()
  const markers = async () =>
    (
      await server.sql<{ read_seq: number }>(
        'select read_seq from chat_member where channel_id = $1 order by person_id = $2',
        [id, owner.id],
      )
    ).map(({ read_seq }) => read_seq)
  await sendMessage(owner, id)
  expect(await markers()).toEqual([0, 1])
  await sendMessage(member, id)
  expect(await markers()).toEqual([0, 1])
  await sendMessage(owner, id)
  expect(await markers()).toEqual([0, 1])
})

it('numbers concurrent messages at two nodes without gaps, in the order of their times', async () => {
  const { owner, member, server } = fixture
  const id = await channel()
  const other = await server.anotherApi()
  const refused = { params: { id }, body: { content: 'x', parentMessageId: newId() } }
  await Promise.all(
    Array.from({ length: 50 }, (_, n) => {
      const person = n % 2 ? owner : member
      const at = n % 4 < 2 ? person : person.at(other.url)
      if (n % 10 === 0) return at.send(postMessage, refused)
      return at.call(postMessage, { params: { id }, body: { content: `${n}` } })
    }),
  )
  const { items } = await owner.call(listMessages, { params: { id }, query: { limit: 100 } })
  expect(items.map(({ seq }) => seq)).toEqual(Array.from({ length: 45 }, (_, n) => 45 - n))
  const times = items.map(({ createdAt }) => createdAt)
  expect(times).toEqual([...times].sort().reverse())
  // one event for each message
  const seqs = (await eventsIn(server, id))
    .filter(({ name }) => name === 'chat.message.created')
    .map(({ data }) => Number(data.seq))
  expect(seqs.sort((a, b) => a - b)).toEqual(Array.from({ length: 45 }, (_, n) => n + 1))
})

it('posts a message once, also when a person sends it again with its Idempotency-Key (MSG-25)', async () => {
  const { member, server } = fixture
  const id = await channel()
  const again = {
    params: { id },
    body: { content: 'Sent on a train' },
    headers: { 'Idempotency-Key': newId() },
  }
  const first = await member.call(postMessage, again)
  expect(await member.call(postMessage, again)).toEqual(first)
  expect((await member.call(listMessages, { params: { id } })).items).toHaveLength(1)
  expect(
    await eventsIn(server, id).then(events => events.filter(({ name }) => name === 'chat.message.created')),
  ).toHaveLength(1)
})
