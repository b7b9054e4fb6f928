import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  archiveChannel,
  createPortalConversation,
  openDirectConversation,
  readChannel,
  unarchiveChannel,
  updateChannel,
} from '#contract/chat/channels.ts'
import {
  addChannelMember,
  changeChannelMember,
  joinChannel,
  leaveChannel,
  listChannelMembers,
  moveReadMarker,
  removeChannelMember,
} from '#contract/chat/members.ts'
import { createTestChannel } from '#tests/support/chat/chat.ts'
import { defined } from '#tests/support/elements.ts'
import {
  type Organization,
  type Person,
  startTestServer,
  type TestServer,
} from '#tests/support/test-server.ts'

// the permission matrix of channels; each case runs on a new channel

const roles = ['owner', 'admin', 'member', 'outsider', 'administrator', 'stranger'] as const
type Role = (typeof roles)[number]
type People = Record<Role, Person>
type ChannelCase = { id: string; second: Person; newcomer: Person } & People
type CallResult = { status: number; body: unknown }

let server: TestServer
let organization: Organization
let people: People
let second: Person
let newcomer: Person
beforeAll(async () => {
  server = await startTestServer()
  organization = await server.organization()
  const elsewhere = await server.organization()
  people = {
    owner: await organization.person(),
    admin: await organization.person(),
    member: await organization.person(),
    outsider: await organization.person(),
    administrator: await organization.person({ role: 'ADMIN' }),
    stranger: await elsewhere.person({ role: 'OWNER' }),
  }
  second = await organization.person()
  newcomer = await organization.person()
})
afterAll(() => server?.close())

/** A channel or group with the people of each role and a second owner. */
async function createManagedChannel(overrides: object): Promise<ChannelCase> {
  const { id } = await createTestChannel(people.owner, overrides)
  for (const [person, role] of [
    [people.admin, 'ADMIN'],
    [people.member, 'MEMBER'],
    [second, 'OWNER'],
  ] as const)
    await people.owner.call(addChannelMember, { params: { id }, body: { personId: person.id, role } })
  return { id, second, newcomer, ...people }
}
/** The same for a direct or portal conversation, in which owner, admin and member are ordinary members. */
async function createConversation(isDirect: boolean): Promise<ChannelCase> {
  const personIds = [people.admin.id, people.member.id, second.id]
  const { id } = isDirect
    ? await people.owner.call(openDirectConversation, { body: { personIds } })
    : await people.owner.call(createPortalConversation, {
        body: { customerReference: 'customer', name: 'Acme', memberIds: personIds },
      })
  return { id, second, newcomer, ...people }
}
const channelCases = {
  hidden: () => createManagedChannel({}),
  group: () => createManagedChannel({ type: 'GROUP' }),
  listed: () => createManagedChannel({ isDiscoverable: true }),
  async archived() {
    const channel = await createManagedChannel({ isDiscoverable: true })
    await people.owner.call(archiveChannel, { params: { id: channel.id } })
    return channel
  },
  direct: () => createConversation(true),
  portal: () => createConversation(false),
} satisfies Record<string, () => Promise<ChannelCase>>
type Kind = keyof typeof channelCases

const actions: Record<string, (who: Person, channel: ChannelCase) => Promise<CallResult>> = {
  read: (who, { id }) => who.send(readChannel, { params: { id } }),
  members: (who, { id }) => who.send(listChannelMembers, { params: { id } }),
  mark: (who, { id }) => who.send(moveReadMarker, { params: { id }, body: { seq: 0 } }),
  rename: (who, { id }) => who.send(updateChannel, { params: { id }, body: { name: 'Renamed' } }),
  archive: (who, { id }) => who.send(archiveChannel, { params: { id } }),
  unarchive: (who, { id }) => who.send(unarchiveChannel, { params: { id } }),
  add: (who, channel) => add(who, channel, 'MEMBER'),
  'add an administrator': (who, channel) => add(who, channel, 'ADMIN'),
  appoint: (who, { id, member }) =>
    who.send(changeChannelMember, { params: { id, personId: member.id }, body: { role: 'ADMIN' } }),
  'remove a member': (who, channel) => remove(who, channel, channel.member),
  'remove an administrator': (who, channel) => remove(who, channel, channel.admin),
  'remove an owner': (who, channel) => remove(who, channel, channel.second),
  join: (who, { id }) => who.send(joinChannel, { params: { id } }),
  leave: (who, { id }) => who.send(leaveChannel, { params: { id } }),
}
function add(who: Person, { id, newcomer }: ChannelCase, role: 'MEMBER' | 'ADMIN'): Promise<CallResult> {
  return who.send(addChannelMember, { params: { id }, body: { personId: newcomer.id, role } })
}
function remove(who: Person, { id }: ChannelCase, person: Person): Promise<CallResult> {
  return who.send(removeChannelMember, { params: { id, personId: person.id } })
}

