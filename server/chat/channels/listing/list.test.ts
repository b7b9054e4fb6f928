import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  archiveChannel,
  createPortalConversation,
  listDirectory,
  listGovernedChannels,
  listOwnChannels,
  openDirectConversation,
  readChannel,
} from '#contract/chat/channels.ts'
import { addChannelMember } from '#contract/chat/members.ts'
import { removeMember } from '#contract/identity/organization.ts'
import { limits } from '#contract/limits.ts'
import { newId } from '#platform/ids.ts'
import { createTestChannel, sendMessage } from '#tests/support/chat/chat.ts'
import { firstOf, lastOf } from '#tests/support/elements.ts'
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

const refused = (status: number, errorCode: string) => ({ status, body: { errorCode } })
/** Adds messages to a channel; the last one is the given number of minutes from now. */
async function talk(id: string, author: Person, messages: number, minutes: number): Promise<void> {
  for (let n = 0; n < messages; n++) await sendMessage(author, id)
  await server.sql(
    `update chat_channel set last_message_at = now() + $2 * interval '1 minute' where id = $1`,
    [id, minutes],
  )
}

describe('own channels', () => {
  const names = async (who: Person, query = {}) => {
    const { items, total } = await who.call(listOwnChannels, { query })
    return [items.map(({ name }) => name), total]
  }

  it('are sorted by the latest message, with unread counts, filtered by kind and archive', async () => {
    const [me, other] = [await organization.person(), await organization.person({ name: 'Ana Other' })]
    const quiet = await createTestChannel(me, { name: 'Quiet' })
    const busy = await createTestChannel(me, { name: 'Busy' })
    const group = await createTestChannel(other, { name: 'Team', type: 'GROUP', memberIds: [me.id] })
    await createTestChannel(other, { name: 'Not mine', isDiscoverable: true })
    const direct = await me.call(openDirectConversation, { body: { personIds: [other.id] } })
    await me.call(addChannelMember, { params: { id: busy.id }, body: { personId: other.id } })
    await talk(busy.id, other, 7, 2)
    await talk(direct.id, other, 3, 1)
    expect(await names(me)).toEqual([['Busy', null, 'Team', 'Quiet'], 4])
    expect(await names(me, { limit: 2, offset: 1 })).toEqual([[null, 'Team'], 4])
    expect(await names(me, { offset: 4 })).toEqual([[], 4])
    expect(await names(me, { type: 'GROUP' })).toEqual([['Team'], 1])
    await me.call(archiveChannel, { params: { id: quiet.id } })
    expect(await names(me)).toEqual([['Busy', null, 'Team'], 3])
    expect(await names(me, { archived: true })).toEqual([['Quiet'], 1])

    const { items } = await me.call(listOwnChannels)
    expect(items[0]).toMatchObject({ role: 'OWNER', lastSeq: 7, readSeq: 0, unreadCount: 7, people: null })
    expect(firstOf(items).lastMessageAt).not.toBeNull()
    expect(items[1]).toMatchObject({
      role: 'MEMBER',
      unreadCount: 3,
      people: [{ id: other.id, displayName: 'Ana Other' }],
    })
    expect(items[2]).toMatchObject({ id: group.id, role: 'MEMBER', unreadCount: 0, lastMessageAt: null })
    for (const item of items) expect(await me.call(readChannel, { params: { id: item.id } })).toEqual(item)
  })

  it('refuse a page that is too large or has too large an offset', async () => {
    const me = await organization.person()
    for (const query of [
      { limit: limits.pageLimit + 1 },
      { offset: limits.pageOffset + 1 },
      { type: 'ROOM' },
    ])
      expect(await me.send(listOwnChannels, { query: query as never })).toMatchObject(
        refused(400, 'VALIDATION_ERROR'),
      )
  })
})

describe('one channel', () => {
  it('can be read by members, by everybody if it is discoverable, and by administrators', async () => {
    const [owner, outsider] = [await organization.person(), await organization.person()]
    const administrator = await organization.person({ role: 'ADMIN' })
    const stranger = await (await server.organization()).person({ role: 'OWNER' })
    const { id: hidden } = await createTestChannel(owner)
    const { id: open } = await createTestChannel(owner, { isDiscoverable: true })
    const portal = await owner.call(createPortalConversation, { body: { customerReference: 'c', name: 'x' } })
    await talk(open, owner, 4, 0)
    const read = (who: Person, id: string) => who.send(readChannel, { params: { id } })
    expect((await read(owner, hidden)).body).toMatchObject({ role: 'OWNER', readSeq: 0 })
    for (const [who, id] of [
      [outsider, open],
      [administrator, open],
      [administrator, hidden],
    ] as const)
      expect((await read(who, id)).body).toMatchObject({ id, role: null, readSeq: null, unreadCount: 0 })
    const unknown = await read(outsider, newId())
    expect(unknown).toMatchObject(refused(404, 'CHANNEL_NOT_FOUND'))
    for (const [who, id] of [
      [outsider, hidden],
      [administrator, portal.id],
      [stranger, open],
    ] as const)
      expect((await read(who, id)).text).toBe(unknown.text)
    await owner.call(archiveChannel, { params: { id: open } })
    expect((await read(outsider, open)).text).toBe(unknown.text)
  })
})

