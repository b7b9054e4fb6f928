import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type Database, openDatabase } from '#platform/data/database.ts'
import type { CrossTenantTx } from '#platform/data/db.ts'
import { migrate } from '#platform/data/migrate.ts'
import { organizationLock } from '#platform/data/organization-lock.ts'
import { sql } from '#platform/data/statement.ts'
import { setLayout } from '#platform/events/relay-layout.ts'
import {
  fenceStep,
  holdLeases,
  readLeases,
  renewAndTakeLeases,
  shareLeases,
} from '#platform/events/relay-lease.sql.ts'
import { newId } from '#platform/ids.ts'
import { distribute } from '#server/distribution/distribute.sql.ts'
import { holdLayout } from '#server/integrations/webhooks/shards/shard.sql.ts'
import { fewestShards } from '#server/integrations/webhooks/shards/shard.ts'
import { lockShards } from '#server/integrations/webhooks/shards/split-shards.sql.ts'
import { type CitusDatabase, citusUrl, freshCitusDatabase, onNode } from '#tests/support/citus.ts'
import { defined, firstOf } from '#tests/support/elements.ts'
import { until } from '#tests/support/processes.ts'

const connectedPort = sql<{ port: number }>('select inet_server_port() as port, $organization::text')
const takeLock = sql<never>(`select ${organizationLock('test')}`)

