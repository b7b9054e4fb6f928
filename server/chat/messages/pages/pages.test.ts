import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { deleteMessage, listMessages, listThread } from '#contract/chat/messages.ts'
import type { Message } from '#contract/chat/shapes.ts'
import type { Input } from '#contract/operation.ts'
import { newId } from '#platform/ids.ts'
import {
  type ChatFixture,
  createTestChannel,
  sendMessage,
  startChatFixture,
} from '#tests/support/chat/chat.ts'
import { itemAt, mapAll } from '#tests/support/elements.ts'
import type { Person } from '#tests/support/test-server.ts'

let fixture: ChatFixture
let id: string
beforeAll(async () => {
  fixture = await startChatFixture()
})
beforeEach(async () => {
  id = (await createTestChannel(fixture.owner, { memberIds: [fixture.member.id] })).id
})
afterAll(() => fixture.server.close())

const page = (person: Person, query: Input<typeof listMessages>['query'] = {}) =>
  person.call(listMessages, { params: { id }, query })
const seqs = ({ items, hasMore }: { items: Message[]; hasMore: boolean }) => [
  items.map(({ seq }) => seq),
  hasMore,
]

it('reads pages by number in both directions', async () => {
  const { owner } = fixture
  for (let n = 0; n < 7; n++) await sendMessage(owner, id)
  expect(seqs(await page(owner))).toEqual([[7, 6, 5, 4, 3, 2, 1], false])
  expect(seqs(await page(owner, { limit: 3 }))).toEqual([[7, 6, 5], true])
  expect(seqs(await page(owner, { limit: 3, before: 5 }))).toEqual([[4, 3, 2], true])
  expect(seqs(await page(owner, { limit: 3, before: 2 }))).toEqual([[1], false])
  expect(seqs(await page(owner, { limit: 3, after: 2 }))).toEqual([[5, 4, 3], true])
  expect(seqs(await page(owner, { limit: 3, after: 4 }))).toEqual([[7, 6, 5], false])
  expect(seqs(await page(owner, { limit: 2, after: 2, before: 6 }))).toEqual([[5, 4], true])
  expect(seqs(await page(owner, { after: 7 }))).toEqual([[], false])
})

it('merges messages for all members and private messages of the reader', async () => {
  const { owner, member } = fixture
  for (let n = 0; n < 4; n++) {
    await sendMessage(owner, id, { visibility: 'PRIVATE' })
    await sendMessage(member, id, { visibility: 'PRIVATE', readerIds: n % 2 ? [owner.id] : [] })
    await sendMessage(n % 2 ? owner : member, id, { visibility: n % 2 ? 'VISIBLE' : 'INTERNAL' })
  }
  expect(seqs(await page(owner))).toEqual([[12, 11, 10, 9, 7, 6, 5, 4, 3, 1], false])
  expect(seqs(await page(member, { limit: 4 }))).toEqual([[12, 11, 9, 8], true])
  expect(seqs(await page(member, { limit: 4, after: 3 }))).toEqual([[9, 8, 6, 5], true])
})

it('shows replies and deleted messages in order', async () => {
  const { owner } = fixture
  const root = await sendMessage(owner, id)
  await sendMessage(owner, id, { parentMessageId: root.id })
  await owner.call(deleteMessage, { params: { messageId: root.id } })
  expect((await page(owner)).items).toMatchObject([
    { seq: 2, parentMessageId: root.id },
    { seq: 1, content: null, replyCount: 1 },
  ])
})

it('reads a thread from any of its messages, oldest reply first', async () => {
  const { owner, member } = fixture
  const root = await sendMessage(owner, id)
  await sendMessage(owner, id)
  const replies: Message[] = []
  for (let n = 0; n < 5; n++)
    replies.push(
      await sendMessage(n % 2 ? member : owner, id, { parentMessageId: (replies[n - 1] ?? root).id }),
    )
  const hidden = await sendMessage(member, id, { parentMessageId: root.id, visibility: 'PRIVATE' })
  const thread = (person: Person, messageId: string, query = {}) =>
    person.call(listThread, { params: { messageId }, query })
  expect(seqs(await thread(owner, root.id))).toEqual([[3, 4, 5, 6, 7], false])
  expect(seqs(await thread(member, itemAt(replies, 2).id))).toEqual([[3, 4, 5, 6, 7, 8], false])
  expect(seqs(await thread(owner, root.id, { limit: 2 }))).toEqual([[3, 4], true])
  expect(seqs(await thread(owner, root.id, { limit: 2, after: 4 }))).toEqual([[5, 6], true])
  expect(seqs(await thread(owner, root.id, { limit: 2, before: 7 }))).toEqual([[5, 6], true])
  for (const messageId of [hidden.id, newId()]) {
    expect(await owner.send(listThread, { params: { messageId } })).toMatchObject({
      status: 404,
      body: { errorCode: 'MESSAGE_NOT_FOUND' },
    })
  }
})

it('answers for a channel without access as for an unknown one', async () => {
  const { owner, outsider, admin, stranger } = fixture
  const root = await sendMessage(owner, id)
  for (const person of [outsider, admin, stranger]) {
    const [hidden, unknown] = await mapAll([id, newId()], one =>
      person.send(listMessages, { params: { id: one } }),
    )
    expect(hidden).toMatchObject({ status: 404, body: unknown.body })
    expect((await person.send(listThread, { params: { messageId: root.id } })).status).toBe(404)
  }
})

it.each([{ limit: 0 }, { limit: 101 }, { before: -1 }, { after: 1.5 }])('refuses %j', async query => {
  expect((await fixture.owner.send(listMessages, { params: { id }, query })).status).toBe(400)
})
