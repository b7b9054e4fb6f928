import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  archiveChannel,
  createPortalConversation,
  openDirectConversation,
  unarchiveChannel,
  updateChannel,
} from '#contract/chat/channels.ts'
import { addChannelMember } from '#contract/chat/members.ts'
import type { ChannelRole } from '#contract/chat/shapes.ts'
import { limits } from '#contract/limits.ts'
import { newId } from '#platform/ids.ts'
import { auditEntriesOf, createTestChannel, eventsIn } from '#tests/support/chat/chat.ts'
import { itemAt, mapAll } from '#tests/support/elements.ts'
import {
  type Organization,
  type Person,
  startTestServer,
  type TestServer,
} from '#tests/support/test-server.ts'

let server: TestServer
let organization: Organization
let owner: Person
beforeAll(async () => {
  server = await startTestServer()
  organization = await server.organization()
  owner = await organization.person()
})
afterAll(() => server?.close())

const change = (who: Person, id: string, body: Record<string, unknown>) =>
  who.send(updateChannel, { params: { id }, body: body as never })
const refused = (status: number, errorCode: string) => ({ status, body: { errorCode } })
const emittedNames = async (id: string) => (await eventsIn(server, id)).map(({ name }) => name).slice(2)

async function inRole(id: string, role: ChannelRole, overrides = {}): Promise<Person> {
  const person = await organization.person(overrides)
  await owner.call(addChannelMember, { params: { id }, body: { personId: person.id, role } })
  return person
}

describe('changing', () => {
  it('keeps omitted fields and emits the changed ones', async () => {
    const channel = await createTestChannel(owner, { name: 'Before', description: 'Old' })
    const { id } = channel
    expect((await change(owner, id, { name: 'Before', description: 'Old' })).body).toEqual(channel)
    expect(await emittedNames(id)).toEqual([])
    const changed = await change(owner, id, { name: ' After ', isDiscoverable: true })
    expect(changed).toMatchObject({
      status: 200,
      body: { name: 'After', description: 'Old', isDiscoverable: true },
    })
    expect((await change(owner, id, { description: null })).body.description).toBeNull()
    expect((await eventsIn(server, id)).slice(2)).toMatchObject([
      { name: 'chat.channel.updated', data: { channelId: id } },
      {
        name: 'CHAT_CHANNEL_UPDATED',
        data: {
          channelId: id,
          type: 'CHANNEL',
          name: 'After',
          description: 'Old',
          isDiscoverable: true,
          changes: ['name', 'isDiscoverable'],
        },
        about: { channelId: id },
      },
      { name: 'chat.channel.updated' },
      { name: 'CHAT_CHANNEL_UPDATED', data: { description: null, changes: ['description'] } },
    ])
    expect((await auditEntriesOf(server, id)).slice(1).map(({ changed }) => changed)).toEqual([
      [],
      ['name', 'isDiscoverable'],
      ['description'],
    ])
  })

  it('refuses an empty body, long values and a discoverable group', async () => {
    const { id } = await createTestChannel(owner)
    const group = await createTestChannel(owner, { type: 'GROUP' })
    for (const body of [
      {},
      { name: '' },
      { name: null },
      { name: 'x'.repeat(limits.channelName + 1) },
      { description: 'x'.repeat(limits.channelDescription + 1) },
      { isDiscoverable: 'yes' },
      { type: 'GROUP' },
    ])
      expect([body, await change(owner, id, body)]).toMatchObject([body, refused(400, 'VALIDATION_ERROR')])
    expect(await change(owner, group.id, { isDiscoverable: true })).toMatchObject(
      refused(400, 'VALIDATION_ERROR'),
    )
    expect((await change(owner, group.id, { name: 'Still a group' })).status).toBe(200)
  })
})

