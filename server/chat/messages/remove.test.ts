import { afterAll, beforeAll, expect, it } from 'vitest'
import { deleteMessage, listMessages, readMessage, searchMessages } from '#contract/chat/messages.ts'
import { newId } from '#platform/ids.ts'
import {
  type ChatFixture,
  createTestChannel,
  eventsIn,
  insertTestGrant,
  sendMessage,
  startChatFixture,
} from '#tests/support/chat/chat.ts'
import { insertChannelMembers } from '#tests/support/chat/many-channels.ts'
import type { Person } from '#tests/support/test-server.ts'

let fixture: ChatFixture
beforeAll(async () => {
  fixture = await startChatFixture()
})
afterAll(() => fixture.server.close())

async function channel(): Promise<string> {
  const { id } = await createTestChannel(fixture.owner, { memberIds: [fixture.member.id] })
  await insertTestGrant(fixture.server, id, fixture.app, fixture.owner)
  return id
}
const remove = (person: Person, messageId: string) => person.send(deleteMessage, { params: { messageId } })

it('removes the content, keeps the number and emits one event', async () => {
  const { member, owner, app, server } = fixture
  const id = await channel()
  const root = await sendMessage(owner, id)
  const earlier = await sendMessage(owner, id, { parentMessageId: root.id })
  const message = await sendMessage(member, id, { content: `Quince <@${app.id}>`, parentMessageId: root.id })
  const before = await eventsIn(server, id)
  const { status, body } = await remove(member, message.id)
  expect({ status, body }).toMatchObject({
    status: 200,
    body: { id: message.id, seq: 3, content: null, mentions: [], deletedAt: expect.stringMatching(/Z$/) },
  })
  expect((await remove(member, message.id)).body).toEqual(body)
  expect((await eventsIn(server, id)).slice(before.length).map(({ name }) => name)).toEqual([
    'chat.message.deleted',
    'CHAT_MESSAGE_DELETED',
  ])
  expect(await owner.call(readMessage, { params: { messageId: message.id } })).toEqual(body)
  expect((await owner.call(listMessages, { params: { id } })).items[0]).toEqual(body)
  expect((await owner.call(searchMessages, { query: { search: 'quince' } })).items).toEqual([])
  expect(await owner.call(readMessage, { params: { messageId: root.id } })).toMatchObject({
    replyCount: 1,
    lastReplyAt: earlier.createdAt,
  })
  expect(await server.sql('select content from chat_message where id = $1', [message.id])).toEqual([
    { content: '' },
  ])
})

it('emits no application event for a hidden message', async () => {
  const { member, server } = fixture
  const id = await channel()
  const message = await sendMessage(member, id, { visibility: 'INTERNAL' })
  await remove(member, message.id)
  const names = (await eventsIn(server, id)).map(({ name }) => name)
  expect(names.filter(name => name.startsWith('CHAT_MESSAGE'))).toEqual([])
})

it('is allowed for the author and for administrators of the channel', async () => {
  const { owner, member, org, outsider, admin, stranger, server } = fixture
  const id = await channel()
  const joined = await org.person({ role: 'ADMIN' })
  const silent = await org.person({ permissions: ['CHAT_USE'] })
  for (const [{ id: personId }, role] of [
    [joined, 'MEMBER'],
    [silent, 'ADMIN'],
  ] as const)
    await insertChannelMembers(server, org.id, [id], [personId], role)
  for (const [who, author, status, errorCode] of [
    [member, owner, 403, 'CHANNEL_ROLE_REQUIRED'],
    [silent, owner, 403, 'PERMISSION_DENIED'],
    [outsider, owner, 404, 'MESSAGE_NOT_FOUND'],
    [admin, owner, 404, 'MESSAGE_NOT_FOUND'],
    [stranger, owner, 404, 'MESSAGE_NOT_FOUND'],
    [owner, member, 200, undefined],
    [joined, member, 200, undefined],
  ] as const) {
    const message = await sendMessage(author, id)
    const { body, ...answer } = await remove(who, message.id)
    expect({ status: answer.status, errorCode: (body as { errorCode?: string }).errorCode }).toEqual({
      status,
      errorCode,
    })
  }
  expect((await remove(stranger, newId())).status).toBe(404)
})

it('administrators may not delete in direct conversations, nor messages private to others', async () => {
  const { owner, member, server } = fixture
  const id = await channel()
  const note = await sendMessage(member, id, { visibility: 'PRIVATE' })
  expect((await remove(owner, note.id)).status).toBe(404)
  const message = await sendMessage(member, id)
  await server.sql(`update chat_channel set kind = 'DIRECT', name = null, direct_key = id where id = $1`, [
    id,
  ])
  expect(await remove(owner, message.id)).toMatchObject({
    status: 403,
    body: { errorCode: 'NOT_THE_AUTHOR' },
  })
})

it('refuses an archived channel', async () => {
  const { owner, server } = fixture
  const id = await channel()
  const message = await sendMessage(owner, id)
  await server.sql('update chat_channel set archived_at = now() where id = $1', [id])
  expect(await remove(owner, message.id)).toMatchObject({
    status: 409,
    body: { errorCode: 'CHANNEL_ARCHIVED' },
  })
})

it('counts a reply once for concurrent deletions', async () => {
  const { owner, member, server } = fixture
  const id = await channel()
  const other = await server.anotherApi()
  const root = await sendMessage(owner, id)
  const replies = await Promise.all(
    [1, 2, 3].map(() => sendMessage(member, id, { parentMessageId: root.id })),
  )
  await Promise.all(
    replies.flatMap(({ id: messageId }) =>
      [member, member.at(other.url), owner].map(one => one.call(deleteMessage, { params: { messageId } })),
    ),
  )
  expect(await owner.call(readMessage, { params: { messageId: root.id } })).toMatchObject({
    replyCount: 0,
    lastReplyAt: null,
  })
})
