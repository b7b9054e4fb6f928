import type { CrossTenantDb } from '../data/db.ts'
import { crossTenantSql } from '../data/statement.ts'

/** More events than any topic can have had between a backup and its restore. */
const skippedNumbers = 1_000_000_000

const skipNumbers = crossTenantSql<{ organization_id: string }>(
  'a restored backup contains all organizations',
  `update relay_head set event_seq = event_seq + ${skippedNumbers}, event_oldest = event_seq + ${skippedNumbers} + 1
   returning organization_id`,
)

/**
 * Lets no stream resume from before a restore (SSE-6): its reader may have seen events that the backup does not contain, and
 * their numbers would be given to other events. Every reader gets `resync`. Returns the number of topics.
 */
export async function expireStreamPositions(database: CrossTenantDb): Promise<number> {
  return (await database.rows(skipNumbers)).length
}
