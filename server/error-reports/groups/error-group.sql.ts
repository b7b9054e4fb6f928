import type { ErrorSeverity, ErrorState } from '#contract/error-reports/errors.ts'
import type { Db } from '#platform/data/database.ts'
import { sql } from '#platform/data/statement.ts'
import { type ErrorGroupRow, groupColumns, resolverJoin } from './error-group.access.ts'

/** Null means any. Times are ISO 8601; both ends are included. */
export type ErrorFilters = {
  severities: readonly string[] | null
  module: string | null
  states: readonly ErrorState[] | null
  from: string | null
  to: string | null
}
type FilterParameters = [
  applicationId: string,
  severities: readonly string[] | null,
  module: string | null,
  states: readonly ErrorState[] | null,
  from: string | null,
  to: string | null,
]
const filterParameters = (filters: ErrorFilters, applicationId: string): FilterParameters => [
  applicationId,
  filters.severities,
  filters.module,
  filters.states,
  filters.from,
  filters.to,
]

const matchesKind = (row: string) => `(cast($3 as text[]) is null or ${row}.severity = any($3::text[]))
  and ($4::text is null or ${row}.module = $4) and ($5::text[] is null or ${row}.state = any($5::text[]))`
const since = "coalesce($6::timestamptz, '-infinity')"
const until = "coalesce($7::timestamptz, 'infinity')"
// the index has minutes
const withinPeriod = `g.last_minute between date_trunc('minute', ${since} at time zone 'UTC') and ${until} at time zone 'UTC'
  and g.last_occurrence between ${since} and ${until}`

// index error_group_recent; only the errors of the same minute are sorted
const selectPage = sql<ErrorGroupRow, [...FilterParameters, limit: number, offset: number]>(`
  select ${groupColumns} from error_group g ${resolverJoin}
  where g.organization_id = $1 and g.application_id = $2 and ${matchesKind('g')} and ${withinPeriod}
  order by g.last_minute desc, g.last_occurrence desc, g.id desc limit $8 offset $9`)
// without a period the total is the sum of stored counts
const selectTotal = sql<{ total: number }, [...FilterParameters]>(`
  select case when $6::timestamptz is null and $7::timestamptz is null then (
    select coalesce(sum(t.count), 0)::int from error_group_count t
    where t.organization_id = $1 and t.application_id = $2 and ${matchesKind('t')})
  else (
    select count(*)::int from error_group g
    where g.organization_id = $1 and g.application_id = $2 and ${matchesKind('g')} and ${withinPeriod}) end as total`)

/** A page of errors, latest first, with the total. */
export async function pageOfErrors(
  db: Db,
  applicationId: string,
  filters: ErrorFilters,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ rows: ErrorGroupRow[]; total: number }> {
  const parameters = filterParameters(filters, applicationId)
  const { total } = (await db.first(selectTotal, ...parameters))!
  // a limit beyond the total would scan all errors of the application
  const pageSize = Math.min(limit, total - offset)
  return { rows: pageSize > 0 ? await db.rows(selectPage, ...parameters, pageSize, offset) : [], total }
}

export type ErrorGroupCountRow = {
  module: string
  severity: ErrorSeverity
  state: ErrorState
  count: number
}
export type TopErrorRow = { hash: string; message: string; count: number; severity: ErrorSeverity }
const selectCounts = sql<ErrorGroupCountRow, [applicationId: string]>(`
  select t.module, t.severity, t.state, t.count from error_group_count t
  where t.organization_id = $1 and t.application_id = $2 and t.count > 0 order by t.module`)
// index error_group_top; only errors with the same `count_root` are sorted
const selectTop = sql<TopErrorRow, [applicationId: string, limit: number]>(`
  select g.hash, g.message, g.count, g.severity from error_group g
  where g.organization_id = $1 and g.application_id = $2 and g.state = 'UNRESOLVED'
  order by g.count_root desc, g.count desc, g.last_occurrence desc limit $3`)

/** The error counts of an application and its most frequent errors. */
export async function statisticsOf(db: Db, applicationId: string, limit: number) {
  const [counts, topErrors] = await Promise.all([
    db.rows(selectCounts, applicationId),
    db.rows(selectTop, applicationId, limit),
  ])
  return { counts, topErrors }
}
