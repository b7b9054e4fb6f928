import { afterAll, beforeAll, expect, it } from 'vitest'
import { removeMember } from '#contract/identity/organization.ts'
import { createStreamToken } from '#contract/identity/sessions.ts'
import { units } from '#contract/identity/units.ts'
import { readAsset, updateAsset } from '#contract/studio/assets.ts'
import { createShare, removeShare } from '#contract/studio/shares.ts'
import { newId } from '#platform/ids.ts'
import { crowd } from '#tests/support/crowd.ts'
import { defined, findIn, firstOf, itemAt, lastOf, makeAll, mapAll, only } from '#tests/support/elements.ts'
import { announce, type EventStream, openStream, streamsAt } from '#tests/support/event-stream.ts'
import { insertRows } from '#tests/support/rows.ts'
import { makeAsset, shareAsset } from '#tests/support/studio/assets.ts'
import {
  type Organization,
  type Person,
  startTestServer,
  type TestServer,
} from '#tests/support/test-server.ts'
import { announceExpiredShares } from '../shares/expiry/share-expiry.events.ts'

let server: TestServer
let organization: Organization

beforeAll(async () => {
  server = await startTestServer()
  organization = await server.organization()
})
afterAll(() => server.close())

const streamOf = streamsAt('/api/studio/events', () => server)

/** The rows that decide who may read an asset. */
async function assetOf(author: Person, visibility: string, departmentId = ''): Promise<string> {
  const id = newId()
  const departmentSet = departmentId && `set-${departmentId}`
  await insertRows(server, 'asset', [
    {
      organization_id: author.organizationId,
      id,
      slug: id,
      visibility,
      department_set: departmentSet,
      author_id: author.id,
    },
  ])
  if (departmentId) {
    await insertRows(
      server,
      'department_set',
      [{ organization_id: author.organizationId, id: departmentSet, department_id: departmentId }],
      { orSkip: true },
    )
  }
  return id
}

/** Emits an event that everybody receives, and resolves when these streams have it. */
async function allReceived(actor: Person, streams: EventStream[]): Promise<void> {
  const assetId = await assetOf(actor, 'ORGANIZATION')
  await announce(server, actor, 'ai-asset.created', { assetId, slug: 's' })
  await Promise.all(streams.map(stream => stream.until(({ data }) => data?.assetId === assetId)))
}
const received = (stream: EventStream, assetId: string) =>
  stream.events().filter(({ data }) => data.assetId === assetId).length

async function unitOf(kind: 'DEPARTMENT' | 'WORKSPACE' | 'GROUP', admin: Person, members: Person[]) {
  const { create, addMember, removeMember: remove } = findIn(units, unit => unit.kind === kind)
  const { id } = await admin.call(create, { body: { name: `${kind} ${newId()}` } })
  for (const { id: personId } of members) await admin.call(addMember, { params: { id, personId } })
  return { id, leave: (person: Person) => admin.call(remove, { params: { id, personId: person.id } }) }
}

it('opens with a stream token only', async () => {
  const person = await organization.person()
  const { token } = await person.call(createStreamToken)
  const at = (query: string, headers = {}) => openStream(`${server.url}/api/studio/events${query}`, headers)
  expect((await at('')).status).toBe(401)
  expect((await at('?token=')).status).toBe(401)
  expect((await at(`?token=${person.token}`)).status).toBe(401)
  expect((await at('', { Authorization: `Bearer ${person.token}` })).status).toBe(401)
  expect((await at('', { Authorization: `Bearer ${token}` })).status).toBe(401)
  const stream = await streamOf(person)
  expect(stream.headers['content-type']).toBe('text/event-stream')
  expect(stream.frames[1]).toMatchObject({ event: 'connected', data: { userId: person.id } })
  expect(server.logged()).not.toContain(token)
})

