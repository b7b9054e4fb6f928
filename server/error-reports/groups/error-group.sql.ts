import type { ErrorSeverity, ErrorState } from '#contract/error-reports/errors.ts'
import { limits } from '#contract/limits.ts'
import type { Db } from '#platform/data/db.ts'
import { likePattern } from '#platform/data/dynamic-filters.ts'
import { sql } from '#platform/data/statement.ts'
import { firstOf, lookUp } from '#platform/required.ts'
import { type ErrorGroupRow, groupColumns, resolverJoin } from './error-group.access.ts'

/** Null means any. Times are ISO 8601; both ends are included. */
export type ErrorFilters = {
  severities: readonly string[] | null
  module: string | null
  states: readonly ErrorState[] | null
  from: string | null
  to: string | null
}
/** Filters without an index: a search examines only the latest errors. */
export type ErrorSearch = { search?: string; ids?: readonly string[] }
type FilterParameters<Applications> = {
  applications: Applications
  severities: readonly string[] | null
  module: string | null
  states: readonly ErrorState[] | null
  from: string | null
  to: string | null
}

const matchesKind = (
  row: string,
) => `(cast($severities as text[]) is null or ${row}.severity = any($severities::text[]))
  and ($module::text is null or ${row}.module = $module) and ($states::text[] is null or ${row}.state = any($states::text[]))`
const since = "coalesce($from::timestamptz, '-infinity')"
const until = "coalesce($to::timestamptz, 'infinity')"
// the index has minutes
const withinPeriod = `g.last_minute between date_trunc('minute', ${since} at time zone 'UTC') and ${until} at time zone 'UTC'
  and g.last_occurrence between ${since} and ${until}`
const latestFirst = (row: string) => `${row}.last_minute desc, ${row}.last_occurrence desc, ${row}.id desc`

/**
 * The statements of one application, or of several. `isOf` compares a column with the parameter, and `isListed` does so where
 * the latest errors are read in their order.
 */
function statementsOf<Applications>(
  isOf: (applicationId: string) => string,
  isListed: (applicationId: string) => string,
) {
  type Parameters = FilterParameters<Applications>
  const matching = `g.organization_id = $organization and ${matchesKind('g')} and ${withinPeriod}`
  const listed = `${matching} and ${isListed('g.application_id')}`
  const searchAmong = (condition: string) =>
    sql<
      { total: number } & (ErrorGroupRow | { id: null }),
      Parameters & { limit: number; offset: number; pattern: string | null; ids: readonly string[] | null }
    >(`
    with latest as materialized (
      select g.id, g.message, g.module, g.file, g.last_minute, g.last_occurrence from error_group g
      where ${listed} and ${condition} order by g.last_minute desc limit ${limits.errorsSearched}),
    found as materialized (
      select l.id, l.last_minute, l.last_occurrence from latest l
      where $pattern::text is null or lower(l.message) like lower($pattern) or lower(l.module) like lower($pattern)
        or lower(l.file) like lower($pattern))
    select t.total, i.* from (select count(*)::int as total from found) t
    left join (
      select ${groupColumns} from (
        select f.id, f.last_minute, f.last_occurrence from found f
        order by ${latestFirst('f')} limit $limit offset $offset) f
      join error_group g on g.organization_id = $organization and g.id = f.id ${resolverJoin}) i on true
    order by i.last_occurrence desc, i.id desc`)
  return {
    // only the errors of the same minute are sorted
    page: sql<ErrorGroupRow, Parameters & { limit: number; offset: number }>(`
      select ${groupColumns} from (
        select g.id from error_group g where ${listed} order by ${latestFirst('g')} limit $limit offset $offset) f
      join error_group g on g.organization_id = $organization and g.id = f.id ${resolverJoin}
      order by ${latestFirst('g')}`),
    // without a period the total is the sum of stored counts
    total: sql<{ total: number }, Parameters>(`
      select case when $from::timestamptz is null and $to::timestamptz is null then (
        select coalesce(sum(t.count), 0)::int from error_group_count t
        where t.organization_id = $organization and ${isOf('t.application_id')} and ${matchesKind('t')})
      else (select count(*)::int from error_group g
        where ${matching} and ${isOf('g.application_id')}) end as total`),
    search: searchAmong('true'),
    byIds: searchAmong('g.id = any($ids::text[])'),
  }
}
const isOne = (applicationId: string) => `${applicationId} = $applications`
// index error_group_recent
const ofApplication = statementsOf<string>(isOne, isOne)
const isAny = (applicationId: string) => `${applicationId} = any($applications::text[])`
// index error_group_newest: the expression keeps the planner from sorting all errors of the applications
const ofApplications = statementsOf<readonly string[]>(isAny, column => isAny(`(${column} || '')`))

