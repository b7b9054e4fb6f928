import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { updateChannel } from '#contract/chat/channels.ts'
import { createClient } from '#contract/crm/clients.ts'
import { changeLeads } from '#contract/crm/team.ts'
import { removeMember, updateMember, updateOrganization } from '#contract/identity/organization.ts'
import { createRole } from '#contract/identity/roles.ts'
import { getSessionToken } from '#contract/identity/sessions.ts'
import { units } from '#contract/identity/units.ts'
import { createAsset, updateAsset } from '#contract/studio/assets.ts'
import { recordEvents } from '#platform/events/audit.ts'
import { emit } from '#platform/events/emit.ts'
import { newId } from '#platform/ids.ts'
import { createTestChannel, sendMessage } from '#tests/support/chat/chat.ts'
import { makeBudget, setIssuer, someSections } from '#tests/support/crm/budgets.ts'
import { makeLead } from '#tests/support/crm/leads-and-clients.ts'
import { issueLink } from '#tests/support/crm/signing.ts'
import { crowd } from '#tests/support/crowd.ts'
import { atLeast, defined, findIn, firstOf, itemAt, mapAll, only } from '#tests/support/elements.ts'
import { announce, type EventStream, streamsAt } from '#tests/support/event-stream.ts'
import { signedInAccount } from '#tests/support/identity/sign-in.ts'
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
  organization = await server.organization({ features: ['marketplace'] })
  owner = await organization.person({ role: 'OWNER' })
})
afterAll(() => server?.close())

const openPeopleStream = streamsAt('/api/events', () => server)
const streamOf: typeof openPeopleStream = async (...options) => {
  // a stream does not receive earlier events
  await server.relayed()
  return openPeopleStream(...options)
}
const code = (stream: EventStream) => [stream.status, JSON.parse(stream.body).errorCode]
const types = (stream: EventStream) => stream.events().map(({ data }) => data.type)
const resumedAt = (lastEventId: string) => ({ headers: { 'Last-Event-ID': lastEventId } })

/** Emits an event that every member receives, and resolves when these streams have it and all before it. */
async function ownReceived(...streams: EventStream[]): Promise<void> {
  const id = newId()
  await announce(server, owner, 'unit.changed', { ids: [id] })
  await Promise.all(streams.map(stream => stream.until(({ data }) => idsOf(data).includes(id))))
}

/** The same with an event of the marketplace besides, which members with its permission receive. */
async function allReceived(...streams: EventStream[]): Promise<void> {
  const entryId = newId()
  await announce(server, owner, 'ai-marketplace.unfeatured', { entryId })
  await ownReceived(...streams)
  await Promise.all(streams.map(stream => stream.until(({ data }) => data?.entryId === entryId)))
}

describe('opening', () => {
  it('takes a stream token and no permission', async () => {
    const person = await organization.person({ permissions: [] })
    const stream = await streamOf(person)
    expect(stream.headers['content-type']).toBe('text/event-stream')
    expect(firstOf(stream.frames).id).toMatch(/^\d+\.\d+$/)
    expect(stream.frames[1]).toMatchObject({ event: 'connected', data: { userId: person.id } })
    expect((await streamOf(person, { path: '/api/events?token=no&' })).status).toBe(401)
  })

  it('is refused to the sixth stream of a person, whatever other streams they have', async () => {
    const person = await organization.person()
    expect((await streamOf(person, { path: '/api/chat/events' })).status).toBe(200)
    const streams = await Promise.all(Array.from({ length: 6 }, () => streamOf(person)))
    const refused = streams.filter(({ status }) => status !== 200)
    expect(refused.map(code)).toEqual([[429, 'TOO_MANY_STREAMS']])
    findIn(streams, ({ status }) => status === 200).close()
    // the slot is free when the server has seen the end
    await expect.poll(async () => (await streamOf(person)).status).toBe(200)
  })
})

