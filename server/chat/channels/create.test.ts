import { afterAll, beforeAll, expect, it } from 'vitest'
import { createChannel } from '#contract/chat/channels.ts'
import { limits } from '#contract/limits.ts'
import { newId } from '#platform/ids.ts'
import { auditEntriesOf, createTestChannel, eventsIn } from '#tests/support/chat/chat.ts'
import { insertChannelMembers, plantChannels } from '#tests/support/chat/many-channels.ts'
import { lastOf } from '#tests/support/elements.ts'
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

const create = (who: Person, body: Record<string, unknown>) =>
  who.send(createChannel, { body: body as never })
const refused = (status: number, errorCode: string) => ({ status, body: { errorCode } })

it('creates a channel with its owner and the named members', async () => {
  const [owner, other] = [await organization.person(), await organization.person()]
  const overrides = { name: ' Launch ', description: ' ', memberIds: [other.id, owner.id, other.id] }
  const channel = await createTestChannel(owner, overrides)
  expect(channel).toMatchObject({ type: 'CHANNEL', name: 'Launch', description: null, isArchived: false })
  const members = await server.sql(
    'select person_id, role from chat_member where channel_id = $1 order by role desc',
    [channel.id],
  )
  expect(members).toEqual([
    { person_id: owner.id, role: 'OWNER' },
    { person_id: other.id, role: 'MEMBER' },
  ])
  expect((await eventsIn(server, channel.id)).map(({ name }) => name)).toEqual([
    'chat.channel.created',
    'CHAT_CHANNEL_CREATED',
  ])
  expect(await auditEntriesOf(server, channel.id)).toMatchObject([
    {
      operation: 'POST /api/chat/channels',
      actor_id: owner.id,
      changed: ['name', 'description', 'isDiscoverable', 'members'],
    },
  ])
})

it('refuses unknown people, people of another organization and people who have left, with the same error', async () => {
  const owner = await organization.person()
  const [stranger, former] = [await (await server.organization()).person(), await organization.person()]
  await server.sql('update membership set removed_at = now() where person_id = $1', [former.id])
  const answers = await Promise.all(
    [stranger.id, newId(), former.id].map(id => create(owner, { name: 'x', memberIds: [id] })),
  )
  for (const answer of answers) expect(answer).toMatchObject(refused(404, 'MEMBER_NOT_FOUND'))
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
})

it('refuses long values, other kinds and a discoverable group', async () => {
  const owner = await organization.person()
  for (const body of [
    {},
    { name: '' },
    { name: ' ' },
    { name: 'x'.repeat(limits.channelName + 1) },
    { name: 'x', description: 'x'.repeat(limits.channelDescription + 1) },
    { name: 'x', type: 'DIRECT' },
    { name: 'x', type: 'GROUP', isDiscoverable: true },
    { name: 'x', memberIds: Array.from({ length: limits.directPeople + 1 }, newId) },
    { name: 'x', role: 'OWNER' },
  ])
    expect([body, await create(owner, body)]).toMatchObject([body, refused(400, 'VALIDATION_ERROR')])
})

it('requires the permission to create, and to add people if members are named', async () => {
  const [reader, maker] = [
    await organization.person({ permissions: ['CHAT_USE'] }),
    await organization.person({ permissions: ['CHAT_USE', 'CHAT_CHANNELS_CREATE'] }),
  ]
  expect(await create(reader, { name: 'x' })).toMatchObject(refused(403, 'PERMISSION_DENIED'))
  expect(await create(maker, { name: 'x', memberIds: [reader.id] })).toMatchObject(
    refused(403, 'PERMISSION_DENIED'),
  )
  expect((await create(maker, { name: 'x', memberIds: [maker.id] })).status).toBe(201)
})

it('enforces the limits of an organization and of a person, also for concurrent requests', async () => {
  const secondOrganization = await server.organization()
  const [owner, other] = [await secondOrganization.person(), await secondOrganization.person()]
  const channelIds = await plantChannels(server, {
    organizationId: secondOrganization.id,
    createdBy: owner.id,
    count: limits.channelsPerOrganization - 1,
  })
  const answers = await Promise.all([1, 2, 3].map(() => create(owner, { name: 'One more' })))
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409])
  expect(answers.find(({ status }) => status === 409)).toMatchObject(refused(409, 'TOO_MANY_IN_CHANNEL'))

  const ofOther = channelIds.slice(0, limits.channelsPerPerson)
  await insertChannelMembers(server, secondOrganization.id, ofOther, [other.id])
  await server.sql('delete from chat_channel where organization_id = $1 and id = $2', [
    secondOrganization.id,
    lastOf(channelIds),
  ])
  expect(await create(other, { name: 'x' })).toMatchObject(refused(409, 'TOO_MANY_IN_CHANNEL'))
  expect(await create(owner, { name: 'x', memberIds: [other.id] })).toMatchObject(
    refused(409, 'TOO_MANY_IN_CHANNEL'),
  )
  expect((await create(owner, { name: 'x' })).status).toBe(201)
})
