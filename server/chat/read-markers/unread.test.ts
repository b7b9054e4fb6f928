import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { readChannel } from '#contract/chat/channels.ts'
import { addChannelMember, markUnread, moveReadMarker } from '#contract/chat/members.ts'
import type { Message } from '#contract/chat/shapes.ts'
import {
  auditEntriesOf,
  type ChatFixture,
  createTestChannel,
  eventsIn,
  sendMessage,
  startChatFixture,
} from '#tests/support/chat/chat.ts'
import { itemAt } from '#tests/support/elements.ts'
import { refusalOf } from '#tests/support/refusals.ts'
import type { Person } from '#tests/support/test-server.ts'

let fixture: ChatFixture
let id: string
let messages: Message[]
beforeAll(async () => {
  fixture = await startChatFixture()
})
beforeEach(async () => {
  const { owner, member } = fixture
  id = (await createTestChannel(owner, { memberIds: [member.id] })).id
  messages = []
  for (let n = 0; n < 4; n++) messages.push(await sendMessage(owner, id))
  await member.call(moveReadMarker, { params: { id }, body: { seq: 4 } })
})
afterAll(() => fixture.server.close())

const unread = (person: Person, at: number) =>
  person.send(markUnread, { params: { messageId: itemAt(messages, at).id } })

it('marks a message and all later ones as unread, for the devices of the caller alone', async () => {
  const { member, owner, server } = fixture
  expect((await unread(member, 2)).body).toEqual({ readSeq: 2, unreadCount: 2 })
  expect(await member.call(readChannel, { params: { id } })).toMatchObject({ readSeq: 2, unreadCount: 2 })
  expect(await owner.call(readChannel, { params: { id } })).toMatchObject({ readSeq: 4, unreadCount: 0 })
  // a message that is unread already stays so, and nothing is announced
  expect((await unread(member, 3)).body).toEqual({ readSeq: 2, unreadCount: 2 })
  const moved = (await eventsIn(server, id)).filter(({ name }) => name === 'chat.read.moved')
  expect(moved.map(({ data }) => data.readSeq)).toEqual([4, 2])
  const entries = (await auditEntriesOf(server, id)).filter(({ operation }) => operation.includes('/unread'))
  expect(entries).toMatchObject([{ actor_id: member.id, changed: ['readSeq'] }])
  // reading moves the marker forward again
  const { body } = await member.send(moveReadMarker, { params: { id }, body: { seq: 3 } })
  expect(body).toEqual({ readSeq: 3, unreadCount: 1 })
})

it('refuses a message that the caller may not read', async () => {
  const { member, owner, outsider, admin, stranger } = fixture
  messages.push(await sendMessage(owner, id, { content: 'Only for me', visibility: 'PRIVATE' }))
  for (const person of [outsider, admin, stranger])
    expect(refusalOf(await unread(person, 1))).toEqual([404, 'MESSAGE_NOT_FOUND'])
  expect(refusalOf(await unread(member, 4))).toEqual([404, 'MESSAGE_NOT_FOUND'])
  await owner.call(addChannelMember, { params: { id }, body: { personId: outsider.id } })
  // earlier messages, which count as read, can be marked too
  expect((await unread(outsider, 0)).body).toEqual({ readSeq: 0, unreadCount: 4 })
})
