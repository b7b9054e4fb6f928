import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Database } from '#platform/data/database.ts'
import { crossTenantSql } from '#platform/data/statement.ts'
import { recordOutbox } from '#platform/events/audit.ts'
import { type AuditRow, verifyChain } from '#platform/events/chain.ts'
import { openRelay } from '#platform/events/relay.ts'
import { openSignal } from '#platform/events/signal.ts'
import { newId } from '#platform/ids.ts'
import { crowd } from '#tests/support/crowd.ts'
import { defined, itemAt } from '#tests/support/elements.ts'
import { type EventStream, openStream } from '../support/event-stream.ts'
import { openFaultProxy } from '../support/fault-proxy.ts'
import { type FreshDatabase, freshDatabase } from '../support/postgres.ts'
import { emitTestEvent, log, openStreamApp, openTestDatabase, type StreamApp } from '../support/stream-app.ts'

const program = fileURLToPath(new URL('relay-process.ts', import.meta.url))
const fence = crossTenantSql<{ fence: number; holder: string }>(
  'test',
  'select fence, holder from relay_lease',
)
const storedEvents = crossTenantSql<{ seq: number; n: number; writer: number }, { organizationId: string }>(
  'test',
  `select seq, (data->>'n')::int as n, (data->>'writer')::int as writer from event where organization_id = $organizationId order by seq`,
)
const audit = crossTenantSql<AuditRow, { organizationId: string }>(
  'test',
  `select organization_id as "organizationId", seq, id, actor_id as "actorId", auth, ip, client, request_id as "requestId",
     operation, subject, changed, at, hash from audit where organization_id = $organizationId order by seq`,
)
const left = crossTenantSql<{ n: number }>('test', 'select count(*)::int as n from outbox')

let fresh: FreshDatabase
let database: Database
let app: StreamApp
let running: ChildProcess[] = []

beforeEach(async () => {
  fresh = await freshDatabase()
  database = await openTestDatabase(fresh.url, 8)
  app = await openStreamApp({ databaseUrl: fresh.url })
})
afterEach(async () => {
  for (const relay of running) relay.kill('SIGKILL')
  running = []
  await app.close()
  await database.close()
  await fresh.drop()
})

function startRelay(leaseMs = 6_000): ChildProcess {
  const relay = spawn(process.execPath, [program, fresh.url, String(leaseMs)], {
    stdio: ['pipe', 'ignore', 'inherit'],
  })
  running.push(relay)
  return relay
}
const holder = () => database.crossTenant.one(fence)
async function nextHolder(after: number): Promise<{ fence: number; holder: string }> {
  await expect.poll(async () => (await holder()).fence, { interval: 20 }).toBeGreaterThan(after)
  return holder()
}

const organizations = ['o1', 'o2', 'o3']
const room = 'marketplace'
const writers = 6

/**
 * Writers that commit one event, one shared event and one audit entry after the other until they are stopped.
 */
function startWriters() {
  const stop = new AbortController()
  const emitted = new Map<string, number>(organizations.map(id => [id, 0]))
  const caller = { auth: 'session', personId: 'p', applicationId: null } as const
  const origin = { requestId: 'r', ip: '', client: '' }
  const all = Array.from({ length: writers }, async (_, writer) => {
    const organizationId = itemAt(organizations, writer % organizations.length)
    for (let n = 1; !stop.signal.aborted; n++) {
      await database.transact(
        organizationId,
        async tx => {
          for (const name of ['ai-asset.created', 'ai-marketplace.unfeatured']) {
            const data = { assetId: 'a', slug: 's', entryId: 'e', n, writer }
            tx.pending.events.push({ id: newId(), name, actorId: null, data })
          }
        },
        tx => recordOutbox(tx, caller, origin, 'POST /x', {}),
      )
      emitted.set(organizationId, defined(emitted.get(organizationId)) + 1)
      app.signal.changed()
      await sleep(1)
    }
  })
  return {
    async stop() {
      stop.abort()
      await Promise.all(all)
      return emitted
    },
  }
}