it('requires STUDIO_VIEW and the studio module', async () => {
  const limited = await organization.person({ permissions: ['STUDIO_CREATE'] })
  const refused = await streamOf(limited)
  expect([refused.status, JSON.parse(refused.body).errorCode]).toEqual([403, 'PERMISSION_DENIED'])
  const bare = await server.organization()
  await server.sql(`update organization set modules_removed = '{studio}' where id = $1`, [bare.id])
  const without = await streamOf(await bare.person())
  expect([without.status, JSON.parse(without.body).errorCode]).toEqual([403, 'MODULE_NOT_ENABLED'])
})

it('sends the events of an asset to its readers only', async () => {
  const people = await Promise.all(Array.from({ length: 6 }, () => organization.person()))
  const [author, inDepartment, inWorkspace, inGroup, shared, nobody] = people as [
    Person,
    Person,
    Person,
    Person,
    Person,
    Person,
  ]
  const admin = await organization.person({ role: 'ADMIN' })
  const stranger = await (await server.organization()).person({ role: 'OWNER' })
  const department = await unitOf('DEPARTMENT', admin, [inDepartment])
  await unitOf('WORKSPACE', admin, [author, inWorkspace])
  const group = await unitOf('GROUP', admin, [inGroup])
  const everybody = [author, inDepartment, inWorkspace, inGroup, shared, nobody, admin]
  const streams = await Promise.all(everybody.map(person => streamOf(person)))
  const foreign = await streamOf(stranger)

  const assets = {
    private: await assetOf(author, 'PRIVATE'),
    department: await assetOf(author, 'DEPARTMENT', department.id),
    workspace: await assetOf(author, 'WORKSPACE'),
    shared: await assetOf(author, 'PRIVATE'),
    expired: await assetOf(author, 'PRIVATE'),
    organization: await assetOf(author, 'ORGANIZATION'),
    marketplace: await assetOf(author, 'MARKETPLACE'),
  }
  const share = async (assetId: string, kind: string, grantee: string, expires: string | null = null) => {
    const [membership] = await server.sql('select created_at from membership where person_id = $1', [grantee])
    await insertRows(server, 'asset_share', [
      {
        organization_id: organization.id,
        asset_id: assetId,
        grantee_kind: kind,
        grantee_id: grantee,
        since: membership?.created_at ?? '-infinity',
        expires_at: expires,
        // no worker announces it, which would be another event
        expiry_announced: true,
        shared_by: author.id,
        author_id: author.id,
      },
    ])
  }
  await share(assets.shared, 'USER', shared.id)
  await share(assets.shared, 'GROUP', group.id)
  await share(assets.expired, 'USER', shared.id, '2020-01-01')
  for (const assetId of Object.values(assets))
    await announce(server, author, 'ai-asset.archived', { assetId, slug: 's' })
  await allReceived(author, streams)

  const receivedCounts = (assetId: string) => streams.map(stream => received(stream, assetId))
  //                                        author, department, workspace, group, shared, nobody, admin
  expect(receivedCounts(assets.private)).toEqual([1, 0, 0, 0, 0, 0, 1])
  expect(receivedCounts(assets.department)).toEqual([1, 1, 0, 0, 0, 0, 1])
  expect(receivedCounts(assets.workspace)).toEqual([1, 0, 1, 0, 0, 0, 1])
  expect(receivedCounts(assets.shared)).toEqual([1, 0, 0, 1, 1, 0, 1])
  expect(receivedCounts(assets.expired)).toEqual([1, 0, 0, 0, 0, 0, 1])
  expect(receivedCounts(assets.organization)).toEqual([1, 1, 1, 1, 1, 1, 1])
  expect(receivedCounts(assets.marketplace)).toEqual([1, 1, 1, 1, 1, 1, 1])
  expect(foreign.events()).toEqual([])
  const frame = findIn(itemAt(streams, 5).events(), ({ data }) => data.assetId === assets.organization)
  expect(frame).toEqual({
    id: expect.any(String),
    event: 'asset-archived',
    data: {
      id: frame.id,
      type: 'ai-asset.archived',
      assetId: assets.organization,
      organizationId: organization.id,
      at: expect.any(String),
      actorId: author.id,
      slug: 's',
    },
  })
})