describe('archiving', () => {
  it('makes a channel read-only until it is unarchived', async () => {
    const { id } = await createTestChannel(owner)
    const archived = await owner.call(archiveChannel, { params: { id } })
    expect(archived).toMatchObject({ isArchived: true, archivedAt: archived.updatedAt })
    expect(await owner.call(archiveChannel, { params: { id } })).toEqual(archived)
    expect(await change(owner, id, { name: 'x' })).toMatchObject(refused(409, 'CHANNEL_ARCHIVED'))
    const { personId } = { personId: (await organization.person()).id }
    expect(await owner.send(addChannelMember, { params: { id }, body: { personId } })).toMatchObject(
      refused(409, 'CHANNEL_ARCHIVED'),
    )
    const opened = await owner.call(unarchiveChannel, { params: { id } })
    expect(opened).toMatchObject({ isArchived: false, archivedAt: null })
    expect(await owner.call(unarchiveChannel, { params: { id } })).toEqual(opened)
    expect((await change(owner, id, { name: 'x' })).status).toBe(200)
    expect(await emittedNames(id)).toEqual([
      'chat.channel.archived',
      'CHAT_CHANNEL_ARCHIVED',
      'chat.channel.updated',
      'chat.channel.updated',
      'CHAT_CHANNEL_UPDATED',
    ])
    expect((await auditEntriesOf(server, id)).slice(1).map(({ changed }) => changed)).toEqual([
      ['archivedAt'],
      [],
      ['archivedAt'],
      [],
      ['name'],
    ])
  })

  it('emits one event for concurrent requests', async () => {
    const { id } = await createTestChannel(owner)
    await Promise.all(Array.from({ length: 6 }, () => owner.call(archiveChannel, { params: { id } })))
    expect(await emittedNames(id)).toEqual(['chat.channel.archived', 'CHAT_CHANNEL_ARCHIVED'])
  })
})

describe('authorization', () => {
  const all = (who: Person, id: string) => [
    change(who, id, { name: `Renamed ${newId()}` }),
    who.send(archiveChannel, { params: { id } }),
    who.send(unarchiveChannel, { params: { id } }),
  ]

  it('requires the permission and a role in the channel', async () => {
    const { id } = await createTestChannel(owner)
    const without = await inRole(id, 'ADMIN', { permissions: ['CHAT_USE'] })
    for (const answer of await Promise.all(all(without, id)))
      expect(answer).toMatchObject(refused(403, 'PERMISSION_DENIED'))
    for (const answer of await Promise.all(all(await inRole(id, 'MEMBER'), id)))
      expect(answer).toMatchObject(refused(403, 'CHANNEL_ROLE_REQUIRED'))
    const admin = await inRole(id, 'ADMIN')
    const administrator = await organization.person({ role: 'ADMIN' })
    for (const who of [admin, administrator])
      for (const answer of await Promise.all(all(who, id))) expect([200, 409]).toContain(answer.status)
  })

  it('answers for a hidden channel exactly as for an unknown one', async () => {
    const { id } = await createTestChannel(owner)
    const [outsider, stranger] = [
      await organization.person(),
      await (await server.organization()).person({ role: 'OWNER' }),
    ]
    for (const who of [outsider, stranger]) {
      const [hidden, unknown] = await mapAll([id, newId()], channelId => Promise.all(all(who, channelId)))
      for (const [at, answer] of hidden.entries()) {
        expect(answer).toMatchObject(refused(404, 'CHANNEL_NOT_FOUND'))
        expect(answer.text).toBe(itemAt(unknown, at).text)
      }
    }
  })

  it('refuses everybody in direct and portal conversations', async () => {
    const body = { personIds: [(await organization.person()).id] }
    const direct = await owner.call(openDirectConversation, { body })
    const portal = await owner.call(createPortalConversation, {
      body: { customerReference: 'c-1', name: 'Acme' },
    })
    const administrator = await organization.person({ role: 'OWNER' })
    for (const { id } of [direct, portal]) {
      for (const answer of await Promise.all(all(owner, id)))
        expect(answer).toMatchObject(refused(409, 'CHANNEL_NOT_GOVERNED'))
      for (const answer of await Promise.all(all(administrator, id)))
        expect(answer).toMatchObject(refused(404, 'CHANNEL_NOT_FOUND'))
    }
  })
})
