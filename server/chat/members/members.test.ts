import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { archiveChannel, createChannel, listGovernedChannels, readChannel } from '#contract/chat/channels.ts'
import {
  addChannelMember,
  changeChannelMember,
  joinChannel,
  leaveChannel,
  listChannelMembers,
  removeChannelMember,
} from '#contract/chat/members.ts'
import type { ChannelRole } from '#contract/chat/shapes.ts'
import { removeMember } from '#contract/identity/organization.ts'
import { limits } from '#contract/limits.ts'
import { newId } from '#platform/ids.ts'
import { auditEntriesOf, createTestChannel, eventsIn } from '#tests/support/chat/chat.ts'
import { fillWithMembers, plantChannels } from '#tests/support/chat/many-channels.ts'
import { mapAll } from '#tests/support/elements.ts'
import {
  type Organization,
  type Person,
  startTestServer,
  type TestServer,
} from '#tests/support/test-server.ts'

let server: TestServer
let organization: Organization
let administrator: Person
beforeAll(async () => {
  server = await startTestServer()
  organization = await server.organization()
  administrator = await organization.person({ role: 'OWNER' })
})
afterAll(() => server?.close())

const refused = (status: number, errorCode: string) => ({ status, body: { errorCode } })
const add = (who: Person, id: string, personId: string, role?: ChannelRole) =>
  who.send(addChannelMember, { params: { id }, body: { personId, ...(role && { role }) } })
const change = (who: Person, id: string, personId: string, role: ChannelRole) =>
  who.send(changeChannelMember, { params: { id, personId }, body: { role } })
const remove = (who: Person, id: string, personId: string) =>
  who.send(removeChannelMember, { params: { id, personId } })
const join = (who: Person, id: string) => who.send(joinChannel, { params: { id } })
const leave = (who: Person, id: string) => who.send(leaveChannel, { params: { id } })
const inside = async (who: Person, id: string) =>
  (await who.call(listChannelMembers, { params: { id } })).items.map(({ id, role }) => [id, role])
/** The events after the creation of the channel. */
const memberEvents = async (id: string) =>
  (await eventsIn(server, id)).slice(2).map(({ name, data }) => [name, data.personId])

/** A channel with a person in each role. */
async function staffed(overrides = {}) {
  const people = await Promise.all(Array.from({ length: 4 }, () => organization.person()))
  const [owner, admin, member, outsider] = people as [Person, Person, Person, Person]
  const { id } = await createTestChannel(owner, overrides)
  await add(owner, id, admin.id, 'ADMIN')
  await add(owner, id, member.id)
  return { id, owner, admin, member, outsider }
}

describe('the list', () => {
  it('is sorted by role, then by the time of joining, without people who left the organization', async () => {
    const { id, owner, admin, member, outsider } = await staffed({ isDiscoverable: true })
    const second = await organization.person()
    await add(owner, id, second.id, 'OWNER')
    const all = [
      [owner.id, 'OWNER'],
      [second.id, 'OWNER'],
      [admin.id, 'ADMIN'],
      [member.id, 'MEMBER'],
    ]
    for (const who of [owner, member, outsider, administrator]) expect(await inside(who, id)).toEqual(all)
    expect(await owner.call(listChannelMembers, { params: { id }, query: { limit: 1, offset: 2 } })).toEqual({
      items: [{ kind: 'USER', id: admin.id, displayName: admin.name, role: 'ADMIN' }],
      total: 4,
      limit: 1,
      offset: 2,
    })
    await administrator.call(removeMember, { params: { personId: second.id } })
    expect(await inside(owner, id)).toEqual(all.filter(([personId]) => personId !== second.id))
    const { total } = await owner.call(listChannelMembers, { params: { id } })
    expect(total).toBe(3)
  })
})

