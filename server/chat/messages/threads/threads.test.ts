import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { publishMessage } from '#contract/chat/application-messages.ts'
import { leaveChannel, moveReadMarker } from '#contract/chat/members.ts'
import { deleteMessage, editMessage, listOwnThreads } from '#contract/chat/messages.ts'
import type { Message } from '#contract/chat/shapes.ts'
import { limits } from '#contract/limits.ts'
import {
  type ChatFixture,
  createTestChannel,
  insertTestGrant,
  sendMessage,
  startChatFixture,
} from '#tests/support/chat/chat.ts'
import { openPlans } from '#tests/support/plans.ts'
import { insertMany, secondsAgo } from '#tests/support/rows.ts'
import type { Person } from '#tests/support/test-server.ts'
import { threadsOf } from './thread.sql.ts'

let fixture: ChatFixture
let id: string
let [starter, writer, bystander] = [] as unknown as [Person, Person, Person]
beforeAll(async () => {
  fixture = await startChatFixture()
})
beforeEach(async () => {
  const { owner, org, server, app } = fixture
  ;[starter, writer, bystander] = [await org.person(), await org.person(), await org.person()]
  id = (await createTestChannel(owner, { memberIds: [starter.id, writer.id, bystander.id] })).id
  await insertTestGrant(server, id, app, owner)
})
afterAll(() => fixture.server.close())

const list = (person: Person, query = {}) => person.call(listOwnThreads, { query })
const idsOf = async (person: Person) => (await list(person)).items.map(({ message }) => message.id)
const reply = (person: Person, parent: Message, body: Parameters<typeof sendMessage>[2] = {}) =>
  sendMessage(person, id, {
    ...(typeof body === 'string' ? { content: body } : body),
    parentMessageId: parent.id,
  })

it('lists threads that the person started, wrote in or was mentioned in, by their latest reply', async () => {
  const { owner } = fixture
  const first = await sendMessage(starter, id)
  const second = await sendMessage(owner, id, `Look at this, <@${bystander.id}>`)
  expect(await idsOf(starter)).toEqual([])
  await reply(writer, first)
  await reply(writer, second)
  expect(await idsOf(starter)).toEqual([first.id])
  expect(await idsOf(writer)).toEqual([second.id, first.id])
  // mentioned in the message that started the thread, and later in a reply
  expect(await idsOf(bystander)).toEqual([second.id])
  await reply(owner, first, `<@${bystander.id}>?`)
  expect(await idsOf(bystander)).toEqual([first.id, second.id])
  expect(await idsOf(writer)).toEqual([first.id, second.id])
  const { items, ...page } = await list(writer, { limit: 1 })
  expect(page).toEqual({ total: 2, limit: 1, offset: 0 })
  expect(items).toMatchObject([
    {
      message: { id: first.id, replyCount: 2, content: first.content, author: { id: starter.id } },
      channel: { id, type: 'CHANNEL', name: expect.any(String) },
    },
  ])
  expect((await list(writer, { limit: 1, offset: 1 })).items).toMatchObject([{ message: { id: second.id } }])
  const stranger = await list(fixture.stranger)
  expect(stranger).toEqual({ items: [], total: 0, limit: 20, offset: 0 })
})

it('counts the replies of others after the read marker of the channel', async () => {
  const root = await sendMessage(starter, id)
  const unread = async (person: Person) => (await list(person)).items[0]?.unreadCount
  await reply(writer, root)
  const last = await reply(writer, root)
  await reply(starter, root)
  expect(await unread(starter)).toBe(2)
  await starter.call(moveReadMarker, { params: { id }, body: { seq: last.seq - 1 } })
  expect(await unread(starter)).toBe(1)
  await writer.call(deleteMessage, { params: { messageId: last.id } })
  expect(await unread(starter)).toBe(0)
})

it('hides what the person may not read: private replies, private messages, channels that the person left', async () => {
  const { owner } = fixture
  const root = await sendMessage(starter, id)
  const hidden = await reply(writer, root, {
    content: `<@${bystander.id}>`,
    visibility: 'PRIVATE',
    readerIds: [owner.id],
  })
  expect([await idsOf(starter), await idsOf(bystander)]).toEqual([[], []])
  expect(await idsOf(writer)).toEqual([root.id])
  expect(await idsOf(owner)).not.toContain(root.id)
  // a reader who is mentioned learns of it
  await reply(writer, root, { content: `<@${owner.id}>`, visibility: 'PRIVATE', readerIds: [owner.id] })
  expect((await list(owner)).items[0]).toMatchObject({
    message: { id: root.id, replyCount: 0 },
    unreadCount: 2,
  })
  // now for all, and so for those whom it mentions
  await writer.call(editMessage, { params: { messageId: hidden.id }, body: { visibility: 'INTERNAL' } })
  expect([await idsOf(starter), await idsOf(bystander)]).toEqual([[root.id], [root.id]])
  await starter.call(editMessage, { params: { messageId: root.id }, body: { visibility: 'PRIVATE' } })
  expect([await idsOf(starter), await idsOf(bystander)]).toEqual([[root.id], []])
  await starter.call(leaveChannel, { params: { id } })
  expect(await idsOf(starter)).toEqual([])
})

it('follows replies of applications, and mentions that an edit adds', async () => {
  const root = await sendMessage(starter, id)
  await fixture.app.client.call(publishMessage, {
    params: { channelId: id },
    body: { content: `Done, <@${bystander.id}>`, parentMessageId: root.id },
  })
  expect([await idsOf(starter), await idsOf(bystander)]).toEqual([[root.id], [root.id]])
  await starter.call(editMessage, { params: { messageId: root.id }, body: { content: `<@${writer.id}>!` } })
  expect(await idsOf(writer)).toEqual([root.id])
})

it('considers a bounded number of threads, and reads no others', async () => {
  const { server, org } = fixture
  const root = await sendMessage(starter, id)
  await reply(writer, root)
  const threads = 20_000
  await insertMany(server, 'chat_message', threads, n => ({
    organization_id: org.id,
    id: `t${n}`,
    channel_id: id,
    seq: 10 + n,
    author_id: starter.id,
    reply_count: 1,
  }))
  await insertMany(server, 'chat_thread_person', threads, n => ({
    organization_id: org.id,
    person_id: starter.id,
    thread_id: `t${n}`,
    active_at: secondsAgo(n * 60),
  }))
  await server.sql('vacuum analyze chat_message, chat_thread_person')
  expect((await list(starter)).total).toBe(limits.threadsPerPerson)
  const plans = await openPlans(server.config.databaseUrl)
  try {
    const blocks = await plans.blocksOf(org.id, db => threadsOf(db, starter.id, { limit: 20, offset: 0 }))
    expect(blocks).toBeLessThan(8_000)
  } finally {
    await plans.close()
  }
})
