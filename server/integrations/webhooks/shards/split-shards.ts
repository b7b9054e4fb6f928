import { setTimeout as sleep } from 'node:timers/promises'
import { columnsOf } from '#platform/data/columns.ts'
import type { Database } from '#platform/data/database.ts'
import type { CrossTenantTx } from '#platform/data/db.ts'
import { renewFences } from '#platform/events/relay-layout.ts'
import { firstOf, lastOf } from '#platform/required.ts'
import { holdLayout } from './shard.sql.ts'
import { shardOf } from './shard.ts'
import * as store from './split-shards.sql.ts'

/** The shards cannot be split into this number now. The message says what to do. */
export class SplitRefusal extends Error {
  /** The message is meant for the person at the terminal and is printed without a stack. */
  readonly isForPeople = true
}

type Print = (line: string) => void

const pollMs = 100

/**
 * Splits the shards of webhooks into `shardCount`, a multiple of their number, while workers run. Deliveries wait meanwhile. After a
 * kill at any point they still wait, and a repetition continues.
 *
 * The owners finish their requests and release the shards. Then the shards change their number, with epochs that refuse what an
 * owner writes later. From then on rows are written with the new shard, except by transactions that have read the former one: these
 * are awaited before the rows that they write are rewritten.
 *
 * @throws SplitRefusal if there are more shards already, another split is not finished, workers of an earlier version run, or a
 *   second run at the same time finishes the split
 */
export async function splitShards(database: Database, shardCount: number, print: Print): Promise<void> {
  if (!(await database.transactCrossTenant(tx => announce(tx, shardCount)))) return
  await untilReleased(database, shardCount, print)
  await database.transactCrossTenant(tx => renumber(tx, shardCount))
  print(`There are ${shardCount} shards now. Rewriting the rows of webhooks and deliveries.`)
  await untilWritten(database)
  // a commit reaches one node of Citus after the other: who has read the former number meanwhile holds it
  await database.transactCrossTenant(store.lockShards)
  const endpoints = await rewriteEndpoints(database, shardCount)
  await database.transactCrossTenant(awaitWriters)
  const due = (await rewriteRanges(database, shardCount)) + (await rewriteDue(database, shardCount))
  await database.crossTenant.rows(store.endSplit, { shardCount })
  print(`Rewrote ${endpoints} webhooks and ${due} rows of due deliveries.`)
}

/** Asks the owners to release their shards. False if nothing is to be done. */
async function announce(tx: CrossTenantTx, shardCount: number): Promise<boolean> {
  const shards = await store.lockShards(tx)
  const { shard_count: current, split_into: splitInto } = firstOf(shards)
  if (splitInto === null && shardCount === current) return false
  if (splitInto !== null && splitInto !== shardCount)
    throw new SplitRefusal(
      `The shards are being split into ${splitInto}, and no webhook is sent until that is finished. Run: webhook-shards ${splitInto}`,
    )
  if (shardCount < current)
    throw new SplitRefusal(`There are ${current} shards. Their number can be raised and not lowered.`)
  const held = shards.filter(({ is_held }) => is_held)
  if (held.some(({ is_owner_current }) => !is_owner_current))
    throw new SplitRefusal(
      'Workers of an earlier version of Patio send webhooks. Replace them by workers of this version first.',
    )
  await tx.rows(store.announceSplit, { splitInto: shardCount, held: held.map(({ shard }) => shard) })
  return true
}

/** Waits until the owners have recorded the requests in flight and released all shards. Leases of dead owners expire. */
async function untilReleased({ crossTenant }: Database, shardCount: number, print: Print): Promise<void> {
  for (let hasPrinted = false; ; hasPrinted = true) {
    const { dispatchers, held_shards, split_into } = await crossTenant.one(store.readLayout)
    assertContinues(split_into, shardCount)
    if (held_shards === 0) return
    if (!hasPrinted) print(`Waiting for the requests in flight. Workers that send webhooks: ${dispatchers}`)
    await sleep(pollMs)
  }
}

/** Refuses to go on with a split that another run has finished: the shards may be split again since. */
function assertContinues(splitInto: number | null, shardCount: number): void {
  if (splitInto !== shardCount) throw new SplitRefusal('Another run of this command has finished the split.')
}

