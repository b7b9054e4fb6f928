import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { removeMember, updateMember, updateOrganization } from '#contract/identity/organization.ts'
import { createRole } from '#contract/identity/roles.ts'
import { createStreamToken } from '#contract/identity/sessions.ts'
import type { Recipient } from '#platform/events/emit.ts'
import { newId } from '#platform/ids.ts'
import { crowd } from '#tests/support/crowd.ts'
import { exactly, findIn, firstOf, itemAt, lastOf, mapAll } from '#tests/support/elements.ts'
import {
  announce,
  type EventStream,
  openStream,
  type StreamFrame,
  streamsAt,
} from '#tests/support/event-stream.ts'
import { insertRows } from '#tests/support/rows.ts'
import { type Person, startTestServer, type TestServer } from '#tests/support/test-server.ts'

let server: TestServer
// the submitter of an entry and a colleague, the installer, and a person of a third company
let author: Person
let colleague: Person
let installer: Person
let stranger: Person

beforeAll(async () => {
  server = await startTestServer()
  const features = ['marketplace'] as const
  const companies = []
  for (const name of ['Zeppelin Foundry', 'Walrus Bakery', 'Quokka Press'])
    companies.push(await server.organization({ name, features: [...features] }))
  author = await firstOf(companies).person({ name: 'Zoe Author', role: 'ADMIN' })
  colleague = await firstOf(companies).person({ name: 'Zed Colleague', role: 'OWNER' })
  installer = await itemAt(companies, 1).person({ name: 'Wanda Installer' })
  stranger = await itemAt(companies, 2).person({ name: 'Quentin Stranger' })
})
afterAll(() => server.close())

const path = '/api/studio/marketplace/events'
const streamOf = streamsAt(path, () => server)
function code(stream: EventStream): unknown[] {
  return [stream.status, (JSON.parse(stream.body) as { errorCode?: string }).errorCode]
}
const recipient = ({ organizationId, id: personId }: Person): Recipient => ({ organizationId, personId })

const about = (entryId: string) => (frame: StreamFrame) => frame.data?.entryId === entryId
/** Emits an event for everyone, and resolves when these streams received it. */
async function allReceived(streams: EventStream[]): Promise<void> {
  const entryId = newId()
  await announce(server, author, 'ai-marketplace.unfeatured', { entryId })
  await Promise.all(streams.map(stream => stream.until(about(entryId))))
}
const names = (stream: EventStream, entryId: string) =>
  stream
    .events()
    .filter(about(entryId))
    .map(({ event }) => event.replace('marketplace-', ''))

/** Everything that can happen to an entry, once. */
async function everything(entryId: string): Promise<void> {
  const [version, reviewId, time] = ['1.0.0', newId(), '2026-12-01T00:00:00.000Z']
  const rated = { entryId, reviewId, ratingAverage: 4.5, ratingCount: 2 }
  const submitter = [recipient(author)]
  const released = { entryId, version }
  await announce(server, stranger, 'ai-marketplace.under-review', released, submitter)
  await announce(server, stranger, 'ai-marketplace.rejected', { ...released, reason: 'Too short' }, submitter)
  await announce(server, stranger, 'ai-marketplace.approved', released, submitter)
  await announce(server, author, 'ai-marketplace.new-version-pending-review', released, submitter)
  await announce(server, stranger, 'ai-marketplace.featured', { entryId, featuredUntil: time })
  await announce(server, stranger, 'ai-marketplace.unfeatured', { entryId })
  await announce(server, installer, 'ai-marketplace.installed', { ...released, installCount: 3 }, [
    ...submitter,
    recipient(installer),
  ])
  await announce(server, installer, 'ai-marketplace.reviewed', rated)
  await announce(server, installer, 'ai-marketplace.review-updated', rated)
  await announce(server, colleague, 'ai-marketplace.review-helpful', { entryId, reviewId, helpfulCount: 1 })
  await announce(server, installer, 'ai-marketplace.review-deleted', rated)
  await announce(server, author, 'ai-marketplace.archived', { entryId, reason: null }, submitter)
}
const forEveryone = [
  'featured',
  'unfeatured',
  'reviewed',
  'review-updated',
  'review-helpful',
  'review-deleted',
]
const forSubmitter = ['under-review', 'rejected', 'approved', 'new-version-pending-review', 'archived']

