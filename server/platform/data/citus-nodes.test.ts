import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '#platform/ids.ts'
import { type FaultProxy, openFaultProxy } from '#tests/support/fault-proxy.ts'
import { type FreshDatabase, freshDatabase } from '#tests/support/postgres.ts'
import { until } from '#tests/support/processes.ts'
import { CitusNodes, rangeOf, type ShardRange } from './citus-nodes.ts'
import { postgresHash } from './postgres-hash.ts'

// Two databases without Citus stand for two nodes: the first has the catalogue that Citus would have.
let entry: FreshDatabase
let other: FreshDatabase
let proxy: FaultProxy
let entryPool: pg.Pool
let nodes: CitusNodes
const unreachable: string[] = []
const [onEntry, onOther] = [findId(hash => hash < 0), findId(hash => hash >= 0)]

beforeAll(async () => {
  ;[entry, other] = await Promise.all([freshDatabase(), freshDatabase()])
  proxy = await openFaultProxy(other.url)
  entryPool = new pg.Pool({ connectionString: entry.url, max: 2 })
  const { hostname, port } = new URL(proxy.url)
  await entryPool.query(`
    create table pg_dist_local_group as select 1 as groupid;
    create table pg_dist_node as select * from (values
      (1, 'entry', 5432, 'primary', true), (2, '${hostname}', ${port}, 'primary', true), (2, 'standby', 5432, 'secondary', true)
    ) as n (groupid, nodename, nodeport, noderole, isactive);
    create table pg_dist_placement as select * from (values (11, 2), (12, 1)) as p (shardid, groupid);
    create table pg_dist_shard as select * from (values
      ('membership'::regclass, 11, '0', '2147483647'), ('membership'::regclass, 12, '-2147483648', '-1')
    ) as s (logicalrelid, shardid, shardminvalue, shardmaxvalue)`)
  nodes = new CitusNodes({
    entry: entryPool,
    openPoolOf,
    onUnreachable: node => unreachable.push(node),
  })
})
afterAll(async () => {
  await nodes?.close()
  await entryPool?.end()
  await proxy?.close()
  await Promise.all([entry?.drop(), other?.drop()])
})

test('an organization is served by the node of its shard once that node answered, and through the entry node while it does not', async () => {
  expect(nodes.poolOf(onOther)).toBe(entryPool)
  nodes.start()
  await until('the node is used', async () => nodes.poolOf(onOther) !== entryPool)
  expect(nodes.pools).toEqual([nodes.poolOf(onOther)])
  const { rows } = await nodes.poolOf(onOther).query('select current_database() as name')
  expect(rows).toEqual([{ name: new URL(other.url).pathname.slice(1) }])
  expect(nodes.poolOf(onEntry)).toBe(entryPool)
  expect(unreachable).toEqual([])

  await proxy.refuse()
  // the lost connections show it, long before the places of the shards are read again
  await until('the node is not used', async () => nodes.poolOf(onOther) === entryPool, 10_000)
  expect(unreachable).toEqual([new URL(proxy.url).host])

  await proxy.heal()
  await until('the node is used again', async () => nodes.poolOf(onOther) !== entryPool)
  expect(unreachable).toHaveLength(1)
})

test('closing waits for no pause, whenever it happens', async () => {
  const open = () => new CitusNodes({ entry: entryPool, openPoolOf, onUnreachable: () => {} })
  const atOnce = open()
  atOnce.start()
  await atOnce.close()
  const later = open()
  later.start()
  await until('the node is used', async () => later.poolOf(onOther) !== entryPool)
  await later.close()
}, 8_000)

test('an organization belongs to the range that contains its hash', () => {
  const range = (lowest: number, highest: number): ShardRange => ({
    lowest,
    highest,
    host: `${lowest}`,
    port: 1,
    isEntry: false,
  })
  const id = newId()
  const hash = postgresHash(id)
  const [below, exact, above] = [range(-(2 ** 31), hash - 1), range(hash, hash), range(hash + 1, 2 ** 31 - 1)]
  expect(rangeOf([below, exact, above], id)).toBe(exact)
  expect(rangeOf([range(hash, 2 ** 31 - 1)], id)?.lowest).toBe(hash)
  expect(rangeOf([range(-(2 ** 31), hash)], id)?.highest).toBe(hash)
  expect(rangeOf([below, above], id)).toBeUndefined()
  expect(rangeOf([], id)).toBeUndefined()
})

function openPoolOf(host: string, port: number): pg.Pool {
  const { hostname, port: proxyPort } = new URL(proxy.url)
  expect({ host, port: String(port) }).toEqual({ host: hostname, port: proxyPort })
  const pool = new pg.Pool({ connectionString: proxy.url, max: 2, connectionTimeoutMillis: 1_000 })
  pool.on('error', () => {})
  return pool
}

function findId(isWanted: (hash: number) => boolean): string {
  for (;;) {
    const id = newId()
    if (isWanted(postgresHash(id))) return id
  }
}