describe('adding', () => {
  it('adds a member, or another role that an owner chooses', async () => {
    const { id, owner, admin, outsider } = await staffed()
    const added = await add(admin, id, outsider.id)
    expect([added.status, added.body]).toEqual([
      201,
      { kind: 'USER', id: outsider.id, displayName: outsider.name, role: 'MEMBER' },
    ])
    const second = await organization.person()
    expect((await add(owner, id, second.id, 'OWNER')).body.role).toBe('OWNER')
    expect((await memberEvents(id)).slice(2)).toEqual([
      ['chat.member.added', outsider.id],
      ['chat.member.added', second.id],
    ])
    expect((await auditEntriesOf(server, id)).at(-1)).toMatchObject({
      operation: 'POST /api/chat/channels/:id/members',
      actor_id: owner.id,
      changed: [`members.${second.id}`],
    })
    // earlier messages count as read
    await server.sql('update chat_channel set last_seq = 9 where id = $1', [id])
    const late = await organization.person()
    await add(owner, id, late.id)
    expect(await late.call(readChannel, { params: { id } })).toMatchObject({ readSeq: 9, unreadCount: 0 })
  })

  it('refuses members, unknown people and roles that only an owner may assign', async () => {
    const { id, owner, admin, member, outsider } = await staffed()
    const stranger = await (await server.organization()).person()
    expect(await add(owner, id, member.id)).toMatchObject(refused(409, 'CHANNEL_MEMBER_EXISTS'))
    const [foreign, unknown] = await mapAll([stranger.id, newId()], who => add(owner, id, who))
    expect(foreign).toMatchObject(refused(404, 'MEMBER_NOT_FOUND'))
    expect(foreign.text).toBe(unknown.text)
    for (const role of ['ADMIN', 'OWNER'] as const)
      expect(await add(admin, id, outsider.id, role)).toMatchObject(refused(403, 'CHANNEL_ROLE_REQUIRED'))
    expect(await add(owner, id, outsider.id, 'GUEST' as never)).toMatchObject(
      refused(400, 'VALIDATION_ERROR'),
    )
  })

  it('adds a person once for concurrent requests', async () => {
    const { id, owner, admin, outsider } = await staffed()
    const answers = await Promise.all([owner, admin, owner, admin].map(who => add(who, id, outsider.id)))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409])
    expect((await memberEvents(id)).slice(2)).toEqual([['chat.member.added', outsider.id]])
  })

  it('enforces the limit of members, also for concurrent requests', async () => {
    const secondOrganization = await server.organization()
    const owner = await secondOrganization.person()
    const { id } = await createTestChannel(owner, { isDiscoverable: true })
    await fillWithMembers(server, secondOrganization.id, id, limits.membersPerChannel - 2)
    const [one, other] = [await secondOrganization.person(), await secondOrganization.person()]
    const answers = await Promise.all([add(owner, id, one.id), join(other, id)])
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409])
    expect(answers.find(({ status }) => status === 409)).toMatchObject(refused(409, 'TOO_MANY_IN_CHANNEL'))
    const late = await secondOrganization.person()
    for (const answer of [await add(owner, id, late.id), await join(late, id)])
      expect(answer).toMatchObject(refused(409, 'TOO_MANY_IN_CHANNEL'))
    expect((await owner.call(listChannelMembers, { params: { id } })).total).toBe(limits.membersPerChannel)
  })
})