describe.skipIf(citusUrl === undefined)('the nodes of Citus', () => {
  let citus: CitusDatabase
  const opened: Database[] = []
  beforeAll(async () => {
    citus = await freshCitusDatabase(defined(citusUrl))
    await migrate(citus.url)
    await distribute(citus.url, { shardCount: 8, print: () => {} })
  }, 10 * 60_000)
  afterAll(async () => {
    await Promise.all(opened.map(database => database.close()))
    await citus?.drop()
  })

  async function open(url: string, areNodesConnected: boolean): Promise<Database> {
    const database = await openDatabase({
      url,
      poolSize: 2,
      connectTimeoutMs: 10_000,
      statementTimeoutMs: 60_000,
      lockTimeoutMs: 10_000,
      idleInTransactionTimeoutMs: 60_000,
      applicationName: 'test of nodes',
      areNodesConnected,
    })
    opened.push(database)
    return database
  }

  /** The port of the node that has the rows of an organization. */
  async function portOf(organizationId: string): Promise<number> {
    const { rows } = await onNode(citus.url, client =>
      client.query<{ port: number }>(
        `select nodeport as port from pg_dist_shard_placement
         where shardid = get_shard_id_for_distribution_column('asset', $1::text)`,
        [organizationId],
      ),
    )
    return firstOf(rows).port
  }

  /** How many transactions wait for an advisory lock on a node. */
  async function waitingOn(url: string): Promise<number> {
    const { rows } = await onNode(url, client =>
      client.query(
        `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and wait_event = 'advisory'`,
      ),
    )
    return rows.length
  }

  test('statements and transactions of an organization go to the node that has its rows', async () => {
    const database = await open(citus.url, true)
    const ids = Array.from({ length: 20 }, newId)
    const ports = await Promise.all(ids.map(portOf))
    expect(new Set(ports).size).toBe(citus.workerUrls.length)
    const portFor = (id: string) => database.of(id).one(connectedPort)
    await until('all nodes are used', async () => (await portFor(defined(ids[0]))).port === ports[0])
    expect((await Promise.all(ids.map(portFor))).map(({ port }) => port)).toEqual(ports)
    const inTransactions = ids.map(id => database.transact(id, tx => tx.one(connectedPort)))
    expect((await Promise.all(inTransactions)).map(({ port }) => port)).toEqual(ports)
    expect(database.pools()).toHaveLength(1 + citus.workerUrls.length)
  })

  test('without connections to the nodes, everything goes to the node of the URL', async () => {
    const database = await open(citus.url, false)
    const { port } = await database.of(newId()).one(connectedPort)
    expect(port).toBe(Number(new URL(citus.url).port))
  })

  test('a lock of an organization is one lock, on whichever nodes the transactions began', async () => {
    const id = newId()
    const owner = await portOf(id)
    const [ownerUrl, elsewhereUrl] = [
      citus.workerUrls.find(url => new URL(url).port === `${owner}`),
      citus.workerUrls.find(url => new URL(url).port !== `${owner}`),
    ].map(defined) as [string, string]
    const [here, there] = await Promise.all([open(citus.url, false), open(elsewhereUrl, false)])
    const order: string[] = []
    const isHeld = Promise.withResolvers<void>()
    const mayEnd = Promise.withResolvers<void>()
    onTestFinished(() => mayEnd.resolve())
    const first = here.transact(id, async tx => {
      await tx.first(takeLock)
      isHeld.resolve()
      await mayEnd.promise
      order.push('first')
    })
    await isHeld.promise
    const second = there.transact(id, async tx => {
      await tx.first(takeLock)
      order.push('second')
    })
    await until('the second one waits', async () => (await waitingOn(ownerUrl)) === 1)
    mayEnd.resolve()
    await Promise.all([first, second])
    expect(order).toEqual(['first', 'second'])
  })

  test('relays on different nodes write at the same time, and nobody takes a lease meanwhile', async () => {
    const [here, there] = await Promise.all([
      open(citus.url, false),
      open(defined(citus.workerUrls[0]), false),
    ])
    await setLayout(here, 2)
    const take = (fences: number[]) =>
      there.crossTenant.one(renewAndTakeLeases, { fences, holder: 'another', seconds: 60 })
    const fences = (await here.crossTenant.rows(readLeases)).map(({ fence }) => fence)
    const isHeld = Promise.withResolvers<void>()
    const mayEnd = Promise.withResolvers<void>()
    onTestFinished(() => mayEnd.resolve())
    const hold = async (tx: CrossTenantTx, ...fences: number[]) => {
      await tx.rows(shareLeases, { fences })
      return (await tx.one(holdLeases, { fences })).count
    }
    const [own, other] = fences as [number, number]
    const first = here.transactCrossTenant(async tx => {
      expect(await hold(tx, own)).toBe(1)
      isHeld.resolve()
      await mayEnd.promise
      return hold(tx, own, other)
    })
    await isHeld.promise
    expect(await there.transactCrossTenant(tx => hold(tx, other))).toBe(1)
    const taken = await take([])
    expect(taken).toMatchObject({ leases: [{ fence: other + fenceStep }], isBusy: true })
    mayEnd.resolve()
    // the other one was taken
    expect(await first).toBe(1)
    const all = await take(taken.leases.map(({ fence }) => fence))
    expect(all.leases.map(({ fence }) => fence).sort((a, b) => a - b)).toEqual([
      own + fenceStep,
      other + fenceStep,
    ])
    expect(all.isBusy).toBe(false)
  })

  test('transactions that keep the number of shards of webhooks run at the same time, and a split waits for them', async () => {
    const [here, there] = await Promise.all([
      open(citus.url, false),
      open(defined(citus.workerUrls[0]), false),
    ])
    const order: string[] = []
    const isHeld = Promise.withResolvers<void>()
    const mayEnd = Promise.withResolvers<void>()
    onTestFinished(() => mayEnd.resolve())
    const first = here.transact(newId(), async tx => {
      expect((await holdLayout(tx)).shard_count).toBe(fewestShards)
      isHeld.resolve()
      await mayEnd.promise
      order.push('first')
    })
    await isHeld.promise
    expect((await there.transact(newId(), holdLayout)).shard_count).toBe(fewestShards)
    const split = there.transactCrossTenant(async tx => {
      expect(await lockShards(tx)).toHaveLength(fewestShards)
      order.push('split')
    })
    await until('the split waits', async () =>
      (await Promise.all(citus.workerUrls.map(waitingOn))).includes(1),
    )
    mayEnd.resolve()
    await Promise.all([first, split])
    expect(order).toEqual(['first', 'split'])
  })
})