const notFound = 'CHANNEL_NOT_FOUND'
const roleRequired = 'CHANNEL_ROLE_REQUIRED'
const archivedError = 'CHANNEL_ARCHIVED'
const notManageable = 'CHANNEL_NOT_GOVERNED'
const memberExists = 'CHANNEL_MEMBER_EXISTS'
const memberNotFound = 'CHANNEL_MEMBER_NOT_FOUND'
type Row = [owner: unknown, admin: unknown, member: unknown, outsider: unknown, administrator: unknown]

const hidden: Record<string, Row> = {
  read: [200, 200, 200, notFound, 200],
  members: [200, 200, 200, notFound, 200],
  mark: [200, 200, 200, notFound, notFound],
  rename: [200, 200, roleRequired, notFound, 200],
  archive: [200, 200, roleRequired, notFound, 200],
  unarchive: [200, 200, roleRequired, notFound, 200],
  add: [201, 201, roleRequired, notFound, 201],
  'add an administrator': [201, roleRequired, roleRequired, notFound, 201],
  appoint: [200, roleRequired, roleRequired, notFound, 200],
  'remove a member': [204, 204, roleRequired, notFound, 204],
  'remove an administrator': [204, roleRequired, roleRequired, notFound, 204],
  'remove an owner': [204, roleRequired, roleRequired, notFound, 204],
  join: [memberExists, memberExists, memberExists, notFound, 201],
  leave: [204, 204, 204, notFound, memberNotFound],
}
/** A caller who sees a channel without being a member learns which right is missing. */
const withOutsider = (rows: Record<string, Row>): Record<string, Row> =>
  Object.fromEntries(
    Object.entries(rows).map(([action, [owner, admin, member, , administrator]]) => {
      const outsider =
        { read: 200, members: 200, mark: notFound, join: 201, leave: memberNotFound }[action] ?? roleRequired
      return [action, [owner, admin, member, outsider, administrator]]
    }),
  )
const archived: Record<string, Row> = {
  ...hidden,
  rename: [archivedError, archivedError, roleRequired, notFound, archivedError],
  add: [archivedError, archivedError, roleRequired, notFound, archivedError],
  'add an administrator': [archivedError, archivedError, roleRequired, notFound, archivedError],
  appoint: [archivedError, archivedError, roleRequired, notFound, archivedError],
  'remove a member': [archivedError, archivedError, roleRequired, notFound, archivedError],
  'remove an administrator': [archivedError, archivedError, roleRequired, notFound, archivedError],
  'remove an owner': [archivedError, archivedError, roleRequired, notFound, archivedError],
  join: [memberExists, memberExists, memberExists, notFound, archivedError],
}
const unmanageable: Record<string, Row> = Object.fromEntries(
  Object.keys(hidden).map(action => {
    const result = { read: 200, members: 200, mark: 200, join: memberExists }[action] ?? notManageable
    return [action, [result, result, result, notFound, notFound]]
  }),
)
const expected: Record<Kind, Record<string, Row>> = {
  hidden,
  group: hidden,
  listed: withOutsider(hidden),
  archived,
  direct: unmanageable,
  portal: unmanageable,
}

it.each(
  Object.keys(channelCases).flatMap(kind =>
    Object.keys(actions).map(action => [kind as Kind, action] as const),
  ),
)('%s: %s', async (kind, action) => {
  const results: unknown[] = []
  let channel: ChannelCase | undefined
  for (const who of roles) {
    channel ??= await channelCases[kind]()
    const { status, body } = await defined(actions[action])(people[who], channel)
    results.push(status < 400 ? status : (body as { errorCode: string }).errorCode)
    // a refused request changes nothing
    if (status < 400) channel = undefined
  }
  expect(Object.fromEntries(roles.map((who, at) => [who, results[at]]))).toEqual(
    Object.fromEntries(roles.map((who, at) => [who, [...defined(expected[kind][action]), notFound][at]])),
  )
})
