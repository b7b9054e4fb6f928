import { limits } from '#contract/limits.ts'
import type { Database } from '#platform/data/database.ts'
import { crossTenantSql } from '#platform/data/statement.ts'

const crossTenantReason = 'retention deletes old rows of all organizations'
const chunkSize = 1_000
type DeletedRow = { deleted: number }

function deleteOlder(table: string, key: string, time: string, days: number) {
  return crossTenantSql<DeletedRow>(
    crossTenantReason,
    `with gone as (
       delete from ${table} where (${key}) in (
         select ${key} from ${table} where ${time} < now() - interval '${days} days' limit ${chunkSize})
         returning 1)
     select count(*)::int as deleted from gone`,
  )
}

const deletions = [
  deleteOlder('error_sample', 'organization_id, error_id, slot', 'occurred_at', limits.errorSampleDays),
  deleteOlder('error_hour', 'organization_id, error_id, hour', 'hour', limits.errorHourDays),
  deleteOlder('error_intake', 'organization_id, application_id, hour', 'hour', limits.errorHourDays),
]
// deletes all rows of the error by cascade, and reduces the group counts
const deleteErrors = crossTenantSql<DeletedRow>(
  crossTenantReason,
  `with gone as (
     delete from error_group where (organization_id, id) in (
       select organization_id, id from error_group
       where last_minute < now() at time zone 'UTC' - interval '${limits.errorDays} days' limit ${chunkSize})
     returning organization_id, application_id, module, severity, state
   ), counted as (
     update error_group_count t set count = t.count - g.count
     from (select organization_id, application_id, module, severity, state, count(*)::int as count from gone
       group by 1, 2, 3, 4, 5) g
     where (t.organization_id, t.application_id, t.module, t.severity, t.state)
       = (g.organization_id, g.application_id, g.module, g.severity, g.state)
   )
   select count(*)::int as deleted from gone`,
)

/** Deletes one chunk of expired samples, hours and errors. True if there may be more. */
export async function deleteOldErrors(database: Database): Promise<boolean> {
  let hasMore = false
  for (const deletion of [...deletions, deleteErrors])
    if ((await database.crossTenant.one(deletion)).deleted >= chunkSize) hasMore = true
  return hasMore
}
