import { expireCursors } from '../crm/jobs.ts'
import { announceRestore } from '../integrations/jobs.ts'
import type { Database } from '../platform/data/database.ts'
import { expireStreamPositions } from '../platform/events/after-restore.ts'

/**
 * Readers may have seen changes that the restored data does not contain: streams of events send `resync` to all of them, and
 * cursors of the lead synchronization answer 410. Applications with a webhook receive RESYNC (API-46). `restoredTo` is the
 * time of the backup, if it is known.
 */
export async function letReadersStartAgain(database: Database, restoredTo: string | null): Promise<void> {
  await expireStreamPositions(database.crossTenant)
  await expireCursors(database.crossTenant)
  await announceRestore(database, restoredTo)
}
