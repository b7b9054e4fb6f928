import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { archiveChannel, updateChannel } from '#contract/chat/channels.ts'
import {
  addChannelMember,
  leaveChannel,
  moveReadMarker,
  removeChannelMember,
} from '#contract/chat/members.ts'
import type { MessageVisibility } from '#contract/chat/shapes.ts'
import { newId } from '#platform/ids.ts'
import { createTestChannel } from '#tests/support/chat/chat.ts'
import { defined, findIn, firstOf, mapAll } from '#tests/support/elements.ts'
import { announce, type EventStream, openStream, streamsAt } from '#tests/support/event-stream.ts'
import { insertRows } from '#tests/support/rows.ts'
import {
  type Organization,
  type Person,
  startTestServer,
  type TestServer,
} from '#tests/support/test-server.ts'

let server: TestServer
let organization: Organization
beforeAll(async () => {
  server = await startTestServer()
  organization = await server.organization()
})
afterAll(() => server?.close())

const openChatStream = streamsAt('/api/chat/events', () => server)
const streamOf: typeof openChatStream = async (...options) => {
  // a stream does not receive earlier events
  await server.relayed()
  return openChatStream(...options)
}
const people = (count: number) =>
  Promise.all(Array.from({ length: count }, () => organization.person())) as Promise<Person[]>

let number = 0
/** Inserts the rows of a message; the tests emit the events themselves. */
async function message(
  channelId: string,
  author: Person,
  visibility: MessageVisibility,
  readers: Person[] = [],
) {
  const [id, seq] = [newId(), ++number]
  await insertRows(server, 'chat_message', [
    { organization_id: organization.id, id, channel_id: channelId, seq, author_id: author.id, visibility },
  ])
  await insertRows(
    server,
    'chat_reader',
    readers.map(reader => ({
      organization_id: organization.id,
      channel_id: channelId,
      person_id: reader.id,
      seq,
      message_id: id,
    })),
  )
  return { channelId, messageId: id, seq, parentMessageId: null }
}

/** Emits an event in a channel of all, and resolves when all streams have received it. */
async function waitForAll(actor: Person, id: string, streams: EventStream[]): Promise<void> {
  const agentId = newId()
  await announce(server, actor, 'chat.agent.changed', { channelId: id, agentId })
  await Promise.all(streams.map(stream => stream.until(({ data }) => data?.agentId === agentId)))
}
/** The events of a stream by frame, without the marker events. */
const frames = (stream: EventStream) =>
  stream
    .events()
    .map(({ event }) => event)
    .filter(event => event !== 'agent-changed')

describe('opening a stream', () => {
  it('requires a stream token and the permission to use chat', async () => {
    const person = await organization.person()
    const at = (query: string) => openStream(`${server.url}/api/chat/events${query}`)
    expect((await at('')).status).toBe(401)
    expect((await at(`?token=${person.token}`)).status).toBe(401)
    const stream = await streamOf(person)
    expect(stream.headers['content-type']).toBe('text/event-stream')
    expect(stream.frames[1]).toMatchObject({ event: 'connected', data: { userId: person.id } })
    const withoutChat = await streamOf(await organization.person({ permissions: ['STUDIO_VIEW'] }))
    expect([withoutChat.status, JSON.parse(withoutChat.body).errorCode]).toEqual([403, 'PERMISSION_DENIED'])
  })

  it('allows five streams, in addition to streams of other areas', async () => {
    const person = await organization.person()
    for (let count = 0; count < 5; count++) expect((await streamOf(person)).status).toBe(200)
    const sixth = await streamOf(person)
    expect([sixth.status, JSON.parse(sixth.body).errorCode]).toEqual([429, 'TOO_MANY_STREAMS'])
    expect((await streamOf(person, { path: '/api/studio/events' })).status).toBe(200)
  })
})

