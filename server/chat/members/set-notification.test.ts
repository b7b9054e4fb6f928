import { afterAll, beforeAll, expect, it } from 'vitest'
import { listOwnChannels, readChannel } from '#contract/chat/channels.ts'
import { addChannelMember, removeChannelMember, setChannelNotification } from '#contract/chat/members.ts'
import {
  type ChatFixture,
  createTestChannel,
  eventsIn,
  sendMessage,
  startChatFixture,
} from '#tests/support/chat/chat.ts'
import { refusalOf } from '#tests/support/refusals.ts'
import type { Person } from '#tests/support/test-server.ts'

let fixture: ChatFixture
beforeAll(async () => {
  fixture = await startChatFixture()
})
afterAll(() => fixture.server.close())

const set = (person: Person, id: string, notification: unknown) =>
  person.send(setChannelNotification, { params: { id }, body: { notification } as never })

it('is ALL at first, changes for the caller alone, and ends with the membership', async () => {
  const { owner, member, server } = fixture
  const { id } = await createTestChannel(owner, { memberIds: [member.id] })
  const of = async (person: Person) => (await person.call(readChannel, { params: { id } })).notification
  expect(await of(member)).toBe('ALL')
  expect(await set(member, id, 'MENTIONS')).toMatchObject({ status: 200, body: { notification: 'MENTIONS' } })
  expect(await set(member, id, 'MENTIONS')).toMatchObject({ status: 200 })
  expect([await of(member), await of(owner)]).toEqual(['MENTIONS', 'ALL'])
  const listed = (await member.call(listOwnChannels, {})).items.find(channel => channel.id === id)
  expect(listed).toMatchObject({ notification: 'MENTIONS' })
  // a muted channel still counts
  await set(member, id, 'NONE')
  await sendMessage(owner, id)
  expect(await member.call(readChannel, { params: { id } })).toMatchObject({ unreadCount: 1 })
  const changes = (await eventsIn(server, id)).filter(({ name }) => name === 'chat.notification.changed')
  expect(changes.map(({ data }) => data)).toEqual([{ channelId: id }, { channelId: id }])
  await owner.call(removeChannelMember, { params: { id, personId: member.id } })
  await owner.call(addChannelMember, { params: { id }, body: { personId: member.id } })
  expect(await of(member)).toBe('ALL')
})

it('is only for members, and one of three', async () => {
  const { owner, outsider, admin, stranger } = fixture
  const { id } = await createTestChannel(owner, { isDiscoverable: true })
  for (const person of [outsider, admin, stranger])
    expect(refusalOf(await set(person, id, 'NONE'))).toEqual([404, 'CHANNEL_NOT_FOUND'])
  expect((await set(owner, id, 'SOME')).status).toBe(400)
  expect(await admin.call(readChannel, { params: { id } })).toMatchObject({ notification: null })
})
