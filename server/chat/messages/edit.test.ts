import { afterAll, beforeAll, expect, it } from 'vitest'
import { editMessage, listMessages, postMessage, readMessage } from '#contract/chat/messages.ts'
import type { MessageVisibility } from '#contract/chat/shapes.ts'
import { newId } from '#platform/ids.ts'
import {
  type ChatFixture,
  createTestChannel,
  eventsIn,
  insertTestGrant,
  sendMessage,
  startChatFixture,
} from '#tests/support/chat/chat.ts'
import { defined, mapAll } from '#tests/support/elements.ts'
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
const edit = (
  person: Person,
  messageId: string,
  body: { content?: string; visibility?: MessageVisibility },
) => person.send(editMessage, { params: { messageId }, body })
/** The names of the events that an action emits for a channel. */
async function announcing(channelId: string, act: () => Promise<unknown>): Promise<string[]> {
  const before = await eventsIn(fixture.server, channelId)
  await act()
  return (await eventsIn(fixture.server, channelId)).slice(before.length).map(({ name }) => name)
}

it('changes the content and emits the events', async () => {
  const id = await channel()
  const message = await sendMessage(fixture.member, id)
  const names = await announcing(id, async () => {
    const { status, body } = await edit(fixture.member, message.id, { content: 'Rather this' })
    const editedAt = expect.stringMatching(/Z$/)
    expect({ status, body }).toEqual({ status: 200, body: { ...message, content: 'Rather this', editedAt } })
    expect(await fixture.owner.call(readMessage, { params: { messageId: message.id } })).toEqual(body)
  })
  expect(names).toEqual(['chat.message.updated', 'CHAT_MESSAGE_UPDATED'])
})

it('emits nothing without a difference', async () => {
  const id = await channel()
  const message = await sendMessage(fixture.member, id)
  const names = await announcing(id, async () => {
    const { body } = await edit(fixture.member, message.id, {
      content: defined(message.content),
      visibility: 'VISIBLE',
    })
    expect(body).toEqual(message)
  })
  expect(names).toEqual([])
})

const [created, updated, deleted] = ['chat.message.created', 'chat.message.updated', 'chat.message.deleted']
it.each<[MessageVisibility, MessageVisibility, string[]]>([
  ['VISIBLE', 'INTERNAL', [updated, 'CHAT_MESSAGE_DELETED']],
  ['VISIBLE', 'PRIVATE', [deleted, updated, 'CHAT_MESSAGE_DELETED']],
  ['INTERNAL', 'VISIBLE', [updated, 'CHAT_MESSAGE_CREATED']],
  ['INTERNAL', 'PRIVATE', [deleted, updated]],
  ['PRIVATE', 'INTERNAL', [created]],
  ['PRIVATE', 'VISIBLE', [created, 'CHAT_MESSAGE_CREATED']],
])('from %s to %s', async (from, to, expected) => {
  const { member, owner } = fixture
  const id = await channel()
  const root = await sendMessage(owner, id)
  const reply = await sendMessage(member, id, { visibility: from, parentMessageId: root.id })
  const names = await announcing(id, async () => {
    const { body } = await edit(member, reply.id, { visibility: to })
    expect(body).toMatchObject({ visibility: to, content: reply.content, editedAt: null })
  })
  expect(names).toEqual(expected)
  const response = await owner.send(readMessage, { params: { messageId: reply.id } })
  expect(response.status).toBe(to === 'PRIVATE' ? 404 : 200)
  expect((await member.call(readMessage, { params: { messageId: reply.id } })).visibility).toBe(to)
  const { items } = await owner.call(listMessages, { params: { id } })
  expect(items.map(({ id }) => id)).toEqual(to === 'PRIVATE' ? [root.id] : [reply.id, root.id])
  const [counted] = await fixture.server.sql(
    `select reply_count, visible_reply_count, last_reply_at is null as no_last, visible_last_reply_at is null as none_visible
     from chat_message where id = $1`,
    [root.id],
  )
  expect(counted).toEqual({
    reply_count: to === 'PRIVATE' ? 0 : 1,
    no_last: to === 'PRIVATE',
    visible_reply_count: to === 'VISIBLE' ? 1 : 0,
    none_visible: to !== 'VISIBLE',
  })
  expect(
    await fixture.server.sql('select person_id from chat_reader where message_id = $1', [reply.id]),
  ).toEqual(to === 'PRIVATE' ? [{ person_id: member.id }] : [])
})

it('an edit of a hidden message emits nothing to applications', async () => {
  const id = await channel()
  const message = await sendMessage(fixture.member, id, { visibility: 'INTERNAL' })
  const names = await announcing(id, () =>
    edit(fixture.member, message.id, { content: `<@${fixture.app.id}>` }),
  )
  expect(names).toEqual([updated])
})

