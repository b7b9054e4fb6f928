import type { Tx } from '#platform/data/db.ts'
import { insertRetainedUnits, takeRetainedUnits } from './scim-user.sql.ts'

/** Gives a person who is a member (again) the units that were kept, and ends their waiting (SCM-9). */
export async function restoreRetainedUnits(tx: Tx, personId: string): Promise<void> {
  const retained = await tx.first(takeRetainedUnits, { personId })
  if (retained && retained.retained_unit_ids.length > 0)
    await tx.run(insertRetainedUnits, { personId, unitIds: retained.retained_unit_ids })
}
