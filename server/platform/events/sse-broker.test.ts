import { connect } from 'node:net'
import { expect, it } from 'vitest'
import { limits } from '#contract/limits.ts'
import { crossTenantSql } from '#platform/data/statement.ts'
import { newId } from '#platform/ids.ts'
import { atLeast, defined, exactly, firstOf, itemAt } from '#tests/support/elements.ts'
import { emitTestEvent } from '#tests/support/stream-app.ts'
import { numbered, numbers, openStreamHarness, range } from '#tests/support/stream-harness.ts'

import type { Heads, Signal } from './signal.ts'

const stage = openStreamHarness()
const leases = crossTenantSql<{ n: number }, { personId: string }>(
  'test',
  'select count(*)::int as n from stream_lease where person_id = $personId',
)

it('starts with headers, a retry time, a cursor and the connected person', async () => {
  const app = await stage.start()
  const opened = await stage.stream(app, { organizationId: newId(), personId: 'p1' })
  expect(opened.headers).toMatchObject({
    'content-type': 'text/event-stream',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
    'transfer-encoding': 'chunked',
  })
  const [first, second] = exactly(2, opened.frames)
  expect(Number(first.retry)).toBeGreaterThanOrEqual(2_500)
  expect(Number(first.retry)).toBeLessThanOrEqual(4_500)
  expect(first).toEqual({ retry: first.retry, id: '0' })
  expect(second).toEqual({ event: 'connected', data: { userId: 'p1', at: expect.any(String) } })
  expect(Date.parse(defined(second.data).at as string)).toBeGreaterThan(Date.now() - 5_000)
})

it('delivers an event in its declared form, to its own organization only', async () => {
  const app = await stage.start()
  const [organizationId, other] = [newId(), newId()]
  const mine = await stage.stream(app, { organizationId })
  const theirs = await stage.stream(app, { organizationId: other })
  await emitTestEvent(
    stage.database,
    organizationId,
    [{ name: 'ai-asset.published', actorId: 'p9', data: { version: '1.0.0' } }],
    stage.signal,
  )
  const frame = await mine.until(({ event }) => event === 'asset-published')
  expect(frame).toEqual({
    id: '1',
    event: 'asset-published',
    data: {
      id: '1',
      type: 'ai-asset.published',
      organizationId,
      at: expect.any(String),
      actorId: 'p9',
      assetId: 'a1',
      slug: 's',
      version: '1.0.0',
    },
  })
  await stage.emit(other, [5])
  await theirs.until(numbered(5))
  expect(theirs.events()).toHaveLength(1)
  expect(mine.events()).toHaveLength(1)
})

it('resolves the audience once per batch, and decides for each connection', async () => {
  const app = await stage.start()
  const organizationId = newId()
  const streams = await Promise.all(
    ['p1', 'p2', 'p3'].map(personId => stage.stream(app, { organizationId, personId })),
  )
  await emitTestEvent(
    stage.database,
    organizationId,
    [
      { data: { n: 1 } },
      { data: { n: 2, onlyFor: 'p2' } },
      { data: { n: 3, onlyFor: 'p3' } },
      { data: { n: 4 } },
    ],
    stage.signal,
  )
  await Promise.all(streams.map(opened => opened.until(numbered(4))))
  expect(streams.map(numbers)).toEqual([
    [1, 4],
    [1, 2, 4],
    [1, 3, 4],
  ])
  expect(app.audienceCount()).toBe(1)
})

it('delivers within the poll interval if every signal is lost', async () => {
  const deaf = {
    changed() {},
    announce() {},
    onAnnounced: async () => {},
    onChanged: async () => {},
    onReconnect() {},
  }
  const app = await stage.start({ pollMs: 100, signal: { ...stage.signal, ...deaf } })
  const organizationId = newId()
  const opened = await stage.stream(app, { organizationId })
  await stage.emit(organizationId, [1])
  await opened.until(numbered(1))
})

it('polls for missed events when the signal reconnects', async () => {
  let reconnect = () => {}
  const deaf = { changed() {}, announce() {}, onAnnounced: async () => {}, onChanged: async () => {} }
  const onReconnect = (act: () => void) => {
    reconnect = act
  }
  const app = await stage.start({ pollMs: 1e6, signal: { ...stage.signal, ...deaf, onReconnect } })
  const organizationId = newId()
  const opened = await stage.stream(app, { organizationId })
  await stage.emit(organizationId, [1])
  await (await stage.stream(await stage.start(), { organizationId, lastEventId: 0 })).until(numbered(1))
  reconnect()
  await opened.until(numbered(1))
})

it('looks at the database one time after the other, however many signals name no organization', async () => {
  let signal: (heads: Heads) => void = () => {}
  const onAnnounced: Signal['onAnnounced'] = async act => {
    signal = act
  }
  const app = await stage.start({ pollMs: 1e6, signal: { ...stage.signal, onAnnounced } })
  const organizationId = newId()
  const opened = await stage.stream(app, { organizationId })
  await stage.emit(organizationId, [1])
  await (await stage.stream(await stage.start(), { organizationId, lastEventId: 0 })).until(numbered(1))
  let statements = 0
  app.database.pool.on('acquire', () => statements++)
  for (let count = 0; count < 200; count++) signal(undefined)
  await opened.until(numbered(1))
  expect(statements).toBeLessThan(10)
})

