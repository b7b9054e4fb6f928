import type { Database } from '../data/database.ts'
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
 * Replaces the leases of the relay by `count` others, in one transaction that waits for all batches in flight. Their fences are higher
 * than all before, so no process of the former layout writes anything afterwards, and no two layouts ever write at once. `count` is from 1 to `mostLeases`.
 */
export async function setLayout(
  database: Pick<Database, 'transactCrossTenant'>,
  count: number,
): Promise<void> {
  if (!isLeaseCount(count)) throw new RangeError(`The relay has 1 to ${mostLeases} leases`)
  await database.transactCrossTenant(async tx => {
    await tx.rows(store.awaitOtherLayout)
    const former = await tx.rows(store.lockLeases)
    const highest = Math.max(...former.map(({ fence }) => fence))
    const base = (Math.floor(highest / store.fenceStep) + 1) * store.fenceStep
    const names = leaseNames(count)
    await tx.rows(store.deleteLeases)
    await tx.rows(store.insertLeases, { names, fences: names.map((_, index) => base + index) })
  })
}