describe('events of the other streams', () => {
  it('have the same data, and go to the same people', async () => {
    const colleague = await organization.person()
    const paths = ['/api/studio/events', '/api/studio/marketplace/events', '/api/chat/events']
    const both = [owner, colleague]
    const whole = await Promise.all(both.map(person => streamOf(person)))
    const parts = await Promise.all(
      both.map(person => Promise.all(paths.map(path => streamOf(person, { path })))),
    )
    const asset = await owner.call(createAsset, {
      body: { type: 'PROMPT', name: newId(), bodyMarkdown: 'x', visibility: 'ORGANIZATION' },
    })
    // an event goes to those who may read the asset at that moment, which is not the same moment in all streams
    const ofAssets = [...whole, ...parts.map(streams => firstOf(streams))]
    await Promise.all(ofAssets.map(stream => stream.until(({ event }) => event === 'asset-created')))
    await owner.call(updateAsset, { params: { id: asset.id }, body: { visibility: 'PRIVATE' } })
    const channel = await createTestChannel(owner, {})
    await sendMessage(owner, channel.id)
    await owner.call(updateChannel, { params: { id: channel.id }, body: { name: 'Other' } })
    await announce(server, owner, 'ai-marketplace.approved', { entryId: newId(), version: '1.0.0' }, [
      { organizationId: organization.id, personId: colleague.id },
    ])
    await allReceived(...whole)
    for (const [index, stream] of whole.entries()) {
      const own = stream.events().filter(({ data }) => !String(data.type).startsWith('unit.'))
      const carried = () => byName(itemAt(parts, index).flatMap(each => each.events()))
      await expect.poll(carried).toEqual(byName(own))
    }
    expect(types(firstOf(whole))).toEqual(
      expect.arrayContaining(['ai-asset.created', 'chat.message.created']),
    )
    expect(types(firstOf(whole))).not.toContain('ai-marketplace.approved')
    expect(types(itemAt(whole, 1))).toContain('ai-marketplace.approved')
    expect(types(itemAt(whole, 1))).not.toContain('chat.message.created')
  })

  it('need the permission, the module and the feature of that stream', async () => {
    const other = await server.organization({ plan: 'TEAM' })
    const asker = await other.person({ permissions: ['CRM_VIEW'] })
    const chatter = await organization.person({ permissions: ['CHAT_USE'] })
    const [theirs, chats, all] = [await streamOf(asker), await streamOf(chatter), await streamOf(owner)]
    const channel = await createTestChannel(owner, { memberIds: [chatter.id] })
    await owner.call(createAsset, {
      body: { type: 'PROMPT', name: newId(), bodyMarkdown: 'x', visibility: 'ORGANIZATION' },
    })
    await announce(server, owner, 'ai-marketplace.approved', { entryId: newId(), version: '1.0.0' }, [
      { organizationId: organization.id, personId: chatter.id },
    ])
    await sendMessage(owner, channel.id)
    await allReceived(all)
    await chats.until(({ event }) => event === 'message-created')
    expect(types(chats).filter(type => String(type).startsWith('ai-'))).toEqual([])
    expect(types(theirs)).toEqual([])
  })
})