describe('the directory', () => {
  it('lists discoverable channels by name and searches by a part of the name', async () => {
    const secondOrganization = await server.organization()
    const [owner, other] = [await secondOrganization.person(), await secondOrganization.person()]
    for (const name of ['Árbol', 'azul', 'Bosque 100%', 'Bosques 1000'])
      await createTestChannel(owner, { name, isDiscoverable: true })
    await createTestChannel(owner, { name: 'Hidden' })
    const old = await createTestChannel(owner, { name: 'Old', isDiscoverable: true })
    await owner.call(archiveChannel, { params: { id: old.id } })
    const mine = await createTestChannel(other, { name: 'Zeta', isDiscoverable: true })
    const list = async (query = {}) => {
      const { items, total } = await other.call(listDirectory, { query })
      return [items.map(({ name }) => name), total]
    }
    expect(await list()).toEqual([['Árbol', 'azul', 'Bosque 100%', 'Bosques 1000', 'Zeta'], 5])
    expect(await list({ limit: 2, offset: 3 })).toEqual([['Bosques 1000', 'Zeta'], 5])
    expect(await list({ search: 'ARBÓL' })).toEqual([['Árbol'], 1])
    expect(await list({ search: '100%' })).toEqual([['Bosque 100%'], 1])
    expect(await list({ search: 'sque' })).toEqual([['Bosque 100%', 'Bosques 1000'], 2])
    expect(await list({ search: '' })).toMatchObject([expect.anything(), 5])
    expect(await list({ search: 'hidden' })).toEqual([[], 0])
    const { items } = await other.call(listDirectory)
    expect(items.map(({ role }) => role)).toEqual([null, null, null, null, 'OWNER'])
    expect(lastOf(items).id).toBe(mine.id)
    expect(
      await other.send(listDirectory, { query: { search: 'x'.repeat(limits.search + 1) } }),
    ).toMatchObject(refused(400, 'VALIDATION_ERROR'))
  })
})

describe('all channels', () => {
  it('are listed for administrators, including channels without an owner', async () => {
    const secondOrganization = await server.organization()
    const [owner, administrator] = [
      await secondOrganization.person(),
      await secondOrganization.person({ role: 'OWNER' }),
    ]
    const orphan = await createTestChannel(owner, { name: 'Orphan' })
    await createTestChannel(administrator, { name: 'Álamo', type: 'GROUP' })
    const old = await createTestChannel(administrator, { name: 'Old' })
    await administrator.call(archiveChannel, { params: { id: old.id } })
    await administrator.call(openDirectConversation, { body: { personIds: [owner.id] } })
    await owner.call(createPortalConversation, { body: { customerReference: 'c', name: 'Portal' } })
    const list = async (query = {}) => {
      const { items, total } = await administrator.call(listGovernedChannels, { query })
      return [items.map(({ name, role, hasOwner }) => [name, role, hasOwner]), total]
    }
    expect(await list()).toEqual([
      [
        ['Álamo', 'OWNER', true],
        ['Orphan', null, true],
      ],
      2,
    ])
    expect(await owner.send(listGovernedChannels)).toMatchObject(refused(403, 'PERMISSION_DENIED'))
    await administrator.call(removeMember, { params: { personId: owner.id } })
    expect(await list({ search: 'órp' })).toEqual([[['Orphan', null, false]], 1])
    expect(await list({ archived: true })).toEqual([[['Old', 'OWNER', true]], 1])
    expect(await list({ limit: 1, offset: 1 })).toEqual([[['Orphan', null, false]], 2])
    expect(await list({ hasOwner: false })).toEqual([[['Orphan', null, false]], 1])
    expect(await list({ hasOwner: false, search: 'álamo' })).toEqual([[], 0])
    expect(await list({ hasOwner: true })).toEqual([[['Álamo', 'OWNER', true]], 1])
    await administrator.call(archiveChannel, { params: { id: orphan.id } })
    expect(await list()).toMatchObject([[['Álamo', 'OWNER', true]], 1])
  })
})
