import { afterAll, beforeAll, expect, it } from 'vitest'
import { readChannel } from '#contract/chat/channels.ts'
import { addChannelMember, moveReadMarker } from '#contract/chat/members.ts'
import { newId } from '#platform/ids.ts'
import { announcedIn, makeChannel, recordedOf } from '#tests/chat.ts'
import { type Organization, openWorld, type Person, type TestWorld } from '#tests/world.ts'

let world: TestWorld
let organization: Organization
let reader: Person
let id: string
beforeAll(async () => {
  world = await openWorld()
  organization = await world.organization()
  reader = await organization.person()
  const owner = await organization.person()
  id = (await makeChannel(owner)).id
  await owner.call(addChannelMember, { params: { id }, body: { personId: reader.id } })
  await world.sql('update chat_channel set last_seq = 100 where id = $1', [id])
})
afterAll(() => world?.close())

const move = (who: Person, seq: unknown, channel = id) =>
  who.send(moveReadMarker, { params: { id: channel }, body: { seq } as never })

it('moves forward and to the last message at most, and tells the other devices of the reader', async () => {
  expect((await move(reader, 30)).body).toEqual({ readSeq: 30, unreadCount: 70 })
  expect((await move(reader, 20)).body).toEqual({ readSeq: 30, unreadCount: 70 })
  expect((await move(reader, 30)).body).toEqual({ readSeq: 30, unreadCount: 70 })
  expect((await move(reader, Number.MAX_SAFE_INTEGER)).body).toEqual({ readSeq: 100, unreadCount: 0 })
  expect(await reader.call(readChannel, { params: { id } })).toMatchObject({ readSeq: 100, unreadCount: 0 })
  expect((await announcedIn(world, id)).slice(3)).toMatchObject([
    { name: 'chat.read.moved', data: { channelId: id, readSeq: 30 } },
    { name: 'chat.read.moved', data: { channelId: id, readSeq: 100 } },
  ])
  // what moved nothing left no record
  expect((await recordedOf(world, id)).slice(2).map(({ changed }) => changed)).toEqual([
    ['readSeq'],
    ['readSeq'],
  ])
})

it('ends at the furthest, in whatever order its devices say so', async () => {
  const owner = await organization.person()
  const { id: busy } = await makeChannel(owner)
  await world.sql('update chat_channel set last_seq = 40 where id = $1', [busy])
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, at) => move(owner, ((at * 7) % 20) + 1, busy)),
  )
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  expect(await owner.call(readChannel, { params: { id: busy } })).toMatchObject({
    readSeq: 20,
    unreadCount: 20,
  })
  const told = (await announcedIn(world, busy)).slice(2).map(({ data }) => Number(data.readSeq))
  expect(told.at(-1)).toBe(20)
  expect(told).toEqual([...new Set(told)].sort((a, b) => a - b))
})

it('is for who is in the channel', async () => {
  const boss = await organization.person({ role: 'OWNER' })
  const stranger = await (await world.organization()).person()
  const unknown = await move(reader, 1, newId())
  expect(unknown).toMatchObject({ status: 404, body: { errorCode: 'CHANNEL_NOT_FOUND' } })
  for (const who of [boss, stranger]) expect((await move(who, 1)).text).toBe(unknown.text)
  for (const seq of [-1, 1.5, '1', null, Number.MAX_SAFE_INTEGER + 1])
    expect([seq, (await move(reader, seq)).status]).toEqual([seq, 400])
})