it('stops within two seconds of a loss of access, and sends a deletion to the last readers', async () => {
  const admin = await organization.person({ role: 'ADMIN' })
  const [author, reader] = [await organization.person(), await organization.person()]
  const department = await unitOf('DEPARTMENT', admin, [reader])
  const stream = await streamOf(reader)
  const assetId = await assetOf(author, 'DEPARTMENT', department.id)
  const opened = await assetOf(author, 'ORGANIZATION')
  await announce(server, author, 'ai-asset.updated', { assetId, slug: 's', changes: ['name'] })
  await stream.until(({ data }) => data?.assetId === assetId)

  await server.sql(`update asset set visibility = 'PRIVATE' where id = $1`, [opened])
  await announce(server, author, 'ai-asset.updated', { assetId: opened, slug: 's', changes: ['visibility'] })
  await department.leave(reader)
  await expect
    .poll(async () => {
      const before = received(stream, assetId)
      await announce(server, author, 'ai-asset.updated', { assetId, slug: 's', changes: ['name'] })
      await allReceived(author, [stream])
      return received(stream, assetId) - before
    })
    .toBe(0)
  expect(received(stream, opened)).toBe(0)

  const deleted = await assetOf(author, 'ORGANIZATION')
  await server.sql('update asset set deleted_at = now() where id = $1', [deleted])
  await announce(server, author, 'ai-asset.deleted', { assetId: deleted, slug: 's' })
  await stream.until(({ event, data }) => event === 'asset-deleted' && data?.assetId === deleted)
})

it('sends one event with the id alone to people who lose access, and nothing afterwards', async () => {
  const admin = await organization.person({ role: 'ADMIN' })
  const [author, colleague, stranger] = await makeAll(3, () => organization.person())
  const streams = await mapAll([author, colleague, stranger], person => streamOf(person))
  const department = await unitOf('DEPARTMENT', admin, [colleague])
  const { id } = await makeAsset(author, { visibility: 'ORGANIZATION' })
  const params = { id }
  const update = (body: object) => author.call(updateAsset, { params, body })
  const share = (grantee: Person) => shareAsset(server, author, id, 'USER', grantee.id)
  const frames = async () => {
    await allReceived(author, streams)
    return streams.map(stream =>
      stream
        .events()
        .filter(({ data }) => data.assetId === id)
        .map(({ event, data }) => [event, Object.keys(data).sort().join()]),
    )
  }
  const full = ['asset-updated', 'actorId,assetId,at,changes,id,organizationId,slug,type']
  const idOnly = ['asset-updated', 'assetId,at,id,organizationId,type']
  const created = ['asset-created', 'actorId,assetId,at,id,organizationId,slug,type']
  const shared = ['asset-shared', 'actorId,assetId,at,id,organizationId,slug,type']

  // An event goes to the readers at the time of sending, so wait for the earlier ones
  await allReceived(author, streams)
  await update({ visibility: 'DEPARTMENT', departments: [department.id] })
  expect(await frames()).toEqual([
    [created, full],
    [created, full],
    [created, idOnly],
  ])
  expect((await stranger.send(readAsset, { params })).status).toBe(404)

  const shareId = await share(stranger)
  await allReceived(author, streams)
  await update({ visibility: 'PRIVATE' })
  expect(await frames()).toEqual([
    [created, full, shared, full],
    [created, full, shared, idOnly],
    [created, idOnly, shared, full],
  ])
  expect((await colleague.send(readAsset, { params })).status).toBe(404)

  await author.call(removeShare, { params: { id, shareId } })
  await update({ name: 'Only mine' })
  expect((await frames())[2]).toEqual([created, idOnly, shared, full, idOnly])
  expect(streams[2].events().at(-2)).toMatchObject({ data: { type: 'ai-asset.updated', assetId: id } })
  expect((await stranger.send(readAsset, { params })).status).toBe(404)
})

