import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Database } from '#platform/data/database.ts'
import { crossTenantSql } from '#platform/data/statement.ts'
import { openRelay } from '#platform/events/relay.ts'
import { openSignal } from '#platform/events/signal.ts'
import { crowd } from '#tests/support/crowd.ts'
import { defined, firstOf } from '#tests/support/elements.ts'
import { type EventStream, openStream } from '../support/event-stream.ts'
import { openFaultProxy } from '../support/fault-proxy.ts'
import { type FreshDatabase, freshDatabase } from '../support/postgres.ts'
import { type Emitted, expectWhole, startWriters } from '../support/relay-writers.ts'
import { emitTestEvent, log, openStreamApp, openTestDatabase, type StreamApp } from '../support/stream-app.ts'

const program = fileURLToPath(new URL('relay-process.ts', import.meta.url))
const fence = crossTenantSql<{ fence: number; holder: string }>(
  'test',
  'select fence, holder from relay_lease',
)
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
const startLoad = () => startWriters(database, app.signal, { organizations, writers: 6 })

/** Everything is whole, and on the streams as in the table. */
async function expectStreamed(emitted: Emitted, streams: Map<string, EventStream>): Promise<void> {
  await expectWhole(database, emitted)
  for (const [organizationId, count] of emitted) {
    const stream = defined(streams.get(organizationId))
    await stream.until(({ id }) => id === String(count))
    expect(stream.events().map(({ id }) => Number(id))).toEqual(
      Array.from({ length: count }, (_, index) => index + 1),
    )
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
  const load = startLoad()
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
  await expectStreamed(emitted, streams)
})

it('fails over within seconds when the holder is killed, before its lease expires', async () => {
  startRelay(60_000)
  const { fence: first } = await nextHolder(0)
  startRelay(60_000)
  firstOf(running).kill('SIGKILL')
  const startedAt = performance.now()
  await nextHolder(first)
  expect(performance.now() - startedAt).toBeLessThan(5_000 * crowd())
})

it('prevents writes of a relay that was paused beyond its lease', async () => {
  const streams = await openStreams()
  startRelay(600)
  let { fence: last } = await nextHolder(0)
  startRelay(600)
  const load = startLoad()
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
  await expectStreamed(emitted, streams)
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
