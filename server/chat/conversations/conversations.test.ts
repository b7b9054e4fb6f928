import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createPortalConversation, openDirectConversation, readChannel } from '#contract/chat/channels.ts'
import { joinChannel, leaveChannel, listChannelMembers } from '#contract/chat/members.ts'
import { limits } from '#contract/limits.ts'
import { newId } from '#platform/ids.ts'
import { auditEntriesOf, eventsIn } from '#tests/support/chat/chat.ts'
import { plantChannels } from '#tests/support/chat/many-channels.ts'
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
const open = (who: Pick<Person, 'send'>, ...people: { id: string }[]) =>
  who.send(openDirectConversation, { body: { personIds: people.map(({ id }) => id) } })
const crowd = (count: number) =>
  Promise.all(Array.from({ length: count }, () => organization.person())) as Promise<Person[]>

describe('a direct conversation', () => {
  it('is the same for the same people, regardless of their order and of who opens it', async () => {
    const [a, b, c] = (await crowd(3)) as [Person, Person, Person]
    const created = await open(a, b, c, b, a)
    expect(created).toMatchObject({
      status: 201,
      body: { type: 'DIRECT', name: null, isDiscoverable: false },
    })
    for (const again of [await open(b, a, c), await open(c, b, a), await open(a, c, b)])
      expect([again.status, again.body.id]).toEqual([200, created.body.id])
    const pair = await open(a, b)
    expect(pair.status).toBe(201)
    expect(pair.body.id).not.toBe(created.body.id)
    const alone = await open(a, a)
    expect([alone.status, (await open(a, a)).body.id]).toEqual([201, alone.body.id])

    expect((await b.call(readChannel, { params: { id: created.body.id } })).people).toEqual(
      [a, c].map(({ id, name: displayName }) => ({ id, displayName })),
    )
    const { items } = await a.call(listChannelMembers, { params: { id: created.body.id } })
    expect(items.map(({ role }) => role)).toEqual(['MEMBER', 'MEMBER', 'MEMBER'])
    // no application event, and no audit entry for opening it again
    expect((await eventsIn(server, created.body.id)).map(({ name }) => name)).toEqual([
      'chat.channel.created',
    ])
    expect(await auditEntriesOf(server, created.body.id)).toMatchObject([
      { operation: 'POST /api/chat/conversations/direct', actor_id: a.id, changed: ['members'] },
    ])
  })

  it('is the same when all people open it concurrently at two nodes', async () => {
    const { url } = await server.anotherApi()
    for (let round = 0; round < 5; round++) {
      const people = await crowd(3)
      const answers = await Promise.all(
        people.flatMap(who => {
          const others = people.filter(other => other !== who)
          return [open(who, ...others), open(who.at(url), ...others)]
        }),
      )
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 200, 201])
      expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1)
    }
  })

  it('contains only people of the organization', async () => {
    const [a, former] = (await crowd(2)) as [Person, Person]
    const stranger = await (await server.organization()).person()
    await open(a, former)
    await server.sql('update membership set removed_at = now() where person_id = $1', [former.id])
    const answers = await Promise.all([stranger, { id: newId() }, former].map(other => open(a, other)))
    for (const answer of answers) expect(answer).toMatchObject(refused(404, 'MEMBER_NOT_FOUND'))
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    for (const personIds of [[], Array.from({ length: limits.directPeople + 1 }, newId)])
      expect(await a.send(openDirectConversation, { body: { personIds } })).toMatchObject(
        refused(400, 'VALIDATION_ERROR'),
      )
    const mute = await organization.person({ permissions: ['STUDIO_VIEW'] })
    expect(await open(mute, a)).toMatchObject(refused(403, 'PERMISSION_DENIED'))
  })

  it('cannot be left or joined', async () => {
    const [a, b, c] = (await crowd(3)) as [Person, Person, Person]
    const { id } = (await open(a, b)).body
    expect(await a.send(leaveChannel, { params: { id } })).toMatchObject(refused(409, 'CHANNEL_NOT_GOVERNED'))
    expect(await c.send(joinChannel, { params: { id } })).toMatchObject(refused(404, 'CHANNEL_NOT_FOUND'))
  })

  it('enforces the limit of channels per person', async () => {
    const [a, b] = (await crowd(2)) as [Person, Person]
    const count = limits.channelsPerPerson
    await plantChannels(server, { organizationId: organization.id, createdBy: b.id, memberId: b.id, count })
    expect(await open(a, b)).toMatchObject(refused(409, 'TOO_MANY_IN_CHANNEL'))
  })
})

describe('a conversation about a customer', () => {
  const create = (who: Person, body: object) => who.send(createPortalConversation, { body: body as never })

  it('contains people of the team and the reference of the customer', async () => {
    const [owner, colleague] = (await crowd(2)) as [Person, Person]
    const body = { customerReference: ' customer-17 ', name: 'Acme', memberIds: [colleague.id] }
    const created = await create(owner, body)
    expect(created).toMatchObject({ status: 201, body: { type: 'CUSTOMER_PORTAL', name: 'Acme' } })
    const { id } = created.body
    expect(await colleague.call(readChannel, { params: { id } })).toMatchObject({
      customerReference: 'customer-17',
      role: 'MEMBER',
      people: null,
    })
    expect((await eventsIn(server, id)).map(({ name }) => name)).toEqual(['chat.channel.created'])
    // hidden even from an administrator
    const administrator = await organization.person({ role: 'OWNER' })
    expect(await administrator.send(readChannel, { params: { id } })).toMatchObject(
      refused(404, 'CHANNEL_NOT_FOUND'),
    )
    expect(await colleague.send(leaveChannel, { params: { id } })).toMatchObject(
      refused(409, 'CHANNEL_NOT_GOVERNED'),
    )
  })

  it('refuses long values, unknown people and callers without permission', async () => {
    const [owner] = (await crowd(1)) as [Person]
    for (const body of [
      { name: 'Acme' },
      { customerReference: ' ', name: 'Acme' },
      { customerReference: 'x'.repeat(limits.customerReference + 1), name: 'Acme' },
      { customerReference: 'x', name: 'x'.repeat(limits.channelName + 1) },
    ])
      expect(await create(owner, body)).toMatchObject(refused(400, 'VALIDATION_ERROR'))
    const body = { customerReference: 'x', name: 'Acme', memberIds: [newId()] }
    expect(await create(owner, body)).toMatchObject(refused(404, 'MEMBER_NOT_FOUND'))
    const reader = await organization.person({ permissions: ['CHAT_USE'] })
    expect(await create(reader, body)).toMatchObject(refused(403, 'PERMISSION_DENIED'))
    const maker = await organization.person({ permissions: ['CHAT_USE', 'CHAT_CHANNELS_CREATE'] })
    expect(await create(maker, { ...body, memberIds: [owner.id] })).toMatchObject(
      refused(403, 'PERMISSION_DENIED'),
    )
  })
})
