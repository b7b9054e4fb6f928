import type { Database } from '../data/database.ts'
import type { CrossTenantTx } from '../data/db.ts'
import { withSchemaLock } from '../data/migrate.ts'
import * as store from './relay-lease.sql.ts'

/** The only lease of a layout of one, whose name version 0.1.0 knows: it covers all shards. */
const onlyLease = 'relay'
const numberedLease = /^relay (\d+) of (\d+)$/

/** The most leases: one for each shard. */
export const mostLeases = store.outboxShards

/** True for a whole number of leases from 1 to `mostLeases`. */
export function isLeaseCount(count: number): boolean {
  return Number.isInteger(count) && count >= 1 && count <= mostLeases
}

function assertLeaseCount(count: number): void {
  if (!isLeaseCount(count)) throw new RangeError(`The relay has 1 to ${mostLeases} leases`)
}

/** The shards of the outbox that a lease covers: every n-th, for a layout of n leases. */
export function shardsOf(lease: string): number[] {
  const [, number = 1, count = 1] = numberedLease.exec(lease) ?? []
  return Array.from({ length: store.outboxShards }, (_, shard) => shard).filter(
    shard => shard % Number(count) === Number(number) - 1,
  )
}

function leaseNames(count: number): string[] {
  if (count === 1) return [onlyLease]
  return Array.from({ length: count }, (_, index) => `relay ${index + 1} of ${count}`)
}

/**
 * Sets the number of leases of the relay, from 1 to `mostLeases`, while the relay works. Several leases read their shards by an index
 * that one lease does not need and every commit with an event would write, so it exists only while there are several. After a kill
 * in the middle the relay works with the leases that it has, and a repetition does the rest.
 *
 * @throws RangeError for another number
 */
export async function changeLayout(
  databaseUrl: string,
  database: Pick<Database, 'transactCrossTenant'>,
  count: number,
): Promise<void> {
  assertLeaseCount(count)
  await withSchemaLock(databaseUrl, async client => {
    if (count > 1) {
      const { rows } = await client.query(store.unfinishedShardIndex)
      if (rows.length > 0) await client.query(store.dropShardIndex)
      await client.query(store.createShardIndex)
    }
    await setLayout(database, count)
    if (count === 1) await client.query(store.dropShardIndex)
  })
}

/**
 * Replaces the leases of the relay by `count` others, in one transaction that waits for all batches in flight. Their fences are higher
 * than all before, so no process of the former layout writes anything afterwards, and no two layouts ever write at once. `count` is from 1 to `mostLeases`.
 */
export async function setLayout(
  database: Pick<Database, 'transactCrossTenant'>,
  count: number,
): Promise<void> {
  assertLeaseCount(count)
  await database.transactCrossTenant(async tx => replaceLeases(tx, await lockLayout(tx), count))
}

/**
 * Waits for the batches in flight of the relay, and gives all leases new fences. A batch that was prepared before writes nothing and is
 * prepared again.
 */
export async function renewFences(tx: CrossTenantTx): Promise<void> {
  const leases = await lockLayout(tx)
  await replaceLeases(tx, leases, leases.length)
}

async function lockLayout(tx: CrossTenantTx): Promise<{ fence: number }[]> {
  await tx.rows(store.awaitOtherLayout)
  await tx.rows(store.lockLeases)
  return tx.rows(store.readLeases)
}

async function replaceLeases(
  tx: CrossTenantTx,
  former: readonly { fence: number }[],
  count: number,
): Promise<void> {
  const highest = Math.max(...former.map(({ fence }) => fence))
  const base = (Math.floor(highest / store.fenceStep) + 1) * store.fenceStep
  const names = leaseNames(count)
  await tx.rows(store.deleteLeases)
  await tx.rows(store.insertLeases, { names, fences: names.map((_, index) => base + index) })
}