describe('GET /marketplace/events', () => {
  it('opens only with a stream token', async () => {
    const { token } = await stranger.call(createStreamToken)
    const at = (query: string, headers = {}) => openStream(`${server.url}${path}${query}`, headers)
    expect((await at('')).status).toBe(401)
    expect((await at(`?token=${stranger.token}`)).status).toBe(401)
    expect((await at('', { Authorization: `Bearer ${stranger.token}` })).status).toBe(401)
    expect((await at('', { Authorization: `Bearer ${token}` })).status).toBe(401)
    const stream = await streamOf(stranger)
    expect(stream.headers['content-type']).toBe('text/event-stream')
    expect(stream.frames[1]).toEqual({
      event: 'connected',
      data: { userId: stranger.id, at: expect.any(String) },
    })
    expect(server.logged()).not.toContain(token)
  })

  it('needs the permission, the feature and the studio module', async () => {
    const options = { features: ['marketplace' as const] }
    const blind = await (await server.organization(options)).person({ permissions: ['STUDIO_VIEW'] })
    expect(code(await streamOf(blind))).toEqual([403, 'PERMISSION_DENIED'])
    const plain = await (await server.organization()).person()
    expect(code(await streamOf(plain))).toEqual([403, 'FEATURE_NOT_ENABLED'])
    const bare = await server.organization(options)
    await server.sql(`update organization set modules_removed = '{studio}' where id = $1`, [bare.id])
    expect(code(await streamOf(await bare.person()))).toEqual([403, 'MODULE_NOT_ENABLED'])
  })

  it('sends events to everyone, the submitter, or submitter and installer', async () => {
    const streams = await Promise.all(
      [author, colleague, installer, stranger].map(person => streamOf(person)),
    )
    const [his, hers, theirs, nobodys] = exactly(4, streams)
    const entryId = newId()
    await everything(entryId)
    await allReceived(streams)
    const receivedBy = (stream: EventStream) => names(stream, entryId).sort()
    expect(receivedBy(his)).toEqual([...forEveryone, ...forSubmitter, 'installed'].sort())
    expect(receivedBy(hers)).toEqual([...forEveryone].sort())
    expect(receivedBy(theirs)).toEqual([...forEveryone, 'installed'].sort())
    expect(receivedBy(nobodys)).toEqual([...forEveryone].sort())
  })

  it('distinguishes the organizations of a person', async () => {
    const second = await server.organization({ features: ['marketplace'] })
    const there = await streamOf(await second.joined(installer, 'OWNER'))
    const here = await streamOf(installer)
    const entryId = newId()
    await everything(entryId)
    await allReceived([here, there])
    expect(names(here, entryId)).toContain('installed')
    expect(names(there, entryId)).not.toContain('installed')
  })

  it('sends the data of the contract, without person or organization', async () => {
    const streams = await mapAll([author, installer, stranger], person => streamOf(person))
    const entryId = newId()
    // fields outside of the contract are not sent
    const data = {
      entryId,
      version: '1.0.0',
      installCount: 7,
      installedBy: installer.name,
      email: installer.email,
    }
    await announce(server, installer, 'ai-marketplace.installed', data, [
      recipient(author),
      recipient(installer),
    ])
    await everything(entryId)
    await allReceived(streams)
    const frame = findIn(streams[0].events(), about(entryId))
    expect(frame).toEqual({
      id: expect.any(String),
      event: 'marketplace-installed',
      data: {
        id: frame.id,
        type: 'ai-marketplace.installed',
        at: expect.any(String),
        entryId,
        version: '1.0.0',
        installCount: 7,
      },
    })
    const people = [author, colleague, installer, stranger]
    const secrets = people.flatMap(({ id, organizationId, name, email }) => [id, organizationId, name, email])
    for (const stream of streams) {
      expect(stream.events().length).toBeGreaterThan(5)
      const text = JSON.stringify(stream.events())
      expect(secrets.filter(secret => text.includes(secret))).toEqual([])
      expect(text).not.toMatch(/actorId|organizationId|"to"|heardBy/)
    }
  })

  it('resumes a client at another process, with the same audiences', async () => {
    const first = await streamOf(stranger)
    await allReceived([first])
    const { id: cursor } = lastOf(first.events())
    const entryId = newId()
    await everything(entryId)
    await allReceived([first])
    const { url } = await server.anotherApi()
    const again = await Promise.all([
      streamOf(author, { url, more: `&lastEventId=${cursor}` }),
      streamOf(installer, { url, headers: { 'Last-Event-ID': cursor } }),
      streamOf(stranger, { url, more: `&lastEventId=${cursor}` }),
    ])
    await allReceived(again)
    expect(again.map(stream => names(stream, entryId).length)).toEqual([12, 7, 6])
    // one sequence for all, of which each person receives their events
    const ids = again[2].events().map(({ id }) => Number(id))
    expect(ids).toEqual([...ids].sort((a, b) => a - b))
    const lost = await streamOf(author, { more: '&lastEventId=999999' })
    expect((await lost.until(({ event }) => event === 'resync')).data).toEqual({ reason: 'unknown' })
  })

  it('is separate from the catalogue stream, with its own limit of five', async () => {
    const person = await (await server.organization({ features: ['marketplace'] })).person()
    const catalogue = await streamOf(person, { path: '/api/studio/events' })
    expect(catalogue.status).toBe(200)
    const { url } = await server.anotherApi()
    const streams = []
    for (let n = 0; n < 5; n++) streams.push(await streamOf(person, { url: n % 2 ? url : server.url }))
    expect(streams.map(({ status }) => status)).toEqual(Array(5).fill(200))
    const refused = await streamOf(person, { url })
    expect(code(refused)).toEqual([429, 'TOO_MANY_STREAMS'])
    expect(refused.headers['retry-after']).toBe('20')

    const assetId = newId()
    await insertRows(server, 'asset', [
      { organization_id: person.organizationId, id: assetId, slug: assetId, author_id: person.id },
    ])
    await allReceived(streams)
    await announce(server, person, 'ai-asset.created', { assetId, slug: 's' })
    await catalogue.until(({ data }) => data?.assetId === assetId)
    expect(catalogue.events()).toHaveLength(1)
    await allReceived(streams)
    for (const stream of streams) expect(JSON.stringify(stream.events())).not.toContain('asset')
  })

  it('sends a helpful count at most every 250 ms, and always the last one', async () => {
    const stream = await streamOf(stranger)
    const [entryId, reviewId] = [newId(), newId()]
    for (let helpfulCount = 1; helpfulCount <= 12; helpfulCount++)
      await announce(server, installer, 'ai-marketplace.review-helpful', { entryId, reviewId, helpfulCount })
    await stream.until(({ data }) => data?.helpfulCount === 12)
    expect(names(stream, entryId).length).toBeLessThan(12)
  })
})