describe('audience', () => {
  it('of channel events: members, at every node, and the removed person for a removal', async () => {
    const [owner, member, outsider] = (await people(3)) as [Person, Person, Person]
    const administrator = await organization.person({ role: 'OWNER' })
    const stranger = await (await server.organization()).person({ role: 'OWNER' })
    const { url } = await server.anotherApi()
    const common = await createTestChannel(owner, {
      memberIds: [member, outsider, administrator].map(({ id }) => id),
    })
    const [o, m, out, b] = await Promise.all([
      streamOf(owner),
      streamOf(member, { url }),
      streamOf(outsider),
      streamOf(administrator),
    ])
    const theirs = await streamOf(stranger)

    const { id } = await createTestChannel(owner, { isDiscoverable: true })
    const params = { id }
    await owner.call(updateChannel, { params, body: { name: 'Renamed' } })
    await owner.call(addChannelMember, { params, body: { personId: member.id } })
    await owner.call(updateChannel, { params, body: { name: 'Again' } })
    await owner.call(removeChannelMember, { params: { id, personId: member.id } })
    await owner.call(updateChannel, { params, body: { name: 'Without them' } })
    await waitForAll(owner, common.id, [o, m, out, b])
    expect(frames(o)).toEqual([
      'channel-created',
      'channel-updated',
      'member-added',
      'channel-updated',
      'member-removed',
      'channel-updated',
    ])
    expect(frames(out)).toEqual([])
    // an administrator of the organization manages the channel and receives no events
    expect(frames(b)).toEqual([])
    expect(theirs.events()).toEqual([])
    // members at the time of delivery, which may be a little later
    expect(frames(m)).toContain('member-removed')
    expect(frames(m).at(-1)).toBe('member-removed')
    const removed = firstOf(m.events().filter(({ event }) => event === 'member-removed'))
    expect(removed.data).toMatchObject({
      organizationId: organization.id,
      actorId: owner.id,
      channelId: id,
      personId: member.id,
    })

    await owner.call(archiveChannel, { params })
    await owner.call(leaveChannel, { params })
    await waitForAll(owner, common.id, [o])
    expect(frames(o).at(-1)).toBe('member-removed')
  })

  it('of message events: people who may read the message', async () => {
    const [author, reader, other] = (await people(3)) as [Person, Person, Person]
    const { id } = await createTestChannel(author, { memberIds: [reader.id, other.id] })
    const streams = await mapAll([author, reader, other], person => streamOf(person))
    const messages = {
      visible: await message(id, author, 'VISIBLE'),
      internal: await message(id, author, 'INTERNAL'),
      private: await message(id, author, 'PRIVATE', [author, reader]),
    }
    for (const each of Object.values(messages)) {
      await announce(server, author, 'chat.message.created', each)
      await announce(server, author, 'chat.message.updated', each)
    }
    await waitForAll(author, id, streams)
    const received = (stream: EventStream) =>
      Object.entries(messages).flatMap(([name, { messageId }]) =>
        stream.events().flatMap(({ event, data }) => (data.messageId === messageId ? [[name, event]] : [])),
      )
    const shared = ['visible', 'internal'].flatMap(name => [
      [name, 'message-created'],
      [name, 'message-updated'],
    ])
    expect(received(streams[2])).toEqual(shared)
    const all = [...shared, ['private', 'message-created'], ['private', 'message-updated']]
    expect(received(streams[0])).toEqual(all)
    expect(received(streams[1])).toEqual(all)
    const { data } = findIn(streams[2].events(), ({ event }) => event === 'message-created')
    expect(Object.keys(data).sort()).toEqual(
      [
        'actorId',
        'at',
        'channelId',
        'id',
        'messageId',
        'organizationId',
        'parentMessageId',
        'seq',
        'type',
      ].sort(),
    )
  })

  it('of deletions: people who could read the message', async () => {
    const [author, reader, other] = (await people(3)) as [Person, Person, Person]
    const { id } = await createTestChannel(author, { memberIds: [reader.id, other.id] })
    const streams = await Promise.all([author, reader, other].map(person => streamOf(person)))
    const gone = async (visibility: MessageVisibility, isDeleted: boolean) => {
      const messages = await message(id, author, visibility, visibility === 'PRIVATE' ? [author, reader] : [])
      if (isDeleted)
        await server.sql('update chat_message set deleted_at = now() where id = $1', [messages.messageId])
      await announce(server, author, 'chat.message.deleted', messages)
      await waitForAll(author, id, streams)
      return streams.map(
        stream => stream.events().filter(({ data }) => data.messageId === messages.messageId).length,
      )
    }
    expect(await gone('VISIBLE', true)).toEqual([1, 1, 1])
    expect(await gone('INTERNAL', true)).toEqual([1, 1, 1])
    expect(await gone('PRIVATE', true)).toEqual([1, 1, 0])
    // it became private: its readers receive the update
    expect(await gone('PRIVATE', false)).toEqual([0, 0, 1])
    // an internal message is hidden from applications only
    expect(await gone('INTERNAL', false)).toEqual([1, 1, 1])
  })

  it('of read markers: the devices of the person', async () => {
    const [owner, member] = (await people(2)) as [Person, Person]
    const { id } = await createTestChannel(owner, { memberIds: [member.id] })
    await server.sql('update chat_channel set last_seq = 5 where id = $1', [id])
    const [phone, laptop, theirs] = await Promise.all([streamOf(owner), streamOf(owner), streamOf(member)])
    await owner.call(moveReadMarker, { params: { id }, body: { seq: 4 } })
    await waitForAll(owner, id, [phone, laptop, theirs])
    for (const device of [phone, laptop]) {
      expect(frames(device)).toEqual(['read-moved'])
      expect(firstOf(device.events()).data).toMatchObject({ channelId: id, readSeq: 4 })
    }
    expect(frames(theirs)).toEqual([])
  })
})

describe('reconnecting', () => {
  it('continues after the last event, with the current access', async () => {
    const [owner, member] = (await people(2)) as [Person, Person]
    const { id } = await createTestChannel(owner, { memberIds: [member.id] })
    const params = { id }
    const first = await streamOf(member)
    await owner.call(updateChannel, { params, body: { name: 'One' } })
    const { id: cursor } = await first.until(({ event }) => event === 'channel-updated')
    first.close()
    const hidden = await message(id, owner, 'PRIVATE', [owner])
    await announce(server, owner, 'chat.message.created', hidden)
    await owner.call(updateChannel, { params, body: { name: 'Two' } })
    await server.relayed()
    const headers = { 'Last-Event-ID': defined(cursor) }
    for (const again of [
      await streamOf(member, { headers }),
      await streamOf(member, { more: `&lastEventId=${cursor}` }),
    ]) {
      await waitForAll(owner, id, [again])
      expect(frames(again)).toEqual(['channel-updated'])
    }
    await owner.call(removeChannelMember, { params: { id, personId: member.id } })
    await server.relayed()
    const gone = await streamOf(member, { headers })
    await gone.until(({ event }) => event === 'member-removed')
    expect(frames(gone)).toEqual(['member-removed'])
    const lost = await streamOf(member, { headers: { 'Last-Event-ID': 'x' } })
    expect((await lost.until(({ event }) => event === 'resync')).data).toEqual({ reason: 'unknown' })
  })
})
