import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { defined } from '#tests/support/elements.ts'
import { type FreshDatabase, freshDatabase } from '#tests/support/postgres.ts'
import { endAll, isAlive, removeFolders, until } from '#tests/support/processes.ts'
import { type ClusterWorld, type MixedLoad, makeClusterWorld, openMixedLoad } from './load.ts'
import { type PatioCluster, startPatioCluster } from './programs.ts'

// Two api and two worker processes behind HAProxy, on one PostgreSQL that stays. Needs Debian's package haproxy.
let database: FreshDatabase
let world: ClusterWorld
let cluster: PatioCluster
let load: MixedLoad

beforeAll(async () => {
  database = await freshDatabase()
  world = await makeClusterWorld(database.url)
  cluster = await startPatioCluster(world.env)
  load = await openMixedLoad(world, cluster.url)
})
beforeEach(({ onTestFailed }) => {
  onTestFailed(() => void process.stderr.write(cluster.output().slice(-50_000)))
})
afterAll(async () => {
  await cluster?.stop()
  await world?.double.close()
  endAll()
  await database?.drop()
  removeFolders()
})

/** The process that acquired the only lease of the relay last. */
function relayHolder(): number {
  return defined(cluster.lines().findLast(({ msg }) => msg === 'acquired relay leases')).pid
}

function nameOf(pid: number): string {
  return new RegExp(`^(\\S+) is process ${pid}$`, 'm').exec(cluster.output())?.[1] ?? ''
}

/** Resolves when the process that follows `before` says that it is ready. */
async function restarted(name: string, before: number): Promise<void> {
  const message = name.startsWith('api') ? 'listening' : 'at work'
  await until(`${name} is ready again`, () => {
    const pid = cluster.pidOf(name)
    return pid !== before && cluster.lines().some(line => line.pid === pid && line.msg === message)
  })
}

async function killed(title: string, names: string[]): Promise<void> {
  const processes = names.map(name => ({ name, pid: cluster.pidOf(name) }))
  const unknown = load.ledger.unknown()
  const holder = relayHolder()
  const startedAt = performance.now()
  const pauseMs = await load.timeWithoutWrites(() => {
    for (const { pid } of processes) process.kill(pid, 'SIGKILL')
  })
  let report = `${title}: ${pauseMs} ms without writes, ${load.ledger.unknown() - unknown} writes without a reply of success`
  if (processes.some(({ pid }) => pid === holder)) {
    await until('another worker takes the relay', () => relayHolder() !== holder)
    report += `, the relay continues after ${Math.round(performance.now() - startedAt)} ms`
  }
  process.stdout.write(`${report}\n`)
  await Promise.all(processes.map(({ name, pid }) => restarted(name, pid)))
  await load.showsEvents()
}

test('kill -9 of an api process, twice', async () => {
  await killed('kill -9 of an api process', ['api-1'])
  await killed('kill -9 of the other api process', ['api-2'])
})

test('kill -9 of the worker with the relay, twice', async () => {
  for (let round = 0; round < 2; round++)
    await killed('kill -9 of the worker with the relay', [nameOf(relayHolder())])
})

test('kill -9 of an api process and of the worker with the relay at once', async () => {
  await killed('kill -9 of both at once', ['api-1', nameOf(relayHolder())])
})

test('a restart of every process, one after the other, fails no request', async () => {
  const unknown = load.ledger.unknown()
  for (const name of ['api-1', 'api-2', 'worker-1', 'worker-2']) {
    const pid = cluster.pidOf(name)
    process.kill(pid, 'SIGTERM')
    await restarted(name, pid)
    await load.ledger.grows(100)
  }
  expect(load.ledger.unknown()).toBe(unknown)
})

test('no acknowledged write was lost, none happened twice, and every invoice was charged at most once', async () => {
  const ended = cluster.ended()
  await load.verify(database.url)
  expect(ended, 'only the processes that were killed or stopped').toHaveLength(10)
  const pids = ['api-1', 'api-2', 'worker-1', 'worker-2', 'haproxy'].map(cluster.pidOf)
  expect((await cluster.stop()).code).toBe(0)
  expect(pids.filter(isAlive)).toEqual([])
})
