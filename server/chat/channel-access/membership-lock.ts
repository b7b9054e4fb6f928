import type { Tx } from '#platform/data/database.ts'
import { sql } from '#platform/data/statement.ts'

const key = `hashtextextended('standing/' || $1, 0)`
const lockShared = sql<never>(`select pg_advisory_xact_lock_shared(${key})`)
const lockExclusive = sql<never>(`select pg_advisory_xact_lock(${key})`)

/**
 * Until the transaction ends nobody of the organization loses their standing: what is read of it afterwards stays true.
 * Any number of transactions hold it at once.
 */
export async function lockMembershipsShared(tx: Tx): Promise<void> {
  await tx.first(lockShared)
}

/** Waits for all who hold it; until the transaction ends it is held by nobody else. */
export async function lockMemberships(tx: Tx): Promise<void> {
  await tx.first(lockExclusive)
}
