import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { limits } from '#contract/limits.ts'
import type { Database } from '#platform/db/database.ts'
import { wideSql } from '#platform/db/statement.ts'
import { newId } from '#platform/ids.ts'
import { type EventStream, openStream } from '#tests/event-stream.ts'
import { type FreshDatabase, freshDatabase } from '#tests/postgres.ts'
import {
  log,
  openStreamApp,
  openTestDatabase,
  type StreamApp,
  type StreamAppOptions,
  say,
} from '#tests/stream-app.ts'
import { openRelay, type Relay } from './relay.ts'
import { type Heads, openSignal, type Signal } from './signal.ts'

const leases = wideSql<{ n: number }, [personId: string]>(
  'test',
  'select count(*)::int as n from stream_lease where person_id = $1',
)
const age = wideSql<never, [organizationId: string, seq: number]>(
  'test',
  `with old as (update relay_head set event_oldest = $2 + 1 where organization_id = $1)
   delete from event where organization_id = $1 and seq <= $2`,
)
const expireLeases = wideSql<never, [personId: string]>(
  'test',
  'update stream_lease set expires_at = now() where person_id = $1',
)

let fresh: FreshDatabase
let database: Database
let signal: Signal
let relay: Relay
const apps: StreamApp[] = []
const open: EventStream[] = []

beforeAll(async () => {
  fresh = await freshDatabase()
  database = await openTestDatabase(fresh.url)
  signal = await openSignal({ url: fresh.url, log })
  relay = openRelay({ database, signal, log })
})
afterEach(async () => {
  for (const stream of open.splice(0)) stream.close()
  await Promise.all(apps.splice(0).map(app => app.close()))
})
afterAll(async () => {
  await relay.close()
  await signal.close()
  await database.close()
  await fresh.drop()
})

async function start(options: Partial<StreamAppOptions> = {}): Promise<StreamApp> {
  const app = await openStreamApp({ databaseUrl: fresh.url, ...options })
  apps.push(app)
  return app
}
async function stream(
  app: StreamApp,
  query: Parameters<StreamApp['address']>[0],
  headers?: Record<string, string>,
): Promise<EventStream> {
  const opened = await openStream(app.address(query), headers)
  open.push(opened)
  if (opened.status === 200) await opened.until(frame => frame.event === 'connected')
  return opened
}
/** Holds up the question who may hear events. */
function gated() {
  let passage: PromiseWithResolvers<void> | undefined
  let held = 0
  let isShut = false
  return {
    async pass() {
      if (!isShut) return
      held++
      await passage!.promise
    },
    shut() {
      passage = Promise.withResolvers()
      isShut = true
    },
    letOthersPass() {
      isShut = false
    },
    open() {
      isShut = false
      passage!.resolve()
    },
    held: () => held,
  }
}
const told = (organizationId: string, numbers: number[], more: object = {}) =>
  say(
    database,
    organizationId,
    numbers.map(n => ({ data: { n, ...more } })),
    signal,
  )
const numbered = (n: number) => (frame: { data?: Record<string, unknown> }) => frame.data?.n === n
const numbers = (from: EventStream) => from.events().map(frame => frame.data!.n)
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index)

it('begins with the head, a time to come back, a cursor and who is connected', async () => {
  const app = await start()
  const opened = await stream(app, { organizationId: newId(), personId: 'p1' })
  expect(opened.headers).toMatchObject({
    'content-type': 'text/event-stream',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
    'transfer-encoding': 'chunked',
  })
  const [first, second, ...others] = opened.frames
  expect(Number(first!.retry)).toBeGreaterThanOrEqual(2_500)
  expect(Number(first!.retry)).toBeLessThanOrEqual(4_500)
  expect(first).toEqual({ retry: first!.retry, id: '0' })
  expect(second).toEqual({ event: 'connected', data: { userId: 'p1', at: expect.any(String) } })
  expect(Date.parse(second!.data!.at as string)).toBeGreaterThan(Date.now() - 5_000)
  expect(others).toEqual([])
})

