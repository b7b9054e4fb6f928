import { backgroundWork } from '../background-work.ts'
import type { Database } from '../platform/data/database.ts'
import { expireStreamPositions } from '../platform/events/after-restore.ts'

/**
 * Readers may have seen changes that the restored data does not contain: streams of events send `resync` to all of them, and
 * the areas make their own readers start again. `restoredTo` is the time of the backup, if it is known.
 */
export async function letReadersStartAgain(database: Database, restoredTo: string | null): Promise<void> {
  await expireStreamPositions(database.crossTenant)
  // an area comes before those that it builds on: the webhooks announce a restore that the rest has dealt with
  for (const { afterRestore } of backgroundWork.toReversed()) await afterRestore?.(database, restoredTo)
}