it('serves a client of HTTP/1.0 without chunks', async () => {
  const app = await stage.start()
  const organizationId = newId()
  const { pathname, search, port } = new URL(app.address({ organizationId }))
  const socket = connect(Number(port), '127.0.0.1')
  let text = ''
  socket.setEncoding('utf8').on('data', piece => (text += piece))
  socket.write(`GET ${pathname}${search} HTTP/1.0\r\n\r\n`)
  await expect.poll(() => text).toContain('connected')
  await stage.emit(organizationId, [1])
  await expect.poll(() => text).toContain('asset-created')
  const [head, body] = atLeast(2, text.split('\r\n\r\n'))
  expect(head.toLowerCase()).not.toContain('chunked')
  expect(body.startsWith('retry: ')).toBe(true)
  socket.destroy()
})

it('sends counters at most once in 250 ms, always the last value, and not to the actor', async () => {
  const app = await stage.start()
  const organizationId = newId()
  const opened = await stage.stream(app, { organizationId, personId: 'p1' })
  const actor = await stage.stream(app, { organizationId, personId: 'p2' })
  const use = (usageCount: number, assetId = 'a1') =>
    emitTestEvent(
      stage.database,
      organizationId,
      [{ name: 'ai-asset.used', actorId: 'p2', data: { usageCount, assetId } }],
      stage.signal,
    )
  const startedAt = performance.now()
  for (const count of range(1, 40)) await use(count)
  await use(1, 'a2')
  await stage.emit(organizationId, [7])
  const last = await opened.until(({ data }) => data?.usageCount === 40)
  const passed = performance.now() - startedAt
  await opened.until(({ data }) => data?.assetId === 'a2')
  const counts = opened
    .events()
    .filter(({ data }) => data?.assetId === 'a1' && data.usageCount)
    .map(({ data }) => data.usageCount as number)
  expect(counts).toEqual([...counts].sort((a, b) => a - b))
  expect(counts.length).toBeLessThanOrEqual(Math.ceil(passed / limits.reactionCoalesceMs) + 1)
  expect(counts.length).toBeLessThan(20)
  expect(defined(last.data).actorId).toBeNull()
  // the cursor never goes back
  const ids = opened.events().map(({ id }) => Number(id))
  expect(ids).toEqual([...ids].sort((a, b) => a - b))
  await actor.until(numbered(7))
  expect(actor.events()).toHaveLength(1)
})

it('drops a client that leaves more than 1 MiB unread, and keeps serving the others', async () => {
  const app = await stage.start()
  const organizationId = newId()
  const slow = await stage.stream(app, { organizationId, personId: 'slow' })
  slow.socket.pause()
  const quick = await stage.stream(app, { organizationId, personId: 'quick' })
  const filler = 'x'.repeat(50_000)
  let n = 0
  while (app.hub.size() === 2 && n < 1_000) {
    await stage.emit(organizationId, [++n], { filler })
    await quick.until(numbered(n))
    quick.frames.splice(0)
  }
  // what the system buffers of its own comes on top of our 1 MiB
  expect(n).toBeGreaterThan(20)
  expect(n).toBeLessThan(400)
  await expect
    .poll(async () => (await stage.database.crossTenant.one(leases, { personId: 'slow' })).n)
    .toBe(0)
})

it('has one topic for a stream that all organizations share', async () => {
  const deaf = { changed() {}, announce() {}, onAnnounced: async () => {}, onChanged: async () => {} }
  const apps = [
    await stage.start(),
    await stage.start({ pollMs: 100, signal: { ...stage.signal, ...deaf, onReconnect() {} } }),
  ]
  const [one, two] = [newId(), newId()]
  const stream = 'marketplace'
  const shared = await Promise.all([
    stage.stream(firstOf(apps), { organizationId: one, stream }),
    stage.stream(firstOf(apps), { organizationId: two, stream }),
    // hears no hint, and looks at the head of the room
    stage.stream(itemAt(apps, 1), { organizationId: two, stream }),
  ])
  const own = await stage.stream(firstOf(apps), { organizationId: one })
  const emit = (organizationId: string, entryId: string) =>
    emitTestEvent(
      stage.database,
      organizationId,
      [{ name: 'ai-marketplace.unfeatured', actorId: 'p9', data: { entryId, secret: organizationId } }],
      stage.signal,
    )
  await emit(one, 'e1')
  await emit(two, 'e2')
  await stage.emit(one, [1])
  await own.until(numbered(1))
  expect(own.events()).toHaveLength(1)
  for (const opened of shared) {
    await opened.until(({ data }) => data?.entryId === 'e2')
    expect(opened.events()).toEqual(
      ['e1', 'e2'].map((entryId, index) => ({
        id: String(index + 1),
        event: 'marketplace-unfeatured',
        data: {
          id: String(index + 1),
          type: 'ai-marketplace.unfeatured',
          at: expect.any(String),
          entryId,
        },
      })),
    )
  }
  await stage.age('marketplace', 1)
  const late = await stage.stream(firstOf(apps), { organizationId: two, stream, lastEventId: 0 })
  expect((await late.until(({ event }) => event === 'resync')).data).toEqual({ reason: 'expired' })
  const back = await stage.stream(firstOf(apps), { organizationId: newId(), stream, lastEventId: 1 })
  await back.until(({ data }) => data?.entryId === 'e2')
  expect(back.events()).toHaveLength(1)
})