it('delivers an event in the promised form, to its own organization only', async () => {
  const app = await start()
  const [organizationId, other] = [newId(), newId()]
  const mine = await stream(app, { organizationId })
  const theirs = await stream(app, { organizationId: other })
  await say(
    database,
    organizationId,
    [{ name: 'ai-asset.published', actorId: 'p9', data: { version: '1.0.0' } }],
    signal,
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
  await told(other, [5])
  await theirs.until(numbered(5))
  expect(theirs.events()).toHaveLength(1)
  expect(mine.events()).toHaveLength(1)
})

it('asks once for a batch who may hear it, and decides for each connection', async () => {
  const app = await start()
  const organizationId = newId()
  const streams = await Promise.all(
    ['p1', 'p2', 'p3'].map(personId => stream(app, { organizationId, personId })),
  )
  await say(
    database,
    organizationId,
    [
      { data: { n: 1 } },
      { data: { n: 2, onlyFor: 'p2' } },
      { data: { n: 3, onlyFor: 'p3' } },
      { data: { n: 4 } },
    ],
    signal,
  )
  await Promise.all(streams.map(opened => opened.until(numbered(4))))
  expect(streams.map(numbers)).toEqual([
    [1, 4],
    [1, 2, 4],
    [1, 3, 4],
  ])
  expect(app.asked()).toBe(1)
})

it('delivers within its poll when every hint is lost', async () => {
  const deaf = {
    changed() {},
    announce() {},
    onAnnounced: async () => {},
    onChanged: async () => {},
    onReconnect() {},
  }
  const app = await start({ pollMs: 100, signal: { ...signal, ...deaf } })
  const organizationId = newId()
  const opened = await stream(app, { organizationId })
  await told(organizationId, [1])
  await opened.until(numbered(1))
})

it('looks for what it missed when the signal comes back', async () => {
  let reconnect = () => {}
  const deaf = { changed() {}, announce() {}, onAnnounced: async () => {}, onChanged: async () => {} }
  const onReconnect = (act: () => void) => {
    reconnect = act
  }
  const app = await start({ pollMs: 1e6, signal: { ...signal, ...deaf, onReconnect } })
  const organizationId = newId()
  const opened = await stream(app, { organizationId })
  await told(organizationId, [1])
  await (await stream(await start(), { organizationId, lastEventId: 0 })).until(numbered(1))
  reconnect()
  await opened.until(numbered(1))
})

it('serves a client of HTTP/1.0 without chunks', async () => {
  const app = await start()
  const organizationId = newId()
  const { pathname, search, port } = new URL(app.address({ organizationId }))
  const socket = connect(Number(port), '127.0.0.1')
  let text = ''
  socket.setEncoding('utf8').on('data', piece => (text += piece))
  socket.write(`GET ${pathname}${search} HTTP/1.0\r\n\r\n`)
  await expect.poll(() => text).toContain('connected')
  await told(organizationId, [1])
  await expect.poll(() => text).toContain('asset-created')
  const [head, body] = text.split('\r\n\r\n')
  expect(head!.toLowerCase()).not.toContain('chunked')
  expect(body!.startsWith('retry: ')).toBe(true)
  socket.destroy()
})

it('replays what was missed, in pages, and goes on without a gap or a repetition', async () => {
  const app = await start()
  const organizationId = newId()
  let n = 0
  const tell = async (count: number) => {
    for (let batch = 0; batch < count; batch++) {
      n += 10
      await told(organizationId, range(n - 9, n))
    }
  }
  const live = await stream(app, { organizationId })
  await tell(45)
  await live.until(numbered(450))
  // more is said the whole time while twenty clients come back with different cursors
  const telling = tell(60)
  const streams = await Promise.all(
    range(0, 19).map(async index => {
      await sleep(index * 7)
      const cursor = index * 20
      const opened = await openStream(
        app.address({ organizationId, ...(index % 2 === 0 && { lastEventId: cursor }) }),
        index % 2 === 1 ? { 'Last-Event-ID': `${cursor}` } : {},
      )
      open.push(opened)
      return { opened, cursor }
    }),
  )
  await telling
  for (const { opened, cursor } of streams) {
    await opened.until(numbered(n))
    expect(numbers(opened)).toEqual(range(cursor + 1, n))
    expect(opened.events().map(({ id }) => Number(id))).toEqual(range(cursor + 1, n))
  }
})

it('misses nothing that is handed out to others while the last page is replayed', async () => {
  const gate = gated()
  const app = await start({ audienceDelay: gate.pass })
  const organizationId = newId()
  const live = await stream(app, { organizationId })
  await told(organizationId, [1, 2, 3])
  await live.until(numbered(3))
  gate.shut()
  const late = await stream(app, { organizationId, lastEventId: 0 })
  await expect.poll(() => gate.held()).toBe(1)
  gate.letOthersPass()
  await told(organizationId, [4])
  await live.until(numbered(4))
  gate.open()
  await told(organizationId, [5])
  await late.until(numbered(5))
  expect(numbers(late)).toEqual(range(1, 5))
})

it('takes the header before the address, and lets a client that saw nothing yet go on from where it began', async () => {
  const app = await start()
  const organizationId = newId()
  await told(organizationId, [1, 2])
  const first = await stream(app, { organizationId })
  await expect
    .poll(async () => (await stream(app, { organizationId, lastEventId: 0 })).until(numbered(2)))
    .toBeTruthy()
  const begun = first.frames[0]!.id!
  first.close()
  await told(organizationId, [3])
  const again = await stream(app, { organizationId, lastEventId: 1 }, { 'Last-Event-ID': begun })
  await again.until(numbered(3))
  expect(numbers(again)).toEqual(range(Number(begun) + 1, 3))
})

it('says resync once when the cursor is too old or unknown, and goes on live', async () => {
  const app = await start()
  const organizationId = newId()
  await told(organizationId, range(1, 10))
  await (await stream(app, { organizationId, lastEventId: 0 })).until(numbered(10))
  await database.wide.rows(age, organizationId, 6)
  const cases = [
    ['3', 'expired'],
    ['5', 'expired'],
    ['11', 'unknown'],
    ['abc', 'unknown'],
    ['-1', 'unknown'],
    ['1e1', 'unknown'],
  ] as const
  const streams = await Promise.all(
    cases.map(([lastEventId]) => stream(app, { organizationId, lastEventId })),
  )
  const whole = await stream(app, { organizationId, lastEventId: 6 })
  await told(organizationId, [11])
  for (const [index, opened] of streams.entries()) {
    await opened.until(numbered(11))
    expect(numbers(opened)).toEqual([11])
    const resyncs = opened.frames.filter(({ event }) => event === 'resync')
    expect(resyncs).toEqual([{ event: 'resync', data: { reason: cases[index]![1] } }])
    expect(opened.frames[0]!.id).toBe('10')
  }
  await whole.until(numbered(11))
  expect(numbers(whole)).toEqual(range(7, 11))
  expect(whole.frames.some(({ event }) => event === 'resync')).toBe(false)
})

it('says resync when events disappear while they are replayed', async () => {
  const gate = gated()
  const app = await start({ audienceDelay: gate.pass })
  const organizationId = newId()
  const live = await stream(app, { organizationId })
  await told(organizationId, range(1, 450))
  await live.until(numbered(450))
  gate.shut()
  const opened = await stream(app, { organizationId, lastEventId: 0 })
  await expect.poll(() => gate.held()).toBe(1)
  await database.wide.rows(age, organizationId, 300)
  gate.open()
  await opened.until(({ event }) => event === 'resync')
  await told(organizationId, [451])
  await opened.until(numbered(451))
  expect(numbers(opened)).toEqual([...range(1, 200), 451])
})

it('says resync only to members who have not passed the place where events are missing', async () => {
  let hear = (_: Heads) => {}
  const deaf = { changed() {}, announce() {}, onChanged: async () => {}, onReconnect() {} }
  const onAnnounced = async (act: typeof hear) => {
    hear = act
  }
  const app = await start({ pollMs: 1e6, signal: { ...signal, ...deaf, onAnnounced } })
  const organizationId = newId()
  const behind = await stream(app, { organizationId })
  await told(organizationId, range(1, 10))
  await (await stream(await start(), { organizationId, lastEventId: 0 })).until(numbered(10))
  await database.wide.rows(age, organizationId, 6)
  const ahead = await stream(app, { organizationId, lastEventId: 7 })
  await ahead.until(numbered(10))
  hear(new Map([[organizationId, 10]]))
  await behind.until(numbered(10))
  await told(organizationId, [11])
  await (await stream(await start(), { organizationId, lastEventId: 10 })).until(numbered(11))
  hear(new Map([[organizationId, 11]]))
  await Promise.all([behind, ahead].map(opened => opened.until(numbered(11))))
  expect(behind.frames.filter(({ event }) => event === 'resync')).toHaveLength(1)
  expect(numbers(behind)).toEqual(range(7, 11))
  expect(ahead.frames.filter(({ event }) => event === 'resync')).toEqual([])
  expect(numbers(ahead)).toEqual(range(8, 11))
})

it('sends counters at most once in 250 ms, the last value always, and not to who acted', async () => {
  const app = await start()
  const organizationId = newId()
  const opened = await stream(app, { organizationId, personId: 'p1' })
  const actor = await stream(app, { organizationId, personId: 'p2' })
  const use = (usageCount: number, assetId = 'a1') =>
    say(
      database,
      organizationId,
      [{ name: 'ai-asset.used', actorId: 'p2', data: { usageCount, assetId } }],
      signal,
    )
  const startedAt = performance.now()
  for (const count of range(1, 40)) await use(count)
  await use(1, 'a2')
  await told(organizationId, [7])
  const last = await opened.until(({ data }) => data?.usageCount === 40)
  const passed = performance.now() - startedAt
  await opened.until(({ data }) => data?.assetId === 'a2')
  const counts = opened
    .events()
    .filter(({ data }) => data?.assetId === 'a1' && data.usageCount)
    .map(({ data }) => data!.usageCount as number)
  expect(counts).toEqual([...counts].sort((a, b) => a - b))
  expect(counts.length).toBeLessThanOrEqual(Math.ceil(passed / limits.reactionCoalesceMs) + 1)
  expect(counts.length).toBeLessThan(20)
  expect(last.data!.actorId).toBeNull()
  // the cursor never goes back
  const ids = opened.events().map(({ id }) => Number(id))
  expect(ids).toEqual([...ids].sort((a, b) => a - b))
  await actor.until(numbered(7))
  expect(actor.events()).toHaveLength(1)
})

it('drops a reader that leaves more than 1 MiB unread, and keeps serving the others', async () => {
  const app = await start()
  const organizationId = newId()
  const slow = await stream(app, { organizationId, personId: 'slow' })
  slow.socket.pause()
  const quick = await stream(app, { organizationId, personId: 'quick' })
  const filler = 'x'.repeat(50_000)
  let n = 0
  while (app.hub.size() === 2 && n < 1_000) {
    await told(organizationId, [++n], { filler })
    await quick.until(numbered(n))
    quick.frames.splice(0)
  }
  // what the system buffers of its own comes on top of our 1 MiB
  expect(n).toBeGreaterThan(20)
  expect(n).toBeLessThan(400)
  await expect.poll(async () => (await database.wide.first(leases, 'slow'))!.n).toBe(0)
})

it('refuses the sixth stream of a person and kind over two processes, without a race', async () => {
  const [one, two] = [await start(), await start()]
  const personId = newId()
  const opened = await Promise.all(range(1, 12).map(n => stream(n % 2 ? one : two, { personId })))
  expect(opened.map(({ status }) => status).sort()).toEqual([...Array(5).fill(200), ...Array(7).fill(429)])
  const refused = opened.find(({ status }) => status === 429)!
  expect(JSON.parse(refused.body)).toMatchObject({
    statusCode: 429,
    errorCode: 'TOO_MANY_STREAMS',
    retryAfterSeconds: 20,
  })
  expect((await stream(two, { personId: newId() })).status).toBe(200)
  expect((await stream(two, { personId, organizationId: 'another' })).status).toBe(200)
  opened.find(({ status }) => status === 200)!.close()
  await expect.poll(async () => (await stream(two, { personId })).status).toBe(200)
  expect((await stream(one, { personId })).status).toBe(429)
})

it('frees the place of a process that died when its lease expires', async () => {
  const app = await start()
  const personId = newId()
  for (const n of range(1, 5)) {
    await database.wide.rows(
      wideSql<never, [string, string]>(
        'test',
        `insert into stream_lease values ('o1', $1, 'studio', $2, now() + interval '1 second')`,
      ),
      personId,
      `dead${n}`,
    )
  }
  expect((await stream(app, { personId })).status).toBe(429)
  await expect.poll(async () => (await stream(app, { personId })).status, { timeout: 3_000 }).toBe(200)
})

it('beats, renews its leases, and takes them again when they ran out', async () => {
  const app = await start({ heartbeatMs: 200 })
  const personId = newId()
  const opened = await stream(app, { personId })
  const beat = await opened.until(({ event }) => event === 'heartbeat')
  expect(beat).toEqual({ event: 'heartbeat', data: { at: expect.any(String) } })
  await expect
    .poll(() => opened.frames.filter(({ event }) => event === 'heartbeat').length)
    .toBeGreaterThan(3)
  await database.wide.rows(expireLeases, personId)
  const expiry = wideSql<{ left: number }, [string]>(
    'test',
    'select extract(epoch from expires_at - now())::float as left from stream_lease where person_id = $1',
  )
  await expect.poll(async () => (await database.wide.first(expiry, personId))!.left).toBeGreaterThan(40)
  expect(opened.socket.destroyed).toBe(false)
})

it('ends a stream that lost its place while the database did not answer', async () => {
  const app = await start({ heartbeatMs: 400 })
  const personId = newId()
  const opened = await stream(app, { personId })
  const others = wideSql<never, [string]>(
    'test',
    `with mine as (delete from stream_lease where person_id = $1)
     insert into stream_lease select 'o1', $1, 'studio', 'other' || n, now() + interval '1 minute' from generate_series(1, 5) n`,
  )
  await database.wide.rows(others, personId)
  await opened.ended
})

it('ends a stream when the session is over or the permission is gone, at the heartbeat or when told', async () => {
  const app = await start({ heartbeatMs: 300 })
  const streams = await Promise.all(['g1', 'b1', 'stays'].map(personId => stream(app, { personId })))
  app.gone.add('g1')
  app.barred.add('b1')
  await Promise.all([streams[0]!.ended, streams[1]!.ended])
  expect(streams[2]!.socket.destroyed).toBe(false)

  const slow = await start()
  const told = await Promise.all(
    ['g2', 'b2', 'stays'].map(personId => stream(slow, { personId, organizationId: 'o7' })),
  )
  slow.gone.add('g2')
  slow.barred.add('b2')
  slow.hub.recheck('o7', 'g2')
  await told[0]!.ended
  expect(told[1]!.socket.destroyed).toBe(false)
  slow.hub.recheck('o7', null)
  await told[1]!.ended
  expect(told[2]!.socket.destroyed).toBe(false)
})

it('looks again at who came in while a change was heard of', async () => {
  const app = await start()
  app.gone.add('g3')
  const opened = await stream(app, { personId: 'g3' })
  const startedAt = performance.now()
  await opened.ended
  // long before its first heartbeat
  expect(performance.now() - startedAt).toBeLessThan(5_000)
})

it('closes every stream with a hint when to come back, gives its leases back, and takes no more', async () => {
  const app = await start()
  const personId = newId()
  const streams = await Promise.all(range(1, 3).map(() => stream(app, { personId })))
  await app.hub.close()
  for (const opened of streams) {
    await opened.ended
    expect(Number(opened.frames.at(-1)!.retry)).toBeGreaterThan(0)
  }
  expect((await database.wide.first(leases, personId))!.n).toBe(0)
  expect((await openStream(app.address())).status).toBe(503)
})

it('gives the lease back of a client that left before it was answered', async () => {
  const app = await start()
  const personId = newId()
  const { pathname, search, port } = new URL(app.address({ personId }))
  for (let n = 0; n < 20; n++) {
    const socket = connect(Number(port), '127.0.0.1')
    await once(socket, 'connect')
    socket.write(`GET ${pathname}${search} HTTP/1.1\r\nHost: x\r\n\r\n`)
    await sleep(n % 5)
    socket.resetAndDestroy()
  }
  await expect.poll(async () => (await database.wide.first(leases, personId))!.n).toBe(0)
  expect(app.hub.size()).toBe(0)
})
