import type { Tx } from '#platform/data/db.ts'
import { organizationLock, sharedOrganizationLock } from '#platform/data/organization-lock.ts'
import { sql } from '#platform/data/statement.ts'

const lockShared = sql<never>(`select ${sharedOrganizationLock('memberships')}`)
const lockExclusive = sql<never>(`select ${organizationLock('memberships')}`)

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
