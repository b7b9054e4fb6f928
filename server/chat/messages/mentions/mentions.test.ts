import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { deleteMessage, editMessage, listMentions } from '#contract/chat/messages.ts'
import { limits } from '#contract/limits.ts'
import {
  type ChatFixture,
  createTestChannel,
  sendMessage,
  startChatFixture,
} from '#tests/support/chat/chat.ts'
import { insertMany } from '#tests/support/rows.ts'
import type { Person } from '#tests/support/test-server.ts'

let fixture: ChatFixture
let person: Person
let id: string
beforeAll(async () => {
  fixture = await startChatFixture()
})
beforeEach(async () => {
  person = await fixture.org.person()
  id = (await createTestChannel(fixture.owner, { memberIds: [person.id, fixture.member.id] })).id
})
afterAll(() => fixture.server.close())

const mentions = (query = {}) => person.call(listMentions, { query })
const call = () => `Come <@${person.id}>`

it('lists mentions of the caller in pages, newest first', async () => {
  const { owner } = fixture
  const ids: string[] = []
  for (let n = 0; n < 5; n++) ids.unshift((await sendMessage(owner, id, call())).id)
  await sendMessage(owner, id)
  await sendMessage(person, id, call())
  const all = await mentions()
  expect([all.items.map(({ id }) => id), all.nextBefore]).toEqual([ids, null])
  const first = await mentions({ limit: 2 })
  expect([first.items.map(({ id }) => id), first.nextBefore]).toEqual([ids.slice(0, 2), ids[1]])
  const last = await mentions({ limit: 3, before: first.nextBefore })
  expect([last.items.map(({ id }) => id), last.nextBefore]).toEqual([ids.slice(2), null])
})

it('omits messages that the caller may no longer read', async () => {
  const { owner, server } = fixture
  const [readable, edited, gone, hidden] = [
    await sendMessage(owner, id, call()),
    await sendMessage(owner, id, call()),
    await sendMessage(owner, id, call()),
    await sendMessage(owner, id, call()),
  ]
  await sendMessage(owner, id, { content: call(), visibility: 'PRIVATE' })
  const note = await sendMessage(owner, id, {
    content: call(),
    visibility: 'PRIVATE',
    readerIds: [person.id],
  })
  await owner.call(editMessage, { params: { messageId: edited.id }, body: { content: 'Stay' } })
  await owner.call(deleteMessage, { params: { messageId: gone.id } })
  await owner.call(editMessage, { params: { messageId: hidden.id }, body: { visibility: 'PRIVATE' } })
  expect((await mentions()).items.map(({ id }) => id)).toEqual([note.id, readable.id])
  await server.sql('delete from chat_member where channel_id = $1 and person_id = $2', [id, person.id])
  expect((await mentions()).items).toEqual([])
})

it('scans a limited number of mentions per page and continues there', async () => {
  const { owner, server, org } = fixture
  const readable = await sendMessage(owner, id, call())
  const { id: left } = await createTestChannel(owner, { memberIds: [person.id] })
  // mentions in a channel that the person has left, newer than the readable one
  const idOf = (n: number) => `d${String(n).padStart(6, '0')}`
  await insertMany(server, 'chat_message', limits.mentionsScanned, n => ({
    organization_id: org.id,
    id: idOf(n),
    channel_id: left,
    seq: n,
    author_id: owner.id,
    content: call(),
  }))
  await insertMany(server, 'chat_mention', limits.mentionsScanned, n => ({
    organization_id: org.id,
    message_id: idOf(n),
    mentioned_id: person.id,
    channel_id: left,
  }))
  await server.sql('delete from chat_member where channel_id = $1 and person_id = $2', [left, person.id])
  expect(await mentions()).toEqual({ items: [], nextBefore: 'd000001' })
  expect(await mentions({ before: 'd000001' })).toMatchObject({
    items: [{ id: readable.id }],
    nextBefore: null,
  })
})
