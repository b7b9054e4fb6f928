import { limits } from '#contract/limits.ts'
import type { Files } from '#platform/adapters/files.ts'
import type { Database } from '#platform/data/database.ts'
import { later } from '#platform/data/later.ts'
import { crossTenantSql } from '#platform/data/statement.ts'

const reason = 'organizations with the same content share an object'
const recheckInterval = `interval '${limits.unreferencedFileHours} hours'`
/** Time between the two checks: longer than any transaction that may be adding a reference. */
const gracePeriod = `interval '1 hour'`

// `is_garbage`: unreferenced at this check and at an earlier one
const checkDueObjects = crossTenantSql<{ sha256: string; is_garbage: boolean }, { most: number }>(
  reason,
  `with due as (
     select o.sha256, o.unreferenced_at from file_object o where o.check_at < now()
     order by o.check_at limit $most for update skip locked),
   seen as (
     select d.*, exists (select from file_reference f where f.sha256 = d.sha256) as is_referenced from due d)
   update file_object o set
     check_at = ${later('now()', `case when s.is_referenced then ${recheckInterval} else ${gracePeriod} end`)},
     unreferenced_at = case when s.is_referenced then null else coalesce(o.unreferenced_at, now()) end
   from seen s where o.sha256 = s.sha256
   returning o.sha256,
     not s.is_referenced and coalesce(now() >= ${later('s.unreferenced_at', gracePeriod)}, false) as is_garbage`,
)
const lockGarbage = crossTenantSql<{ sha256: string }, { sha256: string }>(
  reason,
  `select o.sha256 from file_object o
   where o.sha256 = $sha256 and o.unreferenced_at <= now() - ${gracePeriod}
     and not exists (select from file_reference f where f.sha256 = o.sha256)
   for update`,
)
const deleteRow = crossTenantSql<never, { sha256: string }>(
  reason,
  'delete from file_object o where o.sha256 = $sha256',
)

/**
 * Checks due objects and deletes those that had no reference now and at a check an hour ago. A concurrent upload of the
 * same content waits for the deletion and stores the object again. Returns true if more objects may be due.
 */
export async function sweepFiles(database: Database, files: Files, batchSize = 100): Promise<boolean> {
  const checked = await database.crossTenant.rows(checkDueObjects, { most: batchSize })
  for (const { sha256, is_garbage } of checked) {
    if (!is_garbage) continue
    await database.transactCrossTenant(async tx => {
      if (!(await tx.first(lockGarbage, { sha256 }))) return
      await files.remove(sha256)
      await tx.rows(deleteRow, { sha256 })
    })
  }
  return checked.length === batchSize
}