describe('changing a role', () => {
  it('is for owners and emits the change', async () => {
    const { id, owner, admin, member } = await staffed()
    expect((await change(owner, id, member.id, 'MEMBER')).status).toBe(200)
    expect((await change(owner, id, member.id, 'ADMIN')).body).toMatchObject({ id: member.id, role: 'ADMIN' })
    for (const [who, role] of [
      [member.id, 'MEMBER'],
      [member.id, 'OWNER'],
      [owner.id, 'MEMBER'],
    ] as const)
      expect(await change(admin, id, who, role)).toMatchObject(refused(403, 'CHANNEL_ROLE_REQUIRED'))
    const [stranger] = [await (await server.organization()).person()]
    const answers = await mapAll([stranger.id, newId()], personId => change(owner, id, personId, 'ADMIN'))
    expect(answers[0]).toMatchObject(refused(404, 'CHANNEL_MEMBER_NOT_FOUND'))
    expect(answers[0].text).toBe(answers[1].text)
    expect((await memberEvents(id)).slice(2)).toEqual([['chat.member.changed', member.id]])
  })

  it('keeps an owner, also when two owners step down concurrently', async () => {
    for (let round = 0; round < 4; round++) {
      const { id, owner, admin } = await staffed()
      expect(await change(owner, id, owner.id, 'MEMBER')).toMatchObject(refused(409, 'CHANNEL_NEEDS_OWNER'))
      await change(owner, id, admin.id, 'OWNER')
      const answers = await Promise.all([
        change(owner, id, owner.id, 'MEMBER'),
        change(admin, id, admin.id, 'MEMBER'),
      ])
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    }
  })
})

describe('removing', () => {
  it('lets administrators of the channel remove members, and owners remove anybody', async () => {
    const { id, owner, admin, member } = await staffed()
    const [second, third] = [await organization.person(), await organization.person()]
    await add(owner, id, second.id, 'ADMIN')
    await add(owner, id, third.id, 'OWNER')
    for (const who of [owner, second, admin])
      expect(await remove(admin, id, who.id)).toMatchObject(refused(403, 'CHANNEL_ROLE_REQUIRED'))
    expect((await remove(admin, id, member.id)).status).toBe(204)
    expect((await remove(owner, id, second.id)).status).toBe(204)
    expect((await remove(owner, id, third.id)).status).toBe(204)
    expect(await remove(owner, id, owner.id)).toMatchObject(refused(409, 'CHANNEL_NEEDS_OWNER'))
    expect(await remove(owner, id, member.id)).toMatchObject(refused(404, 'CHANNEL_MEMBER_NOT_FOUND'))
    expect((await memberEvents(id)).slice(4)).toEqual([
      ['chat.member.removed', member.id],
      ['chat.member.removed', second.id],
      ['chat.member.removed', third.id],
    ])
    expect(await member.send(readChannel, { params: { id } })).toMatchObject(
      refused(404, 'CHANNEL_NOT_FOUND'),
    )
  })
})

describe('a person who left the organization', () => {
  it('is no longer an owner; an administrator of the organization appoints a new one', async () => {
    const { id, owner, admin, member } = await staffed()
    await administrator.call(removeMember, { params: { personId: owner.id } })
    // an administrator of the channel can neither become owner nor appoint one
    expect(await change(admin, id, admin.id, 'OWNER')).toMatchObject(refused(403, 'CHANNEL_ROLE_REQUIRED'))
    expect(await administrator.call(listGovernedChannels, {})).toMatchObject({
      items: expect.arrayContaining([expect.objectContaining({ id, hasOwner: false })]),
    })
    expect((await change(administrator, id, admin.id, 'OWNER')).status).toBe(200)
    expect(await leave(admin, id)).toMatchObject(refused(409, 'CHANNEL_NEEDS_OWNER'))
    expect(await remove(admin, id, owner.id)).toMatchObject(refused(404, 'CHANNEL_MEMBER_NOT_FOUND'))
    expect(await inside(administrator, id)).toEqual([
      [admin.id, 'OWNER'],
      [member.id, 'MEMBER'],
    ])
  })
})