describe('changes', () => {
  it('go to the people of the organization who may read the objects', async () => {
    const [seller, accountant, member] = await Promise.all([
      organization.person({ permissions: ['CRM_VIEW'] }),
      organization.person({ permissions: ['BILLING_VIEW'] }),
      organization.person(),
    ])
    const stranger = await (await server.organization()).person({ role: 'OWNER' })
    // the plan TEAM has clients and no leads
    const small = await server.organization({ plan: 'TEAM' })
    const smallOwner = await small.person({ role: 'OWNER' })
    const streams = await mapAll([owner, seller, accountant, member, stranger, smallOwner], person =>
      streamOf(person),
    )
    const lead = await makeLead(owner)
    await owner.call(createClient, { body: { name: 'A client' } })
    const changed = { ids: [newId()] }
    for (const name of [
      'invoice.changed',
      'error.changed',
      'application.changed',
      'invitation.changed',
    ] as const)
      await announce(server, owner, name, changed)
    await announce(server, smallOwner, 'lead.changed', changed)
    await announce(server, smallOwner, 'client.changed', changed)
    await ownReceived(...streams.slice(0, 4))
    await streams[5].until(({ event }) => event === 'client-changed')
    const got = streams.map(stream => types(stream).filter(type => !/^(unit\.|ai-)/.test(String(type))))
    expect(got).toEqual([
      [
        'lead.changed',
        'client.changed',
        'invoice.changed',
        'error.changed',
        'application.changed',
        'invitation.changed',
      ],
      ['lead.changed', 'client.changed'],
      ['invoice.changed'],
      ['lead.changed', 'client.changed'],
      [],
      ['client.changed'],
    ])
    const [frame] = streams[1].events()
    expect(frame).toMatchObject({
      event: 'lead-changed',
      data: { organizationId: organization.id, actorId: owner.id, ids: [lead.id], createdIds: [lead.id] },
    })
    expect(JSON.stringify(frame)).not.toContain(lead.email ?? 'no address')
  })

  it('end within two seconds of a change of role, and begin within two seconds', async () => {
    const role = (permissions: ('CRM_VIEW' | 'CHAT_USE')[]) =>
      owner.call(createRole, { body: { name: newId(), permissions } })
    const [allowed, refused] = [await role(['CRM_VIEW', 'CHAT_USE']), await role(['CHAT_USE'])]
    const person = await organization.person({ permissions: ['CRM_VIEW', 'CHAT_USE'] })
    const { url } = await server.anotherApi()
    const [stream, all] = [await streamOf(person, { url }), await streamOf(owner)]
    const params = { personId: person.id }
    for (const [roleId, isAllowed] of [
      [refused.id, false],
      [allowed.id, true],
    ] as const) {
      await owner.call(updateMember, { params, body: { role: 'CUSTOM', roleId } })
      const since = Date.now()
      let received: boolean
      do {
        const id = newId()
        await announce(server, owner, 'client.changed', { ids: [id] })
        await announce(server, owner, 'role.changed', { ids: [id] })
        const has = ({ data }: { data?: Record<string, unknown> }) => (data?.ids as string[])?.includes(id)
        await stream.until(frame => frame.data?.type === 'role.changed' && has(frame))
        received = stream.events().some(frame => frame.data?.type === 'client.changed' && has(frame))
      } while (received !== isAllowed && Date.now() - since < 2_000 * crowd())
      expect(received).toBe(isAllowed)
    }
    // the person learns of it, and so does everybody who reads the members
    expect(types(stream).filter(type => type === 'own-access.changed')).toHaveLength(2)
    expect(types(all)).not.toContain('own-access.changed')
    expect(types(all).filter(type => type === 'member.changed').length).toBeGreaterThan(0)

    await owner.call(removeMember, { params })
    await stream.ended
  })

  it('tell the members of a deleted unit, and nobody else', async () => {
    const [inside, outside] = [await organization.person(), await organization.person()]
    const { create, addMember, remove } = findIn(units, ({ kind }) => kind === 'GROUP')
    const { id } = await owner.call(create, { body: { name: 'Deleted soon' } })
    await owner.call(addMember, { params: { id, personId: inside.id } })
    const [streamInside, streamOutside] = [await streamOf(inside), await streamOf(outside)]
    await owner.call(remove, { params: { id } })
    await ownReceived(streamInside, streamOutside)
    const received = streamInside.events().filter(({ data }) => data?.type === 'own-access.changed')
    expect(received).toMatchObject([{ data: { ids: [inside.id] } }])
    expect(types(streamOutside)).not.toContain('own-access.changed')
  })

  it('of many objects in one transaction make few events with up to 100 ids', async () => {
    const [stream, all] = [await streamOf(await organization.person()), await streamOf(owner)]
    const ids = Array.from({ length: 250 }, () => newId())
    await server.api.services.database.transact(
      organization.id,
      async tx => {
        for (const id of ids) emit(tx, { personId: owner.id }, 'lead.changed', { ids: [id] })
      },
      recordEvents,
    )
    await allReceived(stream, all)
    for (const { events } of [stream, all]) {
      const frames = events().filter(({ event }) => event === 'lead-changed')
      expect(frames.flatMap(({ data }) => data.ids)).toEqual(ids)
      expect(frames.map(({ data }) => (data.ids as string[]).length)).toEqual([100, 100, 50])
    }
  })

  it('include the first view of a signing link, which is no call of a member', async () => {
    const stream = await streamOf(owner)
    await setIssuer(owner)
    const budget = await makeBudget(owner, { sections: someSections })
    const { token } = await issueLink(owner, budget.id)
    const isOfVisitor = ({ data }: { data?: Record<string, unknown> }) =>
      data?.type === 'budget.changed' && data.actorId === null
    for (let view = 0; view < 2; view++) {
      const page = await fetch(`${server.url}/s/${token}`)
      expect(page.status).toBe(200)
      await page.text()
    }
    expect(await stream.until(isOfVisitor)).toMatchObject({ data: { ids: [budget.id] } })
    await allReceived(stream)
    expect(stream.events().filter(isOfVisitor)).toHaveLength(1)
  })

  it('are announced once for an operation that applications are told about as well', async () => {
    const stream = await streamOf(owner)
    const leads = [await makeLead(owner), await makeLead(owner)]
    await owner.call(changeLeads, {
      body: { ids: leads.map(({ id }) => id), stage: 'Offer sent' },
    })
    await owner.call(updateOrganization, { body: { name: 'A new name' } })
    await stream.until(({ data }) => data?.type === 'organization.changed')
    const changed = stream.events().filter(({ event }) => event === 'lead-changed')
    expect(new Set(changed.flatMap(({ data }) => data.ids))).toEqual(new Set(leads.map(({ id }) => id)))
  })
})