it('sends one event with the id alone to grantees of an expired share', async () => {
  const admin = await organization.person({ role: 'ADMIN' })
  const [author, reader, member, other] = await makeAll(4, () => organization.person())
  const group = await unitOf('GROUP', admin, [member, other])
  const { id } = await makeAsset(author)
  const shares = [
    await shareAsset(server, author, id, 'USER', reader.id),
    await shareAsset(server, author, id, 'GROUP', group.id),
  ]
  // Another share keeps the access
  await shareAsset(server, author, id, 'USER', other.id)
  const streams = await mapAll([reader, member, other], person => streamOf(person))
  await server.sql(`update asset_share set expires_at = now() - interval '1 second' where id = any($1)`, [
    shares,
  ])
  const updates = (stream: EventStream) =>
    stream.events().filter(({ event, data }) => event === 'asset-updated' && data.assetId === id)
  for (const stream of streams.slice(0, 2))
    await stream.until(({ event, data }) => event === 'asset-updated' && data?.assetId === id)
  // An expiry is announced once, however often a worker checks
  await announceExpiredShares(server.api.services.database)
  await allReceived(author, streams)
  expect(streams.map(stream => updates(stream).length)).toEqual([1, 1, 0])
  for (const stream of streams.slice(0, 2))
    expect(Object.keys(defined(only(updates(stream)).data)).sort()).toEqual([
      'assetId',
      'at',
      'id',
      'organizationId',
      'type',
    ])
  expect((await reader.send(readAsset, { params: { id } })).status).toBe(404)

  // An extended share is announced when its new expiry passes
  const again = await shareAsset(server, author, id, 'USER', reader.id, {
    expiresAt: new Date(Date.now() - 1_000).toISOString(),
  })
  await expect.poll(() => updates(streams[0]).length).toBe(2)
  await author.call(createShare, {
    params: { id },
    body: {
      granteeType: 'USER',
      granteeId: reader.id,
      expiresAt: new Date(Date.now() + 60_000).toISOString(),
    },
  })
  const [row] = await server.sql(
    'select expiry_announced from asset_share where asset_id = $1 and grantee_id = $2',
    [id, reader.id],
  )
  expect([again.length, row]).toEqual([25, { expiry_announced: false }])
})

it.each(['DEPARTMENT', 'WORKSPACE', 'GROUP'] as const)(
  'sends who leaves a %s one event with the id alone for each asset that they lose',
  async kind => {
    const admin = await organization.person({ role: 'ADMIN' })
    const [author, leaver, colleague] = await makeAll(3, () => organization.person())
    const unit = await unitOf(kind, admin, [author, leaver, colleague, admin])
    const visibility = kind === 'GROUP' ? 'PRIVATE' : kind
    const departments = kind === 'DEPARTMENT' ? [unit.id] : []
    const make = () => makeAsset(author, { visibility, departments })
    const [lost, readable, open] = [
      await make(),
      await make(),
      await makeAsset(author, { visibility: 'ORGANIZATION' }),
    ]
    if (kind === 'GROUP')
      for (const { id } of [lost, readable]) await shareAsset(server, author, id, 'GROUP', unit.id)
    await shareAsset(server, author, readable.id, 'USER', leaver.id)
    const streams = await Promise.all([leaver, colleague, admin].map(person => streamOf(person)))
    await unit.leave(leaver)
    await unit.leave(admin)
    await allReceived(author, streams)
    const updates = streams.map(stream => stream.events().filter(({ event }) => event === 'asset-updated'))
    expect(updates.map(list => list.map(({ data }) => data.assetId))).toEqual([[lost.id], [], []])
    expect(
      Object.keys(defined(defined(firstOf(updates)[0]).data))
        .sort()
        .join(),
    ).toBe('assetId,at,id,organizationId,type')
    const statuses = await Promise.all(
      [lost, readable, open].map(({ id }) => leaver.send(readAsset, { params: { id } })),
    )
    expect(statuses.map(({ status }) => status)).toEqual([404, 200, 200])
  },
)

