import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { migrate } from '#platform/data/migrate.ts'
import { endAll, isAlive, removeFolders, until } from '#tests/support/processes.ts'
import { type ClusterWorld, type MixedLoad, makeClusterWorld, openMixedLoad } from './load.ts'
import { type DatabaseNode, type PatroniCluster, startPatroniCluster } from './patroni.ts'
import { type PatioCluster, startPatioCluster } from './programs.ts'

// Two api and two worker processes on a PostgreSQL with a synchronous standby, whose primary is lost again and again under load.
// Needs Debian's packages etcd-server, patroni, postgresql-15 and haproxy, without their services.
const processes = ['api-1', 'api-2', 'worker-1', 'worker-2', 'haproxy']
const replyMs = 5_000

let postgres: PatroniCluster
let world: ClusterWorld
let cluster: PatioCluster
let load: MixedLoad
let pids: number[]

beforeAll(async () => {
  postgres = await startPatroniCluster()
  await migrate(postgres.url)
  world = await makeClusterWorld(postgres.url)
  cluster = await startPatioCluster(world.env)
  pids = processes.map(cluster.pidOf)
  load = await openMixedLoad(world, cluster.url)
})
beforeEach(({ onTestFailed }) => {
  onTestFailed(() => {
    process.stderr.write(cluster.output().slice(-30_000))
    for (const node of postgres.nodes) process.stderr.write(node.output().slice(-15_000))
  })
})
afterAll(async () => {
  await cluster?.stop()
  await postgres?.stop()
  await world?.double.close()
  endAll()
  removeFolders()
})

/** Does something to the primary under load. Resolves with the lost primary when the other node accepts writes. */
async function loses(title: string, act: (primary: DatabaseNode) => void): Promise<DatabaseNode> {
  await postgres.isWhole()
  const primary = await postgres.primary()
  const unknown = load.ledger.unknown()
  const pauseMs = await load.timeWithoutWrites(() => act(primary))
  process.stdout.write(
    `${title}: ${pauseMs} ms without writes, ${load.ledger.unknown() - unknown} writes without a reply of success\n`,
  )
  expect((await postgres.primary()).name, 'the standby took over').not.toBe(primary.name)
  await load.showsEvents()
  return primary
}

async function machineIsKilled(): Promise<void> {
  const lost = await loses('kill -9 of PostgreSQL and Patroni', primary => primary.signal('SIGKILL'))
  lost.start()
  await postgres.isWhole()
}

/** A client of the lost primary that does not go through HAProxy, and writes. */
async function writesTo(client: pg.Client, name: string): Promise<string | undefined> {
  return client.query('insert into stale_write (name) values ($1)', [name]).then(
    () => name,
    () => undefined,
  )
}

async function openClient(node: DatabaseNode): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: postgres.urlOf(node),
    connectionTimeoutMillis: replyMs,
    query_timeout: replyMs,
  })
  client.on('error', () => {})
  await client.connect()
  return client
}

async function machineFreezes(): Promise<void> {
  await postgres.isWhole()
  const early = await openClient(await postgres.primary())
  await early.query('create table if not exists stale_write (name text)')
  const lost = await loses('SIGSTOP of PostgreSQL and Patroni', primary => primary.signal('SIGSTOP'))

  // a client that never left it, and new ones, from the moment when it continues
  lost.signal('SIGCONT')
  const attempts = [writesTo(early, 'early')]
  await until('it follows the server that took over', async () => {
    await sleep(50)
    const late = await openClient(lost).catch(() => undefined)
    if (late)
      attempts.push(writesTo(late, `late ${attempts.length}`).finally(() => late.end().catch(() => {})))
    return lost.isSynchronousStandby()
  })
  const accepted = (await Promise.all(attempts)).filter(name => name !== undefined)
  expect(accepted, 'writes that a primary which was replaced acknowledged').toEqual([])
  await early.end().catch(() => {})
}

test('kill -9 of the primary with its Patroni', machineIsKilled)
test('the primary freezes, is replaced, and accepts no write when it continues', machineFreezes)
test('kill -9 of PostgreSQL alone: Patroni lets the standby take over', async () => {
  await loses('kill -9 of PostgreSQL alone', primary => primary.signal('SIGKILL', 'postgres'))
  await postgres.isWhole()
})
test('it freezes again', machineFreezes)
test('and is killed again', machineIsKilled)

test('no acknowledged write was lost, none happened twice, every invoice was charged at most once, and no process ended', async () => {
  await load.verify(postgres.url)
  expect(cluster.ended()).toEqual([])
  expect(processes.map(cluster.pidOf)).toEqual(pids)
  expect(pids.every(isAlive)).toBe(true)
  expect(cluster.lines().filter(({ level }) => level >= 60)).toEqual([])
  await until('every api process is ready', async () => (await fetch(`${cluster.url}/readyz`)).ok)
  expect((await cluster.stop()).code).toBe(0)
})