describe('resuming', () => {
  it('repeats and loses nothing in either topic, wherever the connection breaks', async () => {
    const person = await organization.person()
    let stream = await streamOf(person)
    const seen: string[] = []
    const sent: string[] = []
    for (let round = 0; round < 12; round++) {
      for (let step = 0; step < 3; step++) {
        const id = `${round}-${step}`
        if ((round + step) % 2 === 0) await announce(server, owner, 'role.changed', { ids: [id] })
        else await announce(server, owner, 'ai-marketplace.unfeatured', { entryId: id })
        sent.push(id)
      }
      if (round % 3 === 0) {
        // in the middle of what was just sent
        await stream.until(({ data }) => idsOf(data).includes(`${round}-0`))
        stream.close()
        await stream.ended
        seen.push(...idsIn(stream))
        const cursor = defined(defined(stream.frames.findLast(({ id }) => id !== undefined)).id)
        stream = await openPeopleStream(person, resumedAt(cursor))
      }
    }
    for (const id of sent.slice(-3)) await stream.until(({ data }) => idsOf(data).includes(id))
    seen.push(...idsIn(stream))
    expect([...seen].sort()).toEqual([...sent].sort())
    // in the order of each topic
    const isShared = (id: string) => [...id.split('-')].reduce((sum, part) => sum + Number(part), 0) % 2 === 1
    for (const topic of [true, false])
      expect(seen.filter(id => isShared(id) === topic)).toEqual(sent.filter(id => isShared(id) === topic))
  })

  it('opened at the position of a session token, sends what changed since then and nothing from before', async () => {
    const person = await organization.person()
    const [before, after] = [newId(), newId()]
    await announce(server, owner, 'unit.changed', { ids: [before] })
    await server.relayed()
    const account = await signedInAccount(server, person)
    const { streamPosition } = await account.call(getSessionToken, {
      query: { organizationId: organization.id },
    })
    await announce(server, owner, 'unit.changed', { ids: [after] })
    await server.relayed()
    const stream = await openPeopleStream(person, resumedAt(streamPosition))
    await stream.until(({ data }) => idsOf(data).includes(after))
    expect(stream.events().flatMap(({ data }) => idsOf(data))).not.toContain(before)
    expect(types(stream)).not.toContain('resync')
  })

  it('asks for a reload when one of the positions cannot be resumed', async () => {
    const person = await organization.person()
    const first = await streamOf(person)
    await allReceived(first)
    const [own, shared] = atLeast(
      2,
      defined(defined(first.frames.findLast(({ id }) => id !== undefined)).id).split('.'),
    )
    for (const cursor of [own, `${own}.`, `${own}.${shared}.0`, `${own}.999999`, `999999.${shared}`, 'x.y']) {
      const stream = await openPeopleStream(person, resumedAt(cursor))
      expect(await stream.until(({ event }) => event === 'resync')).toMatchObject({
        data: { reason: 'unknown' },
      })
      stream.close()
      await stream.ended
    }
    const going = await openPeopleStream(person, resumedAt(`${own}.${shared}`))
    await allReceived(going)
    expect(going.frames.map(({ event }) => event)).not.toContain('resync')
    going.close()
    await server.sql('update relay_head set event_oldest = event_seq + 1 where organization_id = $1', [
      'marketplace',
    ])
    await server.sql(`delete from event where organization_id = 'marketplace'`)
    const old = await openPeopleStream(person, resumedAt(`${own}.0`))
    expect(await old.until(({ event }) => event === 'resync')).toMatchObject({ data: { reason: 'expired' } })
    await allReceived(old)
  })

  it('goes past events of the other topic that the person may not receive', async () => {
    const stream = await streamOf(await organization.person())
    const entryId = newId()
    // for somebody else
    await announce(server, owner, 'ai-marketplace.approved', { entryId, version: '1.0.0' }, [
      { organizationId: organization.id, personId: owner.id },
    ])
    await server.relayed()
    const head = only(
      await server.sql<{ seq: number }>(
        `select event_seq as seq from relay_head where organization_id = 'marketplace'`,
      ),
    )
    let position: string | undefined
    do {
      const id = newId()
      await announce(server, owner, 'unit.changed', { ids: [id] })
      position = defined((await stream.until(({ data }) => idsOf(data).includes(id))).id).split('.')[1]
    } while (position !== String(head.seq))
    expect(idsIn(stream)).not.toContain(entryId)
  })
})

function idsOf(data: Record<string, unknown> | undefined): string[] {
  return [data?.ids ?? data?.entryId ?? []].flat() as string[]
}
function idsIn(stream: EventStream): string[] {
  return stream.events().flatMap(({ data }) => idsOf(data))
}

function byName(frames: ReturnType<EventStream['events']>) {
  return frames.map(({ event, data }) => JSON.stringify([event, data])).sort()
}