describe('joining', () => {
  it('is open to everybody for discoverable channels, and to administrators for all', async () => {
    const { id, member, outsider } = await staffed({ isDiscoverable: true })
    expect(await join(member, id)).toMatchObject(refused(409, 'CHANNEL_MEMBER_EXISTS'))
    expect((await join(outsider, id)).body).toEqual({
      kind: 'USER',
      id: outsider.id,
      displayName: outsider.name,
      role: 'MEMBER',
    })
    expect((await memberEvents(id)).slice(2)).toEqual([['chat.member.added', outsider.id]])

    const hidden = await staffed()
    const [secret, unknown] = await mapAll([hidden.id, newId()], id => join(outsider, id))
    expect(secret).toMatchObject(refused(404, 'CHANNEL_NOT_FOUND'))
    expect(secret.text).toBe(unknown.text)
    expect((await join(administrator, hidden.id)).body).toMatchObject({
      id: administrator.id,
      role: 'MEMBER',
    })
    await hidden.owner.call(archiveChannel, { params: { id: hidden.id } })
    const another = await organization.person({ role: 'ADMIN' })
    expect(await join(another, hidden.id)).toMatchObject(refused(409, 'CHANNEL_ARCHIVED'))
  })

  it('adds a person once for concurrent requests', async () => {
    const { id, outsider } = await staffed({ isDiscoverable: true })
    const answers = await Promise.all([1, 2, 3].map(() => join(outsider, id)))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409])
  })
})

describe('a person', () => {
  it('has a limit of channels, also when joining several concurrently', async () => {
    const secondOrganization = await server.organization()
    const [owner, person] = [
      await secondOrganization.person(),
      await secondOrganization.person({ role: 'ADMIN' }),
    ]
    const open = () => createTestChannel(owner, { isDiscoverable: true })
    const [{ id: one }, { id: other }] = await Promise.all([open(), open()])
    await plantChannels(server, {
      organizationId: secondOrganization.id,
      createdBy: person.id,
      kind: 'GROUP',
      memberId: person.id,
      count: limits.channelsPerPerson - 1,
    })
    const body = { name: 'Another' }
    const answers = await Promise.all([
      join(person, one),
      add(owner, other, person.id),
      person.send(createChannel, { body }),
      owner.send(createChannel, { body: { ...body, memberIds: [person.id] } }),
    ])
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409])
    for (const answer of answers.filter(({ status }) => status === 409))
      expect(answer).toMatchObject(refused(409, 'TOO_MANY_IN_CHANNEL'))
  })
})

describe('leaving', () => {
  it('is open to everybody except the last owner; the last person archives the channel', async () => {
    const { id, owner, admin, member, outsider } = await staffed({ isDiscoverable: true })
    expect(await leave(outsider, id)).toMatchObject(refused(404, 'CHANNEL_MEMBER_NOT_FOUND'))
    expect(await leave(owner, id)).toMatchObject(refused(409, 'CHANNEL_NEEDS_OWNER'))
    for (const who of [member, admin, owner]) expect((await leave(who, id)).status).toBe(204)
    expect(await administrator.call(readChannel, { params: { id } })).toMatchObject({ isArchived: true })
    expect((await memberEvents(id)).slice(2)).toEqual([
      ['chat.member.removed', member.id],
      ['chat.member.removed', admin.id],
      ['chat.member.removed', owner.id],
      ['chat.channel.archived', undefined],
      ['CHAT_CHANNEL_ARCHIVED', undefined],
    ])
  })

  it('keeps an owner when two owners leave concurrently and a member stays', async () => {
    for (let round = 0; round < 4; round++) {
      const { id, owner, admin } = await staffed()
      await change(owner, id, admin.id, 'OWNER')
      const answers = await Promise.all([leave(owner, id), leave(admin, id)])
      expect(answers.map(({ status }) => status).sort()).toEqual([204, 409])
    }
  })

  it('of an archived channel is open to its owner too', async () => {
    const { id, owner } = await staffed()
    await owner.call(archiveChannel, { params: { id } })
    expect((await leave(owner, id)).status).toBe(204)
    expect((await memberEvents(id)).slice(2).map(([name]) => name)).toEqual([
      'chat.channel.archived',
      'CHAT_CHANNEL_ARCHIVED',
      'chat.member.removed',
    ])
  })
})
