import type { ErrorState, ErrorSeverity } from '#contract/error-reports/errors.ts'
import type { Db } from '#platform/data/database.ts'
import { sql } from '#platform/data/statement.ts'
import { groupColumns, resolverJoin, type ShownRow } from './error-group.access.ts'

/** What a list asks for. Null: any. Times as ISO 8601, both ends included. */
export type Filters = {
  severities: readonly string[] | null
  module: string | null
  states: readonly ErrorState[] | null
  from: string | null
  to: string | null
}
type Matched = [
  applicationId: string,
  severities: readonly string[] | null,
  module: string | null,
  states: readonly ErrorState[] | null,
  from: string | null,
  to: string | null,
]
const matched = (filters: Filters, applicationId: string): Matched => [
  applicationId,
  filters.severities,
  filters.module,
  filters.states,
  filters.from,
  filters.to,
]

const kind = (row: string) => `(cast($3 as text[]) is null or ${row}.severity = any($3::text[]))
  and ($4::text is null or ${row}.module = $4) and ($5::text[] is null or ${row}.state = any($5::text[]))`
const since = "coalesce($6::timestamptz, '-infinity')"
const until = "coalesce($7::timestamptz, 'infinity')"
// the index knows minutes
const during = `g.last_minute between date_trunc('minute', ${since} at time zone 'UTC') and ${until} at time zone 'UTC'
  and g.last_occurrence between ${since} and ${until}`

// index error_group_recent: minute by minute, and only the errors of one minute are sorted
const selectPage = sql<ShownRow, [...Matched, limit: number, offset: number]>(`
  select ${groupColumns} from error_group g ${resolverJoin}
  where g.organization_id = $1 and g.application_id = $2 and ${kind('g')} and ${during}
  order by g.last_minute desc, g.last_occurrence desc, g.id desc limit $8 offset $9`)
// the kinds are counted already
const selectTotal = sql<{ total: number }, [...Matched]>(`
  select case when $6::timestamptz is null and $7::timestamptz is null then (
    select coalesce(sum(t.n), 0)::int from error_tally t
    where t.organization_id = $1 and t.application_id = $2 and ${kind('t')})
  else (
    select count(*)::int from error_group g
    where g.organization_id = $1 and g.application_id = $2 and ${kind('g')} and ${during}) end as total`)

/** A page of the errors of an application, the latest first, with the number of all. */
export async function pageOfErrors(
  db: Db,
  applicationId: string,
  filters: Filters,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ rows: ShownRow[]; total: number }> {
  const asked = matched(filters, applicationId)
  const { total } = (await db.first(selectTotal, ...asked))!
  // what is not there would be looked for among all errors
  const rest = Math.min(limit, total - offset)
  return { rows: rest > 0 ? await db.rows(selectPage, ...asked, rest, offset) : [], total }
}

export type TallyRow = {
  module: string
  severity: ErrorSeverity
  state: ErrorState
  n: number
}
export type TopRow = { hash: string; message: string; count: number; severity: ErrorSeverity }
const selectTally = sql<TallyRow, [applicationId: string]>(`
  select t.module, t.severity, t.state, t.n from error_tally t
  where t.organization_id = $1 and t.application_id = $2 and t.n > 0 order by t.module`)
// index error_group_top: only errors whose counts have nearly the same root are sorted
const selectTop = sql<TopRow, [applicationId: string, limit: number]>(`
  select g.hash, g.message, g.count, g.severity from error_group g
  where g.organization_id = $1 and g.application_id = $2 and g.state = 'UNRESOLVED'
  order by g.count_root desc, g.count desc, g.last_occurrence desc limit $3`)

/** How many errors of each kind an application has, and those that repeat most. */
export async function numbersOf(db: Db, applicationId: string, top: number) {
  const [tally, topErrors] = await Promise.all([
    db.rows(selectTally, applicationId),
    db.rows(selectTop, applicationId, top),
  ])
  return { tally, topErrors }
}
