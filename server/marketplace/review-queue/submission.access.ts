import type { CrossTenantTx, Tx } from '#platform/data/db.ts'
import { crossTenantSql } from '#platform/data/statement.ts'
import { fail } from '#platform/fail.ts'
import { type EntryRow, lockEntry } from '../entries/entry.access.ts'

/** Why statements of the review queue cross organizations. */
export const reviewQueueReason = 'operators review submissions of all organizations'

// index market_entry_id: operators only have the id
const publisherOf = crossTenantSql<{ id: string }, { entryId: string }>(
  reviewQueueReason,
  'select e.organization_id as id from market_entry e where e.id = $entryId',
)

/** A locked entry with the transaction of its organization. */
export type LockedSubmission = { tx: Tx; entry: EntryRow }

/**
 * Locks an entry of any organization until the transaction ends. Refuses ENTRY_NOT_FOUND. For operator operations
 * only.
 */
export async function lockSubmission(crossTenant: CrossTenantTx, entryId: string): Promise<LockedSubmission> {
  const publisher = (await crossTenant.first(publisherOf, { entryId })) ?? fail('ENTRY_NOT_FOUND')
  const tx = crossTenant.of(publisher.id)
  return { tx, entry: (await lockEntry(tx, entryId)) ?? fail('ENTRY_NOT_FOUND') }
}