it('replays the events of a loss of access to clients that reconnect', async () => {
  const [author, reader] = [await organization.person(), await organization.person()]
  const { id } = await makeAsset(author, { visibility: 'ORGANIZATION' })
  const first = await streamOf(reader)
  await allReceived(author, [first])
  const { id: cursor } = lastOf(first.events())
  first.close()
  await author.call(updateAsset, { params: { id }, body: { visibility: 'PRIVATE' } })
  await server.relayed()
  const again = await streamOf(reader, { more: `&lastEventId=${cursor}` })
  await allReceived(author, [again])
  expect(firstOf(again.events()).data).toEqual({
    id: expect.any(String),
    type: 'ai-asset.updated',
    assetId: id,
    organizationId: organization.id,
    at: expect.any(String),
  })
})

it('sends uses and reactions to everybody else, without the actor', async () => {
  const [actor, other] = [await organization.person(), await organization.person()]
  const [own, foreign] = [await streamOf(actor), await streamOf(other)]
  const assetId = await assetOf(actor, 'ORGANIZATION')
  await announce(server, actor, 'ai-asset.used', { assetId, usageCount: 1 })
  await announce(server, actor, 'ai-asset.reacted', { assetId, thumbsUp: 1, thumbsDown: 0 })
  for (let usageCount = 2; usageCount <= 9; usageCount++)
    await announce(server, actor, 'ai-asset.used', { assetId, usageCount })
  const used = await foreign.until(({ data }) => data?.usageCount === 9)
  expect(used).toMatchObject({
    event: 'asset-used',
    data: { type: 'ai-asset.used', assetId, usageCount: 9, actorId: null },
  })
  await foreign.until(({ event, data }) => event === 'asset-reacted' && data?.thumbsUp === 1)
  expect(received(foreign, assetId)).toBeLessThan(8)
  await allReceived(actor, [own])
  expect(received(own, assetId)).toBe(0)
})

it('continues at the last event of a client in another process', async () => {
  const [author, reader] = [await organization.person(), await organization.person()]
  const first = await streamOf(reader)
  await allReceived(author, [first])
  const { id: cursor } = lastOf(first.events())
  first.close()
  const missed = await assetOf(author, 'ORGANIZATION')
  await announce(server, author, 'ai-asset.verified', { assetId: missed, slug: 's', version: '1.0.0' })
  const secret = await assetOf(author, 'PRIVATE')
  await announce(server, author, 'ai-asset.updated', { assetId: secret, slug: 's', changes: ['name'] })
  await server.relayed()
  const { url } = await server.anotherApi()
  const again = await streamOf(reader, { url, more: `&lastEventId=${cursor}` })
  await again.until(({ event }) => event === 'asset-verified')
  await allReceived(author, [again])
  expect(again.events()).toHaveLength(2)
})

it('rejects the sixth stream of a person across all processes', async () => {
  const person = await organization.person()
  const { url } = await server.anotherApi()
  for (let n = 0; n < 5; n++)
    expect((await streamOf(person, { url: n % 2 ? url : server.url })).status).toBe(200)
  const refused = await streamOf(person, { url })
  expect(refused.status).toBe(429)
  expect(refused.headers['retry-after']).toBe('20')
  expect(JSON.parse(refused.body)).toMatchObject({
    errorCode: 'TOO_MANY_STREAMS',
    retryAfterSeconds: 20,
    limit: 5,
  })
})

it('ends within two seconds of the end of the membership', async () => {
  const admin = await organization.person({ role: 'ADMIN' })
  const person = await organization.person()
  const stream = await streamOf(person)
  const startedAt = performance.now()
  await admin.call(removeMember, { params: { personId: person.id } })
  await stream.ended
  expect(performance.now() - startedAt).toBeLessThan(2_000 * crowd())
})