/** A page of the errors of applications, latest first, with the total. */
export function pageOfErrors(
  db: Db,
  applicationIds: readonly string[],
  filters: ErrorFilters & ErrorSearch,
  page: { limit: number; offset: number },
): Promise<{ rows: ErrorGroupRow[]; total: number }> {
  const [first, second] = applicationIds
  return first !== undefined && second === undefined
    ? runPage(db, ofApplication, first, filters, page)
    : runPage(db, ofApplications, applicationIds, filters, page)
}

async function runPage<Applications>(
  db: Db,
  statements: ReturnType<typeof statementsOf<Applications>>,
  applications: Applications,
  filters: ErrorFilters & ErrorSearch,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ rows: ErrorGroupRow[]; total: number }> {
  const { severities, module, states, from, to, search, ids } = filters
  const parameters: FilterParameters<Applications> = { applications, severities, module, states, from, to }
  if (search !== undefined || ids !== undefined) {
    const statement = ids === undefined ? statements.search : statements.byIds
    const found = await db.rows(statement, {
      ...parameters,
      limit,
      offset,
      pattern: likePattern(search),
      ids: ids ?? null,
    })
    return {
      rows: found.flatMap(({ total: _, ...row }) => (row.id === null ? [] : [row])),
      total: firstOf(found).total,
    }
  }
  const { total } = await db.one(statements.total, parameters)
  // a limit beyond the total would scan all errors of the application
  const pageSize = Math.min(limit, total - offset)
  return {
    rows: pageSize > 0 ? await db.rows(statements.page, { ...parameters, limit: pageSize, offset }) : [],
    total,
  }
}

export type ErrorHourRow = { error_id: string; hour: string; count: number }
// the current or last hour is stored in the group itself
const selectHoursOf = sql<ErrorHourRow, { ids: readonly string[] }>(`
  select h.error_id, h.hour, h.count from error_hour h
  where h.organization_id = $organization and h.error_id = any($ids::text[])
    and h.hour > clock_timestamp() - interval '${limits.errorItemHours} hours'
  union all
  select g.id, g.hour_at, g.hour_count from error_group g
  where g.organization_id = $organization and g.id = any($ids::text[])
    and g.hour_at > clock_timestamp() - interval '${limits.errorItemHours} hours' order by 2`)

/** The counts of the last day of each error by hour, oldest first. */
export async function recentHours(
  db: Db,
  ids: readonly string[],
): Promise<Map<string, { hour: string; count: number }[]>> {
  const rows = ids.length > 0 ? await db.rows(selectHoursOf, { ids }) : []
  const hours = new Map<string, { hour: string; count: number }[]>(ids.map(id => [id, []]))
  for (const { error_id, hour, count } of rows) lookUp(hours, error_id).push({ hour, count })
  return hours
}

export type ErrorGroupCountRow = {
  module: string
  severity: ErrorSeverity
  state: ErrorState
  count: number
}
export type TopErrorRow = { hash: string; message: string; count: number; severity: ErrorSeverity }
const selectCounts = sql<ErrorGroupCountRow, { applicationId: string }>(`
  select t.module, t.severity, t.state, t.count from error_group_count t
  where t.organization_id = $organization and t.application_id = $applicationId and t.count > 0 order by t.module`)
// index error_group_top; only errors with the same `count_root` are sorted
const selectTop = sql<TopErrorRow, { applicationId: string; limit: number }>(`
  select g.hash, g.message, g.count, g.severity from error_group g
  where g.organization_id = $organization and g.application_id = $applicationId and g.state = 'UNRESOLVED'
  order by g.count_root desc, g.count desc, g.last_occurrence desc limit $limit`)

/** The error counts of an application and its most frequent errors. */
export async function statisticsOf(db: Db, applicationId: string, limit: number) {
  const [counts, topErrors] = await Promise.all([
    db.rows(selectCounts, { applicationId }),
    db.rows(selectTop, { applicationId, limit }),
  ])
  return { counts, topErrors }
}