it('notifies a mentioned application once', async () => {
  const { member, app } = fixture
  const id = await channel()
  const original = await sendMessage(member, id, 'Nobody')
  const mention = `<@${app.id}> please`
  const steps = [
    [{ content: mention }, [updated, 'CHAT_MESSAGE_UPDATED', 'CHAT_APP_MENTIONED']],
    [{ content: 'Nobody' }, [updated, 'CHAT_MESSAGE_UPDATED']],
    [{ content: mention }, [updated, 'CHAT_MESSAGE_UPDATED']],
    [{ visibility: 'INTERNAL' }, [updated, 'CHAT_MESSAGE_DELETED']],
    [{ visibility: 'VISIBLE' }, [updated, 'CHAT_MESSAGE_CREATED']],
  ] as const
  for (const [body, expected] of steps) {
    const names = await announcing(id, async () => {
      const { body: message } = await edit(member, original.id, body)
      const isMentioned = (message as { content: string }).content === mention
      expect(message).toMatchObject({ mentions: isMentioned ? [{ kind: 'APP', id: app.id }] : [] })
    })
    expect(names).toEqual(expected)
  }
})

it('notifies a mentioned application when the message becomes visible', async () => {
  const { member, app } = fixture
  const id = await channel()
  const message = await sendMessage(member, id, { content: `<@${app.id}>`, visibility: 'INTERNAL' })
  const names = await announcing(id, () => edit(member, message.id, { visibility: 'VISIBLE' }))
  expect(names).toEqual([updated, 'CHAT_MESSAGE_CREATED', 'CHAT_APP_MENTIONED'])
})

it('only the author may edit', async () => {
  const { owner, member, outsider, admin, stranger, app } = fixture
  const id = await channel()
  const message = await sendMessage(member, id)
  expect(await edit(owner, message.id, { content: 'x' })).toMatchObject({
    status: 403,
    body: { errorCode: 'NOT_THE_AUTHOR' },
  })
  for (const person of [outsider, admin, stranger]) {
    const [hidden, unknown] = await mapAll([message.id, newId()], one => edit(person, one, { content: 'x' }))
    expect(hidden).toMatchObject({ status: 404, body: unknown.body })
  }
  const ofApp = await sendMessage(owner, id)
  await fixture.server.sql(`update chat_message set author_kind = 'APP', author_id = $2 where id = $1`, [
    ofApp.id,
    app.id,
  ])
  expect((await edit(owner, ofApp.id, { content: 'x' })).status).toBe(403)
})

it('keeps an AI reply private; only the person whom it answers may edit it', async () => {
  const { member } = fixture
  const id = await channel()
  const answer = await sendMessage(member, id, { aiReply: true })
  expect((await edit(member, answer.id, { visibility: 'VISIBLE' })).status).toBe(400)
  expect((await edit(member, answer.id, { content: 'Shorter' })).body).toMatchObject({ content: 'Shorter' })
})

it('refuses an empty change, deleted messages and archived channels', async () => {
  const { member, server } = fixture
  const id = await channel()
  const [message, gone] = [await sendMessage(member, id), await sendMessage(member, id)]
  expect((await edit(member, message.id, {})).status).toBe(400)
  await server.sql('update chat_message set deleted_at = now() where id = $1', [gone.id])
  expect(await edit(member, gone.id, { content: 'x' })).toMatchObject({
    status: 404,
    body: { errorCode: 'MESSAGE_NOT_FOUND' },
  })
  await server.sql('update chat_channel set archived_at = now() where id = $1', [id])
  expect(await edit(member, message.id, { content: 'x' })).toMatchObject({
    status: 409,
    body: { errorCode: 'CHANNEL_ARCHIVED' },
  })
})

it('counts replies correctly under concurrent changes of a thread', async () => {
  const { owner, member, server } = fixture
  const id = await channel()
  const other = await server.anotherApi()
  const root = await sendMessage(owner, id)
  const replies = await Promise.all(
    Array.from({ length: 12 }, () => sendMessage(member, id, { parentMessageId: root.id })),
  )
  await Promise.all(
    replies.flatMap((reply, n) => [
      member.call(editMessage, {
        params: { messageId: reply.id },
        body: { visibility: n % 3 === 0 ? 'PRIVATE' : n % 3 === 1 ? 'INTERNAL' : 'VISIBLE' },
      }),
      member.at(other.url).call(editMessage, { params: { messageId: reply.id }, body: { content: `${n}` } }),
      owner.at(other.url).call(postMessage, {
        params: { id },
        body: { content: 'more', parentMessageId: root.id },
      }),
    ]),
  )
  const [counted] = await server.sql(
    `select r.reply_count, r.visible_reply_count,
       r.last_reply_at = (select max(m.created_at) from chat_message m
         where m.organization_id = $1 and m.root_id = $2 and m.visibility <> 'PRIVATE') as is_last,
       r.visible_last_reply_at = (select max(m.created_at) from chat_message m
         where m.organization_id = $1 and m.root_id = $2 and m.visibility = 'VISIBLE') as is_last_visible
     from chat_message r where r.organization_id = $1 and r.id = $2`,
    [owner.organizationId, root.id],
  )
  expect(counted).toEqual({ reply_count: 20, visible_reply_count: 16, is_last: true, is_last_visible: true })
})
