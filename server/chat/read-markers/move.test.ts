import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listOwnChannels, readChannel } from '#contract/chat/channels.ts'
import { addChannelMember, moveReadMarker } from '#contract/chat/members.ts'
import { deleteMessage } from '#contract/chat/messages.ts'
import { limits } from '#contract/limits.ts'
import { newId } from '#platform/ids.ts'
import { auditEntriesOf, createTestChannel, eventsIn, sendMessage } from '#tests/support/chat/chat.ts'
import { fillChannel } from '#tests/support/chat/messages.ts'
import {
  type Organization,
  type Person,
  startTestServer,
  type TestServer,
} from '#tests/support/test-server.ts'

let server: TestServer
let organization: Organization
let reader: Person
let owner: Person
let id: string
beforeAll(async () => {
  server = await startTestServer()
  organization = await server.organization()
  reader = await organization.person()
  owner = await organization.person()
  id = (await createTestChannel(owner)).id
  await owner.call(addChannelMember, { params: { id }, body: { personId: reader.id } })
  await fill(id, 100)
})
afterAll(() => server?.close())

/** Messages of the owner; every `every`-th is visible to all, the others are private to the owner. */
const fill = (channelId: string, messages: number, every = 1) =>
  fillChannel({ query: (text: string, values: unknown[]) => server.sql(text, values) } as never, {
    organizationId: organization.id,
    authorId: owner.id,
    channelId,
    messages,
    every,
  })
const move = (who: Person, seq: unknown, channel = id) =>
  who.send(moveReadMarker, { params: { id: channel }, body: { seq } as never })

it('moves forward, at most to the last message, and notifies the other devices of the reader', async () => {
  expect((await move(reader, 30)).body).toEqual({ readSeq: 30, unreadCount: 70 })
  expect((await move(reader, 20)).body).toEqual({ readSeq: 30, unreadCount: 70 })
  expect((await move(reader, 30)).body).toEqual({ readSeq: 30, unreadCount: 70 })
  expect((await move(reader, Number.MAX_SAFE_INTEGER)).body).toEqual({ readSeq: 100, unreadCount: 0 })
  expect(await reader.call(readChannel, { params: { id } })).toMatchObject({ readSeq: 100, unreadCount: 0 })
  expect((await eventsIn(server, id)).slice(3)).toMatchObject([
    { name: 'chat.read.moved', data: { channelId: id, readSeq: 30 } },
    { name: 'chat.read.moved', data: { channelId: id, readSeq: 100 } },
  ])
  // no audit entry for requests without a move
  expect((await auditEntriesOf(server, id)).slice(2).map(({ changed }) => changed)).toEqual([
    ['readSeq'],
    ['readSeq'],
  ])
})

it('ends at the furthest position, regardless of the order of requests', async () => {
  const { id: busy } = await createTestChannel(owner, { memberIds: [reader.id] })
  await fill(busy, 40)
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, at) => move(reader, ((at * 7) % 20) + 1, busy)),
  )
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  expect(await reader.call(readChannel, { params: { id: busy } })).toMatchObject({
    readSeq: 20,
    unreadCount: 20,
  })
  const events = (await eventsIn(server, busy)).slice(2).map(({ data }) => Number(data.readSeq))
  expect(events.at(-1)).toBe(20)
  expect(events).toEqual([...new Set(events)].sort((a, b) => a - b))
})

describe('unread', () => {
  const unread = async (who: Person, channelId: string) => {
    const one = await who.call(readChannel, { params: { id: channelId } })
    const { items } = await who.call(listOwnChannels)
    expect(items.find(item => item.id === channelId)).toEqual(one)
    expect((await move(who, 0, channelId)).body).toEqual({
      readSeq: one.readSeq,
      unreadCount: one.unreadCount,
    })
    return one.unreadCount
  }

  it('counts readable messages of others', async () => {
    const other = await organization.person()
    const memberIds = [reader.id, other.id]
    const { id: talk } = await createTestChannel(owner, { memberIds })
    await sendMessage(owner, talk)
    await sendMessage(owner, talk, { visibility: 'INTERNAL' })
    await sendMessage(owner, talk, { visibility: 'PRIVATE', readerIds: [other.id] })
    const closed = await sendMessage(owner, talk, { visibility: 'PRIVATE', readerIds: memberIds })
    await sendMessage(reader, talk)
    expect([await unread(reader, talk), await unread(other, talk), await unread(owner, talk)]).toEqual([
      3, 5, 1,
    ])
    await owner.call(deleteMessage, { params: { messageId: closed.id } })
    expect([await unread(reader, talk), await unread(other, talk)]).toEqual([2, 4])
    expect((await move(reader, 1, talk)).body).toEqual({ readSeq: 1, unreadCount: 1 })
    expect((await move(reader, 3, talk)).body).toEqual({ readSeq: 3, unreadCount: 0 })
    // the reader may not read any message between the marker and this one
    await sendMessage(other, talk, { visibility: 'PRIVATE', readerIds: [owner.id] })
    await sendMessage(reader, talk)
    expect(await unread(reader, talk)).toBe(0)
  })

  it('is counted up to a limit and skips messages private to others', async () => {
    const { id: long } = await createTestChannel(owner, { memberIds: [reader.id] })
    await fill(long, 990, 10)
    expect(await unread(reader, long)).toBe(99)
    await sendMessage(owner, long)
    expect(await unread(reader, long)).toBe(limits.unreadCount)
    await sendMessage(owner, long)
    expect(await unread(reader, long)).toBe(limits.unreadCount)
  })
})

it('requires membership', async () => {
  const administrator = await organization.person({ role: 'OWNER' })
  const stranger = await (await server.organization()).person()
  const unknown = await move(reader, 1, newId())
  expect(unknown).toMatchObject({ status: 404, body: { errorCode: 'CHANNEL_NOT_FOUND' } })
  for (const who of [administrator, stranger]) expect((await move(who, 1)).text).toBe(unknown.text)
  for (const seq of [-1, 1.5, '1', null, Number.MAX_SAFE_INTEGER + 1])
    expect([seq, (await move(reader, seq)).status]).toEqual([seq, 400])
})
