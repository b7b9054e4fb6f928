import type { Tx } from '#platform/data/db.ts'
import { sql } from '#platform/data/statement.ts'

const key = `hashtextextended('memberships/' || $organization, 0)`
const lockShared = sql<never>(`select pg_advisory_xact_lock_shared(${key})`)
const lockExclusive = sql<never>(`select pg_advisory_xact_lock(${key})`)

/**
 * Keeps the memberships and roles of the organization unchanged until the transaction ends. Any number of transactions
 * may hold the shared lock.
 */
export async function lockMembershipsShared(tx: Tx): Promise<void> {
  await tx.first(lockShared)
}

/** Waits for all shared locks, and blocks new ones until the transaction ends. */
export async function lockMemberships(tx: Tx): Promise<void> {
  await tx.first(lockExclusive)
}