describe('the stream ends within two seconds', () => {
  const ends: Record<string, (admin: Person, person: Person) => Promise<unknown>> = {
    'when the membership ends': (admin, { id: personId }) =>
      admin.call(removeMember, { params: { personId } }),
    'when the permission is taken away': async (admin, { id: personId }) => {
      const { id: roleId } = await admin.call(createRole, {
        body: { name: `Role ${newId()}`, permissions: ['STUDIO_VIEW'] },
      })
      await admin.call(updateMember, { params: { personId }, body: { role: 'CUSTOM', roleId } })
    },
    'when the organization leaves the marketplace': admin =>
      admin.call(updateOrganization, { body: { features: [] } }),
    'when the session ends': async (_admin, { sessionId }) => {
      await server.sql('delete from session where id = $1', [sessionId])
      server.api.services.forget?.(_admin.organizationId, null)
    },
  }
  it.each(Object.entries(ends))('%s, and that of others stays', async (_, end) => {
    const organization = await server.organization({ features: ['marketplace'] })
    const [admin, person] = [await organization.person({ role: 'OWNER' }), await organization.person()]
    const [stream, others] = [await streamOf(person), await streamOf(stranger)]
    const startedAt = performance.now()
    await end(admin, person)
    await stream.ended
    expect(performance.now() - startedAt).toBeLessThan(2_000 * crowd())
    await allReceived([others])
  })
})

it('does not query the recipients of an event', async () => {
  const others = []
  for (let n = 0; n < 6; n++)
    others.push(await (await server.organization({ features: ['marketplace'] })).person())
  const streams = await Promise.all(others.map(person => streamOf(person)))
  await allReceived(streams)
  const { pool } = server.api.services.database
  const requested: string[] = []
  const query = pool.query.bind(pool)
  pool.query = ((...args: Parameters<typeof query>) => {
    requested.push(JSON.stringify(args[0]))
    return query(...args)
  }) as typeof pool.query
  await allReceived(streams)
  pool.query = query as typeof pool.query
  // the events are read once per topic, for all subscribers
  expect(requested.filter(text => text.includes('from event')).length).toBeLessThanOrEqual(2)
  expect(requested.filter(text => /membership|organization o|market_/.test(text))).toEqual([])
})