/** Each event once, in gap-free order, each writer's in commit order, on the stream as in the table. */
async function expectWhole(emitted: Map<string, number>, streams: Map<string, EventStream>): Promise<void> {
  await expect.poll(async () => (await database.crossTenant.one(left)).n).toBe(0)
  const all = [...emitted.values()].reduce((sum, count) => sum + count, 0)
  for (const [organizationId, count] of [...emitted, [room, all] as const]) {
    const events = await database.crossTenant.rows(storedEvents, { organizationId })
    expect(events.map(({ seq }) => seq)).toEqual(Array.from({ length: count }, (_, index) => index + 1))
    for (let writer = 0; writer < writers; writer++) {
      const own = events.filter(event => event.writer === writer).map(({ n }) => n)
      expect(own).toEqual(own.map((_, index) => index + 1))
    }
    const stream = defined(streams.get(organizationId))
    await stream.until(({ id }) => id === String(count))
    expect(stream.events().map(({ id }) => Number(id))).toEqual(events.map(({ seq }) => seq))
    if (organizationId === room) continue
    expect(verifyChain(await database.crossTenant.rows(audit, { organizationId }))).toMatchObject({
      isWhole: true,
      end: { seq: count },
    })
  }
}

async function openStreams(): Promise<Map<string, EventStream>> {
  const opened = await Promise.all([
    ...organizations.map(organizationId => openStream(app.address({ organizationId }))),
    openStream(app.address({ organizationId: 'o2', stream: 'marketplace' })),
  ])
  return new Map([...organizations, room].map((id, index) => [id, defined(opened[index])]))
}

it('loses and duplicates nothing when relays are killed under load', async () => {
  const streams = await openStreams()
  const relays = [startRelay(), startRelay()]
  let { fence: last } = await nextHolder(0)
  const load = startWriters()
  for (let round = 0; round < 4; round++) {
    await sleep(150 + Math.random() * 200)
    // both, so that the holder is among them; one returns at once, one waits for its turn
    for (const relay of relays.splice(0)) {
      relay.kill('SIGKILL')
      await once(relay, 'exit')
    }
    relays.push(startRelay(), startRelay())
    last = (await nextHolder(last)).fence
  }
  const emitted = await load.stop()
  expect([...emitted.values()].every(count => count > 100)).toBe(true)
  await expectWhole(emitted, streams)
})

it('fails over within seconds when the holder is killed, before its lease expires', async () => {
  startRelay(60_000)
  const { fence: first } = await nextHolder(0)
  startRelay(60_000)
  itemAt(running, 0).kill('SIGKILL')
  const startedAt = performance.now()
  await nextHolder(first)
  expect(performance.now() - startedAt).toBeLessThan(5_000 * crowd())
})

it('prevents writes of a relay that was paused beyond its lease', async () => {
  const streams = await openStreams()
  startRelay(600)
  let { fence: last } = await nextHolder(0)
  startRelay(600)
  const load = startWriters()
  const [one, two] = running as [ChildProcess, ChildProcess]
  for (let round = 0; round < 4; round++) {
    const [held, other] = round % 2 === 0 ? [one, two] : [two, one]
    await sleep(100 + Math.random() * 100)
    held.kill('SIGSTOP')
    last = (await nextHolder(last)).fence
    held.kill('SIGCONT')
    // it continues in the middle of its work, beside the new holder
    await sleep(50)
    expect(other.exitCode).toBeNull()
  }
  const emitted = await load.stop()
  await expectWhole(emitted, streams)
})

it('delivers within the poll interval without a signal connection', async () => {
  const proxy = await openFaultProxy(fresh.url)
  const relaySignal = await openSignal({ url: proxy.url, log, pingMs: 200 })
  const hubSignal = await openSignal({ url: proxy.url, log, pingMs: 200 })
  const relay = openRelay({ database, signal: relaySignal, log })
  const deaf = await openStreamApp({ databaseUrl: fresh.url, signal: hubSignal })
  try {
    const stream = await openStream(deaf.address({ organizationId: 'o1' }))
    await emitTestEvent(database, 'o1', [{}], hubSignal)
    await stream.until(({ id, data }) => id === '1' && data !== undefined)
    await proxy.refuse()
    await expect.poll(() => relaySignal.isConnected() || hubSignal.isConnected()).toBe(false)
    const startedAt = performance.now()
    await emitTestEvent(database, 'o1', [{}], hubSignal)
    await stream.until(({ id, data }) => id === '2' && data !== undefined)
    // one poll of the relay and one of the broker
    expect(performance.now() - startedAt).toBeLessThan(4_500 * crowd())
    await proxy.heal()
    await expect.poll(() => relaySignal.isConnected() && hubSignal.isConnected()).toBe(true)
    const again = performance.now()
    await emitTestEvent(database, 'o1', [{}], hubSignal)
    await stream.until(({ id, data }) => id === '3' && data !== undefined)
    expect(performance.now() - again).toBeLessThan(1_000 * crowd())
    stream.close()
  } finally {
    await deaf.close()
    await relay.close()
    await Promise.all([relaySignal.close(), hubSignal.close()])
    await proxy.close()
  }
})
