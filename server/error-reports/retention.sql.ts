import { limits } from '#contract/limits.ts'
import type { Database } from '#platform/data/database.ts'
import { crossTenantSql } from '#platform/data/statement.ts'

const why = 'what is too old is removed in all organizations'
const chunk = 1_000
type Removal = { removed: number }

function removeOlder(table: string, key: string, time: string, days: number) {
  return crossTenantSql<Removal>(
    why,
    `with gone as (
       delete from ${table} where (${key}) in (
         select ${key} from ${table} where ${time} < now() - interval '${days} days' limit ${chunk}) returning 1)
     select count(*)::int as removed from gone`,
  )
}

const removals = [
  removeOlder('error_sample', 'organization_id, error_id, slot', 'occurred_at', limits.errorSampleDays),
  removeOlder('error_hour', 'organization_id, error_id, hour', 'hour', limits.errorHourDays),
  removeOlder('error_intake', 'organization_id, application_id, hour', 'hour', limits.errorHourDays),
]
// takes everything of the error with it, and out of the numbers
const removeErrors = crossTenantSql<Removal>(
  why,
  `with gone as (
     delete from error_group where (organization_id, id) in (
       select organization_id, id from error_group
       where last_minute < now() at time zone 'UTC' - interval '${limits.errorDays} days' limit ${chunk})
     returning organization_id, application_id, module, severity, state
   ), counted as (
     update error_tally t set n = t.n - g.n
     from (select organization_id, application_id, module, severity, state, count(*)::int as n from gone group by 1, 2, 3, 4, 5) g
     where (t.organization_id, t.application_id, t.module, t.severity, t.state)
       = (g.organization_id, g.application_id, g.module, g.severity, g.state)
   )
   select count(*)::int as removed from gone`,
)

/** Removes one chunk of what is too old: samples, hours, errors. True when there may be more. */
export async function forgetOldErrors(database: Database): Promise<boolean> {
  let isMore = false
  for (const removal of [...removals, removeErrors])
    if ((await database.wide.first(removal))!.removed >= chunk) isMore = true
  return isMore
}
