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
import {
  type Organization,
  type Person,
  startTestServer,
  type TestServer,
} from '#tests/support/test-server.ts'

// the permission matrix of channels; each case runs on a new channel

const roles = ['owner', 'admin', 'member', 'outsider', 'administrator', 'stranger'] as const
type Role = (typeof roles)[number]
type Cast = Record<Role, Person>
type Place = { id: string; second: Person; newcomer: Person } & Cast
type Answer = { status: number; body: unknown }

let server: TestServer
let organization: Organization
let fixture: Cast
let second: Person
let newcomer: Person
beforeAll(async () => {
  server = await startTestServer()
  organization = await server.organization()
  const elsewhere = await server.organization()
  fixture = {
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
async function staffed(overrides: object): Promise<Place> {
  const { id } = await createTestChannel(fixture.owner, overrides)
  for (const [person, role] of [
    [fixture.admin, 'ADMIN'],
    [fixture.member, 'MEMBER'],
    [second, 'OWNER'],
  ] as const)
    await fixture.owner.call(addChannelMember, { params: { id }, body: { personId: person.id, role } })
  return { id, second, newcomer, ...fixture }
}
/** The same for a direct or portal conversation, in which owner, admin and member are ordinary members. */
async function talking(isDirect: boolean): Promise<Place> {
  const people = [fixture.admin.id, fixture.member.id, second.id]
  const { id } = isDirect
    ? await fixture.owner.call(openDirectConversation, { body: { personIds: people } })
    : await fixture.owner.call(createPortalConversation, {
        body: { customerReference: 'customer', name: 'Acme', memberIds: people },
      })
  return { id, second, newcomer, ...fixture }
}
const places = {
  hidden: () => staffed({}),
  group: () => staffed({ type: 'GROUP' }),
  listed: () => staffed({ isDiscoverable: true }),
  async archived() {
    const place = await staffed({ isDiscoverable: true })
    await fixture.owner.call(archiveChannel, { params: { id: place.id } })
    return place
  },
  direct: () => talking(true),
  portal: () => talking(false),
} satisfies Record<string, () => Promise<Place>>
type Kind = keyof typeof places

const actions: Record<string, (who: Person, place: Place) => Promise<Answer>> = {
  read: (who, { id }) => who.send(readChannel, { params: { id } }),
  members: (who, { id }) => who.send(listChannelMembers, { params: { id } }),
  mark: (who, { id }) => who.send(moveReadMarker, { params: { id }, body: { seq: 0 } }),
  rename: (who, { id }) => who.send(updateChannel, { params: { id }, body: { name: 'Renamed' } }),
  archive: (who, { id }) => who.send(archiveChannel, { params: { id } }),
  unarchive: (who, { id }) => who.send(unarchiveChannel, { params: { id } }),
  add: (who, place) => add(who, place, 'MEMBER'),
  'add an administrator': (who, place) => add(who, place, 'ADMIN'),
  appoint: (who, { id, member }) =>
    who.send(changeChannelMember, { params: { id, personId: member.id }, body: { role: 'ADMIN' } }),
  'remove a member': (who, place) => remove(who, place, place.member),
  'remove an administrator': (who, place) => remove(who, place, place.admin),
  'remove an owner': (who, place) => remove(who, place, place.second),
  join: (who, { id }) => who.send(joinChannel, { params: { id } }),
  leave: (who, { id }) => who.send(leaveChannel, { params: { id } }),
}
function add(who: Person, { id, newcomer }: Place, role: 'MEMBER' | 'ADMIN'): Promise<Answer> {
  return who.send(addChannelMember, { params: { id }, body: { personId: newcomer.id, role } })
}
function remove(who: Person, { id }: Place, person: Person): Promise<Answer> {
  return who.send(removeChannelMember, { params: { id, personId: person.id } })
}

const no = 'CHANNEL_NOT_FOUND'
const role = 'CHANNEL_ROLE_REQUIRED'
const shut = 'CHANNEL_ARCHIVED'
const free = 'CHANNEL_NOT_GOVERNED'
const is = 'CHANNEL_MEMBER_EXISTS'
const out = 'CHANNEL_MEMBER_NOT_FOUND'
type Row = [owner: unknown, admin: unknown, member: unknown, outsider: unknown, administrator: unknown]

const hidden: Record<string, Row> = {
  read: [200, 200, 200, no, 200],
  members: [200, 200, 200, no, 200],
  mark: [200, 200, 200, no, no],
  rename: [200, 200, role, no, 200],
  archive: [200, 200, role, no, 200],
  unarchive: [200, 200, role, no, 200],
  add: [201, 201, role, no, 201],
  'add an administrator': [201, role, role, no, 201],
  appoint: [200, role, role, no, 200],
  'remove a member': [204, 204, role, no, 204],
  'remove an administrator': [204, role, role, no, 204],
  'remove an owner': [204, role, role, no, 204],
  join: [is, is, is, no, 201],
  leave: [204, 204, 204, no, out],
}
/** A caller who sees a channel without being a member learns which right is missing. */
const seen = (rows: Record<string, Row>): Record<string, Row> =>
  Object.fromEntries(
    Object.entries(rows).map(([action, [owner, admin, member, , administrator]]) => {
      const outsider = { read: 200, members: 200, mark: no, join: 201, leave: out }[action] ?? role
      return [action, [owner, admin, member, outsider, administrator]]
    }),
  )
const archived: Record<string, Row> = {
  ...hidden,
  rename: [shut, shut, role, no, shut],
  add: [shut, shut, role, no, shut],
  'add an administrator': [shut, shut, role, no, shut],
  appoint: [shut, shut, role, no, shut],
  'remove a member': [shut, shut, role, no, shut],
  'remove an administrator': [shut, shut, role, no, shut],
  'remove an owner': [shut, shut, role, no, shut],
  join: [is, is, is, no, shut],
}
const ungoverned: Record<string, Row> = Object.fromEntries(
  Object.keys(hidden).map(action => {
    const own = { read: 200, members: 200, mark: 200, join: is }[action] ?? free
    return [action, [own, own, own, no, no]]
  }),
)
const expected: Record<Kind, Record<string, Row>> = {
  hidden,
  group: hidden,
  listed: seen(hidden),
  archived,
  direct: ungoverned,
  portal: ungoverned,
}

it.each(
  Object.keys(places).flatMap(kind => Object.keys(actions).map(action => [kind as Kind, action] as const)),
)('%s: %s', async (kind, action) => {
  const answers: unknown[] = []
  let place: Place | undefined
  for (const who of roles) {
    place ??= await places[kind]()
    const { status, body } = await actions[action]!(fixture[who], place)
    answers.push(status < 400 ? status : (body as { errorCode: string }).errorCode)
    // a refused request changes nothing
    if (status < 400) place = undefined
  }
  expect(Object.fromEntries(roles.map((who, at) => [who, answers[at]]))).toEqual(
    Object.fromEntries(roles.map((who, at) => [who, [...expected[kind][action]!, no][at]])),
  )
})