/** Gives the shards their number, unless an earlier run has done so, and makes new ones beside them. */
async function renumber(tx: CrossTenantTx, shardCount: number): Promise<void> {
  const shards = await store.lockShards(tx)
  const { shard_count: former, split_into } = firstOf(shards)
  assertContinues(split_into, shardCount)
  if (former === shardCount) return
  const epoch = Math.max(...shards.map(shard => shard.epoch)) + 1
  const added = Array.from({ length: shardCount - former }, (_, index) => former + index)
  await tx.rows(store.renumberShards, { shardCount, epoch })
  await tx.rows(store.insertShards, {
    shardCount,
    epoch,
    shards: added,
    crashCounts: added.map(shard => shards[shard % former]?.crash_count ?? 0),
  })
}

/** Waits for statements of dispatchers that may have read the epochs before they changed: a retry has the shard of its delivery. */
async function untilWritten({ crossTenant }: Database): Promise<void> {
  const running = async () => (await crossTenant.rows(store.dispatcherTransactions)).map(({ id }) => id)
  let older = await running()
  while (older.length > 0) {
    await sleep(pollMs)
    const now = new Set(await running())
    older = older.filter(id => now.has(id))
  }
}

/** Waits for transactions that have read the former shard of a webhook, and lets batches of the relay that have read it write nothing. */
async function awaitWriters(tx: CrossTenantTx): Promise<void> {
  await store.lockShards(tx)
  await renewFences(tx)
}

function rewriteEndpoints(database: Database, shardCount: number): Promise<number> {
  return rewrite<store.EndpointShard>(database, shardCount, {
    first: { organization_id: '', application_id: '', shard: -1 },
    after: (tx, { organization_id: organizationId, application_id: applicationId }) =>
      tx.rows(store.endpointsAfter, { organizationId, applicationId }),
    move: (tx, rows, shards) =>
      tx.rows(store.moveEndpoints, {
        ...columnsOf(rows, { organizationIds: 'organization_id', applicationIds: 'application_id' }),
        shards,
      }),
  })
}

function rewriteRanges(database: Database, shardCount: number): Promise<number> {
  return rewrite<store.RangeShard>(database, shardCount, {
    first: { shard: -1, application_id: '', first_id: '' },
    after: (tx, { shard, application_id: applicationId, first_id: firstId }) =>
      tx.rows(store.rangesAfter, { shard, applicationId, firstId }),
    move: (tx, rows, shards) =>
      tx.rows(store.moveRanges, {
        ...columnsOf(rows, { formerShards: 'shard', applicationIds: 'application_id', firstIds: 'first_id' }),
        shards,
      }),
  })
}

function rewriteDue(database: Database, shardCount: number): Promise<number> {
  return rewrite<store.DueShard>(database, shardCount, {
    first: { application_id: '', delivery_id: '', shard: -1 },
    after: (tx, { application_id: applicationId, delivery_id: deliveryId }) =>
      tx.rows(store.dueAfter, { applicationId, deliveryId }),
    move: (tx, rows, shards) =>
      tx.rows(store.moveDue, {
        ...columnsOf(rows, { applicationIds: 'application_id', deliveryIds: 'delivery_id' }),
        shards,
      }),
  })
}

/** A table whose rows store the shard of an application, in the order of a key. `first` is before all rows. */
type ShardedTable<Row extends store.StoredShard> = {
  first: Row
  after(tx: CrossTenantTx, row: Row): Promise<Row[]>
  move(tx: CrossTenantTx, rows: readonly Row[], shards: number[]): Promise<unknown>
}

/** Writes the right shard into all rows of a table, a chunk in each transaction. Returns the number of rows that had another one. */
async function rewrite<Row extends store.StoredShard>(
  database: Database,
  shardCount: number,
  { first, after, move }: ShardedTable<Row>,
): Promise<number> {
  let count = 0
  let chunk = [first]
  while (chunk.length > 0) {
    const last = lastOf(chunk)
    const { rows, moved } = await database.transactCrossTenant(async tx => {
      assertContinues((await holdLayout(tx)).split_into, shardCount)
      const rows = await after(tx, last)
      const wrong = rows.filter(({ application_id, shard }) => shardOf(application_id, shardCount) !== shard)
      const shards = wrong.map(({ application_id }) => shardOf(application_id, shardCount))
      if (wrong.length > 0) await move(tx, wrong, shards)
      return { rows, moved: wrong.length }
    })
    count += moved
    chunk = rows
  }
  return count
}
