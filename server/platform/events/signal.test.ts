import { once } from 'node:events'
import { createRequire } from 'node:module'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterEach, beforeEach, expect, it, onTestFinished } from 'vitest'
import { openLog } from '#platform/log.ts'
import { freePort } from '#platform/ports.ts'
import { crowd } from '#tests/support/crowd.ts'
import { type FaultProxy, openFaultProxy } from '#tests/support/fault-proxy.ts'
import { type FreshDatabase, freshDatabase } from '#tests/support/postgres.ts'
import { until } from '#tests/support/processes.ts'
import { log } from '#tests/support/stream-app.ts'
import { type Heads, openSignal, type Signal } from './signal.ts'

let fresh: FreshDatabase
let proxy: FaultProxy
let far: Signal
let near: Signal

beforeEach(async () => {
  fresh = await freshDatabase()
  proxy = await openFaultProxy(fresh.url)
  near = await openSignal({ url: fresh.url, log, pingMs: 200 })
  far = await openSignal({ url: proxy.url, log, pingMs: 200 })
})
afterEach(async () => {
  await Promise.all([near.close(), far.close()])
  await proxy.close()
  await fresh.drop()
})

/** Collects hints; `next` resolves with the first one after the call. */
async function listen(signal: Signal) {
  const received: Heads[] = []
  let wake = () => {}
  await signal.onAnnounced(heads => {
    received.push(heads)
    wake()
  })
  return { received, next: () => new Promise<void>(resolve => (wake = resolve)) }
}

it('sends signals of all kinds together', async () => {
  const warnings: string[] = []
  const note = ({ message }: Error) => void warnings.push(message)
  process.on('warning', note)
  onTestFinished(() => void process.off('warning', note))
  const received: string[] = []
  await far.onChanged(() => void received.push('changed'))
  await far.onAnnounced(() => void received.push('announced'))
  await far.onDue(() => void received.push('due'))
  near.changed()
  near.announce(new Map([['o', 1]]))
  near.due(['a'])
  await until('all have arrived', () => received.length === 3)
  expect(received.toSorted()).toEqual(['announced', 'changed', 'due'])
  // the client of the database warns about statements that wait for each other
  expect(warnings).toEqual([])
})

it('announces the last events of organizations', async () => {
  const { received, next } = await listen(far)
  const arrival = next()
  near.announce(
    new Map([
      ['o:1', 7],
      ['o2', 12],
    ]),
  )
  await arrival
  expect(received).toEqual([
    new Map([
      ['o:1', 7],
      ['o2', 12],
    ]),
  ])
})

it('merges many signals, and does not lose the last one', async () => {
  let hints = 0
  await far.onChanged(() => void hints++)
  const { received, next } = await listen(far)
  for (let round = 0; round < 50; round++) {
    for (let call = 0; call < 100; call++) near.changed()
    await sleep(1)
  }
  // its own hint comes after all of those
  const arrival = next()
  await sleep(20)
  near.announce(new Map([['o1', 1]]))
  await arrival
  expect(received).toHaveLength(1)
  expect(hints).toBeGreaterThan(1)
  expect(hints).toBeLessThan(25)
})

it('merges announcements while one is being sent', async () => {
  const { received, next } = await listen(far)
  for (let seq = 1; seq <= 500; seq++)
    near.announce(
      new Map([
        ['o1', seq],
        [`o${seq}`, seq],
      ]),
    )
  while (!received.some(heads => !heads || heads.get('o1') === 500)) await next()
  expect(received.length).toBeLessThan(10)
})

it('sends an empty notification if there are too many to list', async () => {
  const { received, next } = await listen(far)
  const arrival = next()
  near.announce(new Map(Array.from({ length: 500 }, (_, index) => [`organization-${index}`, index])))
  await arrival
  expect(received).toEqual([undefined])
})

it('reconnects after a cut, listens again and reports that signals may be missing', async () => {
  const back = new Promise<void>(resolve => far.onReconnect(resolve))
  const { received, next } = await listen(far)
  proxy.cut()
  await back
  expect(far.isConnected()).toBe(true)
  const arrival = next()
  near.announce(new Map([['o1', 1]]))
  await arrival
  expect(received).toHaveLength(1)
})

it('detects a half-open connection and opens another one', async () => {
  const back = new Promise<void>(resolve => far.onReconnect(resolve))
  const startedAt = performance.now()
  proxy.swallow()
  await expect.poll(() => far.isConnected()).toBe(false)
  expect(performance.now() - startedAt).toBeLessThan(2_000 * crowd())
  await proxy.heal()
  await back
})

it('survives an outage of the database and closes without it', async () => {
  await proxy.refuse()
  await expect.poll(() => far.isConnected()).toBe(false)
  far.changed()
  far.announce(new Map([['o1', 1]]))
  const back = new Promise<void>(resolve => far.onReconnect(resolve))
  await proxy.heal()
  await back
  await proxy.refuse()
  await far.close()
})

const loadsNats = () =>
  Object.keys(createRequire(import.meta.url).cache).some(path => path.includes('@nats-io'))

it('loads nothing of NATS without its setting', () => {
  expect(near.isConnected()).toBe(true)
  expect(loadsNats()).toBe(false)
})

it('waits for no NATS: signals are lost, and the connection to the database stays', async () => {
  const lines: string[] = []
  const noted = openLog('info', 'test', { write: line => void lines.push(line) })
  const nats = {
    servers: [`127.0.0.1:${await freePort('127.0.0.1')}`],
    isTls: false,
    user: 'me',
    password: 'hidden',
  }
  const startedAt = performance.now()
  const signal = await openSignal({ url: fresh.url, log: noted, nats })
  expect(performance.now() - startedAt).toBeLessThan(2_000 * crowd())
  expect(loadsNats()).toBe(true)
  const received: string[] = []
  await signal.onChanged(() => void received.push('changed'))
  signal.changed()
  signal.announce(new Map([['o1', 1]]))
  signal.due(['a'])
  await until('its failure is logged', () => lines.some(line => line.includes('NATS cannot carry signals')))
  expect(signal.isConnected()).toBe(false)
  // a process with the setting does not receive the signals of one that lacks it
  near.changed()
  await sleep(100)
  expect(received).toEqual([])
  expect(lines.join('')).not.toContain('hidden')
  const client = new pg.Client({ connectionString: fresh.url })
  await client.connect()
  const named = 'select from pg_stat_activity where application_name = $1'
  expect((await client.query(named, [signal.name])).rowCount).toBe(1)
  await signal.close()
  await until(
    'its connection has ended',
    async () => (await client.query(named, [signal.name])).rowCount === 0,
  )
  await client.end()
})

it('leaves no connection to a server that accepts and is silent', async () => {
  const lines: string[] = []
  const noted = openLog('info', 'test', { write: line => void lines.push(line) })
  const sockets = new Set<Socket>()
  let accepted = 0
  const silent = createServer(socket => {
    accepted++
    sockets.add(socket)
    socket.on('error', () => {}).on('close', () => sockets.delete(socket))
    socket.resume()
  }).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const { port } = silent.address() as AddressInfo
  const nats = { servers: [`127.0.0.1:${port}`], isTls: false, user: undefined, password: undefined }
  const signal = await openSignal({ url: fresh.url, log: noted, nats, pingMs: 100 })
  await until('it has tried often', () => accepted > 4)
  expect(sockets.size).toBeLessThan(3)
  expect(lines.join('')).toContain('does not answer')
  await signal.close()
  await until('no connection is left', () => sockets.size === 0)
  silent.close()
})
