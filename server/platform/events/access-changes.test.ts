import pg from 'pg'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Database } from '#platform/data/database.ts'
import { crowd } from '#tests/support/crowd.ts'
import { firstOf } from '#tests/support/elements.ts'
import { type FaultProxy, openFaultProxy } from '#tests/support/fault-proxy.ts'
import { openPlans } from '#tests/support/plans.ts'
import { type FreshDatabase, freshDatabase } from '#tests/support/postgres.ts'
import { insertMany, insertRows, onPool, secondsAgo } from '#tests/support/rows.ts'
import { log, openTestDatabase } from '#tests/support/stream-app.ts'
import { type AccessChangeFeed, openAccessChangeFeed, readChanges } from './access-changes.ts'

let fresh: FreshDatabase
let proxy: FaultProxy
let direct: Database
let database: Database
let watch: AccessChangeFeed
let changes: [string, string | null][]
let wake: () => void

beforeEach(async () => {
  fresh = await freshDatabase()
  proxy = await openFaultProxy(fresh.url)
  direct = await openTestDatabase(fresh.url)
  database = await openTestDatabase(proxy.url)
  changes = []
  wake = () => {}
  watch = openAccessChangeFeed(database, {
    log,
    onChange(organizationId, personId) {
      changes.push([organizationId, personId])
      wake()
    },
  })
})
afterEach(async () => {
  watch.stop()
  proxy.cut()
  await database.close()
  await direct.close()
  await proxy.close()
  await fresh.drop()
})

const say = (organizationId: string, personId: string | null, seconds = 0) =>
  insertRows(onPool(direct.pool), 'access_change', [
    {
      organization_id: organizationId,
      person_id: personId,
      // otherwise the time of the database
      ...(seconds > 0 && { created_at: secondsAgo(seconds) }),
    },
  ])
async function until(count: number): Promise<void> {
  while (changes.length < count) await new Promise<void>(resolve => (wake = resolve))
}

it('reports each change once, within two seconds', async () => {
  await expect.poll(() => watch.isFresh()).toBe(true)
  const before = watch.generation()
  const startedAt = performance.now()
  await say('o1', 'p1')
  await say('o2', null)
  await until(2)
  expect(performance.now() - startedAt).toBeLessThan(2_000 * crowd())
  expect(watch.generation()).toBe(before + 2)
  // the next look sees the same rows again
  await say('o3', 'p3')
  await until(3)
  expect(changes.sort()).toEqual([
    ['o1', 'p1'],
    ['o2', null],
    ['o3', 'p3'],
  ])
})

it('reports a transaction that began long before its commit', async () => {
  await expect.poll(() => watch.isFresh()).toBe(true)
  await say('o1', 'p1', 25)
  await until(1)
})

it('reports a change whose transaction commits long after later ones, and each only once', async () => {
  await expect.poll(() => watch.isFresh()).toBe(true)
  const late = new pg.Client(fresh.url)
  await late.connect()
  try {
    await late.query('begin')
    await insertRows(onPool(late), 'access_change', [{ organization_id: 'late', person_id: 'p' }])
    for (let count = 1; count <= 3; count++) {
      await say(`o${count}`, null)
      await until(count)
    }
    const startedAt = performance.now()
    await late.query('commit')
    await until(4)
    expect(performance.now() - startedAt).toBeLessThan(2_000 * crowd())
    await say('o4', null)
    await until(5)
    expect(changes.map(([organizationId]) => organizationId)).toEqual(['o1', 'o2', 'o3', 'late', 'o4'])
  } finally {
    await late.end()
  }
})

it('does not read changes again that it has read', async () => {
  watch.stop()
  const reads: number[] = []
  const counted: Database = {
    ...database,
    crossTenant: {
      ...database.crossTenant,
      async rows(statement: never, args: never) {
        const rows = await database.crossTenant.rows(statement, args)
        reads.push(rows.length)
        return rows
      },
    } as Database['crossTenant'],
  }
  await insertMany(onPool(direct.pool), 'access_change', 500, () => ({ organization_id: 'o' }))
  const feed = openAccessChangeFeed(counted, { log, onChange: () => {} })
  await expect.poll(() => reads[0]).toBe(500)
  // a transaction of another database on this server may delay it; a read without changes has one row, with the time
  await expect.poll(() => reads.at(-1)).toBe(1)
  feed.stop()
})

it('reads only what is new, whatever others have changed', async () => {
  const others = 20_000
  await insertMany(onPool(direct.pool), 'access_change', others, () => ({ organization_id: 'o' }))
  await direct.pool.query('analyze access_change')
  // transactions of other tests on the same server may be older than the changes, and still open
  const notRead = 'select from access_change where tx >= pg_snapshot_xmin(pg_current_snapshot()) limit 1'
  await expect.poll(async () => (await direct.pool.query(notRead)).rowCount).toBe(0)
  const { rows } = await direct.pool.query<{ lastLook: string; oldestOpen: string }>(
    `select now()::text as "lastLook", pg_snapshot_xmin(pg_current_snapshot())::text as "oldestOpen"`,
  )
  await say('o1', null)
  const plans = await openPlans(fresh.url)
  try {
    const { blocks, scanned, indexes } = firstOf(
      await plans.explainCrossTenant(tx => tx.rows(readChanges, firstOf(rows))),
    )
    expect([...scanned]).toEqual([])
    expect([...indexes]).toEqual(['access_change_tx'])
    expect(blocks).toBeLessThan(10)
  } finally {
    await plans.close()
  }
})

it('increases the generation before it reports a change', async () => {
  await expect.poll(() => watch.isFresh()).toBe(true)
  const before = watch.generation()
  let within = before
  wake = () => (within = watch.generation())
  await say('o1', 'p1')
  await expect.poll(() => changes.length).toBe(1)
  expect(within).toBe(before + 1)
})

it('is stale after 1.5 s of silence, and catches up later', async () => {
  await expect.poll(() => watch.isFresh()).toBe(true)
  const startedAt = performance.now()
  await proxy.refuse()
  await expect.poll(() => watch.isFresh()).toBe(false)
  expect(performance.now() - startedAt).toBeLessThan(1_700 * crowd())
  await say('o1', 'p1')
  await proxy.heal()
  await expect.poll(() => watch.isFresh()).toBe(true)
  expect(changes).toEqual([['o1', 'p1']])
})

it('reads all changes of the pause', async () => {
  watch.stop()
  const lastLook = new Date(Date.now() - 20 * 60_000).toISOString()
  // the same feed with a last look of our choice
  const paused: Database = {
    ...database,
    crossTenant: {
      ...database.crossTenant,
      rows: (statement: never, args: { lastLook: string | null }) =>
        database.crossTenant.rows(statement, { ...args, lastLook: args.lastLook ?? lastLook }),
    } as Database['crossTenant'],
  }
  await say('o1', 'p1', 19 * 60)
  const away = openAccessChangeFeed(paused, {
    log,
    onChange: organizationId => void changes.push([organizationId, null]),
  })
  await expect.poll(() => changes.length).toBe(1)
  away.stop()
})
