import type { Tx, WideTx } from '#platform/data/database.ts'
import { crossTenantSql } from '#platform/data/statement.ts'
import { fail } from '#platform/fail.ts'
import { type EntryRow, lockEntry } from '../entries/entry.access.ts'

/** Why statements here look beyond one organization. */
export const reviewQueueReason = 'the review desk serves all organizations'

// index market_entry_id: operators come with the id alone
const publisherOf = crossTenantSql<{ id: string }, [entryId: string]>(
  reviewQueueReason,
  'select e.organization_id as id from market_entry e where e.id = $1',
)

/** A locked entry with the handle of its own organization. */
export type LockedSubmission = { tx: Tx; entry: EntryRow }

/**
 * The entry, whatever organization it is of; nobody else moves it from state to state until the transaction ends.
 * Refuses ENTRY_NOT_FOUND. Only operations of the operator's door reach it.
 */
export async function lockSubmission(wide: WideTx, entryId: string): Promise<LockedSubmission> {
  const publisher = (await wide.first(publisherOf, entryId)) ?? fail('ENTRY_NOT_FOUND')
  const tx = wide.of(publisher.id)
  return { tx, entry: (await lockEntry(tx, entryId)) ?? fail('ENTRY_NOT_FOUND') }
}
