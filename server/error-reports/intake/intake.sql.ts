import type { ErrorSeverity, ErrorState } from '#contract/error-reports/errors.ts'
import type { regressionTickets, Silence } from '#contract/error-reports/tab.ts'
import type { Tx } from '#platform/data/db.ts'
import { later } from '#platform/data/later.ts'
import { sql } from '#platform/data/statement.ts'
import type { ReportLimit } from './report-limit.ts'

export type SourceRow = { application_id: string; ticket_on_regression: (typeof regressionTickets)[number] }
export type GroupRow = {
  id: string
  application_id: string
  hash: string
  message: string
  module: string
  severity: ErrorSeverity
  file: string | null
  line: number | null
  function: string | null
  endpoint: string | null
  method: string | null
  is_overflow: boolean
  count: number
  users_affected: number
  first_occurrence: string
  last_occurrence: string
  state: ErrorState
  resolved_at: string | null
  grace_until: string | null
  silence_type: Silence | null
  silenced_at: string | null
  silenced_by: string | null
  silenced_until: string | null
  silenced_for_count: number | null
  silenced_until_count: number | null
  regression_count: number
  ticket_id: string | null
  hour_at: string
  hour_count: number
  window_at: string
  window_count: number
  spiked_at: string | null
  samples: number
}

const columns = `g.id, g.application_id, g.hash, g.message, g.module, g.severity, g.file, g.line, g.function, g.endpoint,
  g.method, g.is_overflow, g.count, g.users_affected, g.first_occurrence, g.last_occurrence, g.state, g.resolved_at,
  g.grace_until, g.silence_type, g.silenced_at, g.silenced_by, g.silenced_until, g.silenced_for_count, g.silenced_until_count,
  g.regression_count, g.ticket_id, g.hour_at, g.hour_count, g.window_at, g.window_count, g.spiked_at, g.samples`

const selectNow = sql<{ now: string }>(
  'select clock_timestamp()::timestamptz(3) as now where $organization::text is not null',
)
// sorted, so that all transactions lock in the same order
const upsertSources = sql<SourceRow, { applicationIds: string[] }>(`
  insert into error_source as s (organization_id, application_id, reported_at)
  select $organization, a.id, clock_timestamp() from application a
  where a.organization_id = $organization and a.id = any($applicationIds::text[]) order by a.id
  on conflict (organization_id, application_id) do update set reported_at = excluded.reported_at
  returning s.application_id, s.ticket_on_regression`)
export type HourRow = { application_id: string; new_errors: number; overflows: number }
const selectHours = sql<HourRow, { applicationIds: string[] }>(`
  select i.application_id, i.new_errors, i.overflows from error_intake i
  where i.organization_id = $organization and i.application_id = any($applicationIds::text[])
    and i.hour = date_trunc('hour', clock_timestamp(), 'UTC')`)
// `any` without a join uses the index even before PostgreSQL has statistics of the table
const lockGroups = sql<GroupRow, { applicationIds: string[]; hashes: string[] }>(`
  select ${columns} from error_group g
  where g.organization_id = $organization and g.application_id = any($applicationIds::text[])
    and g.hash = any($hashes::text[])
  order by g.application_id, g.hash for update`)
const selectUsers = sql<
  { error_id: string; user_digest: string },
  { applicationIds: string[]; hashes: string[]; digests: string[] }
>(`
  select u.error_id, u.user_digest from error_group g cross join lateral (
    select u.error_id, u.user_digest from error_user u
    where u.organization_id = $organization and u.error_id = g.id
      and u.user_digest = any($digests::text[]) offset 0) u
  where g.organization_id = $organization and g.application_id = any($applicationIds::text[])
    and g.hash = any($hashes::text[])`)

export type ErrorKey = { applicationId: string; hash: string }

/**
 * Locks and reads in one round trip: the settings and current hours of the applications, the groups, and those of the
 * users that are already counted. `now` is read before the first lock, so that it does not include a wait.
 */
export async function lockForReports(
  tx: Tx,
  applicationIds: string[],
  keys: ErrorKey[],
  users: (ErrorKey & { digest: string })[],
) {
  const digests = users.map(({ digest }) => digest)
  const [now, sources, hours, groups, known] = await tx.inOrder(
    () => tx.one(selectNow),
    () => lockSources(tx, applicationIds),
    () => tx.rows(selectHours, { applicationIds }),
    () => lockMoreGroups(tx, keys),
    () =>
      users.length > 0 ? tx.rows(selectUsers, { ...keysOf(users), digests: [...new Set(digests)] }) : [],
  )
  const counted = new Map<string, Set<string>>()
  for (const { error_id, user_digest } of known)
    counted.set(error_id, (counted.get(error_id) ?? new Set()).add(user_digest))
  return { nowMs: Date.parse(now.now), sources, hours, groups, counted }
}

/** Locks the settings of applications: one flush at a time writes the errors of an application. */
export function lockSources(tx: Tx, applicationIds: string[]): Promise<SourceRow[]> {
  return tx.rows(upsertSources, { applicationIds })
}

function keysOf(keys: ErrorKey[]): { applicationIds: string[]; hashes: string[] } {
  return {
    applicationIds: [...new Set(keys.map(({ applicationId }) => applicationId))],
    hashes: [...new Set(keys.map(({ hash }) => hash))],
  }
}

/** Locks groups by key; also used for overflow groups once the limit of new errors is reached. */
export function lockMoreGroups(tx: Tx, keys: ErrorKey[]): Promise<GroupRow[]> {
  return tx.rows(lockGroups, keysOf(keys))
}

export type PastHourRow = { error_id: string; count: number }
const selectPast = sql<PastHourRow, { errorIds: string[]; hours: string[] }>(`
  select h.error_id, h.count from unnest($errorIds::text[], $hours::timestamptz[]) as w (error_id, hour)
  join error_hour h on h.organization_id = $organization and h.error_id = w.error_id
    and h.hour < w.hour and h.hour >= w.hour - interval '24 hours'`)

/** Counts of the 24 hours before the given hour of each group; hours without occurrences are omitted. */
export function pastHours(tx: Tx, groups: { errorId: string; hour: string }[]): Promise<PastHourRow[]> {
  return tx.rows(selectPast, {
    errorIds: groups.map(({ errorId }) => errorId),
    hours: groups.map(({ hour }) => hour),
  })
}

type TakenReports = { taken: number; remaining: number; wait_seconds: number }
const takeFromAllowance = sql<
  TakenReports,
  { keyId: string; portionSize: number; burst: number; stepSeconds: string }
>(`
  insert into error_allowance as a (organization_id, key_id, last_portion, due_at)
  values ($organization, $keyId, least($portionSize::int, $burst::int),
    now() + least($portionSize::int, $burst::int) * $stepSeconds::interval)
  on conflict (organization_id, key_id) do update set
    last_portion = greatest(0, least($portionSize::int, ${availableReports()})),
    due_at = ${later('greatest(a.due_at, now())', `greatest(0, least($portionSize::int, ${availableReports()})) * $stepSeconds::interval`)}
  returning last_portion as taken,
    greatest(0, least($burst::int - last_portion, ${availableReports()})) as remaining,
    greatest(1, ceil(extract(epoch from
      ${later('a.due_at', '(1 - $burst::int) * $stepSeconds::interval')} - now())))::int as wait_seconds`)

/** SQL for the number of reports that are currently available. */
function availableReports(): string {
  return `floor(extract(epoch from ${later('now()', '$burst::int * $stepSeconds::interval')} - greatest(a.due_at, now()))
    / extract(epoch from $stepSeconds::interval))::int`
}

/** The time in which one report is restored. */
export function secondsPerReport({ perHour, burst }: ReportLimit): number {
  return 3600 / Math.max(1, perHour - burst)
}

/**
 * Takes up to `portionSize` reports from the allowance of a key. `remaining` is left for other processes; `waitSeconds` is the
 * time until the next report is restored.
 */
export async function takeReports(
  db: Pick<Tx, 'one'>,
  keyId: string,
  portionSize: number,
  { perHour, burst }: ReportLimit,
): Promise<{ taken: number; remaining: number; waitSeconds: number }> {
  const row = await db.one(takeFromAllowance, {
    keyId,
    portionSize,
    burst,
    stepSeconds: `${secondsPerReport({ perHour, burst })} seconds`,
  })
  return { taken: row.taken, remaining: row.remaining, waitSeconds: row.wait_seconds }
}

const addCounts = sql<never, { applicationIds: string[]; discarded: number[]; limited: number[] }>(`
  insert into error_intake as i (organization_id, application_id, hour, discarded, limited)
  select a.organization_id, a.id, date_trunc('hour', clock_timestamp(), 'UTC'), w.discarded, w.limited
  from unnest($applicationIds::text[], $discarded::int[], $limited::int[]) as w (application_id, discarded, limited)
  join application a on a.organization_id = $organization and a.id = w.application_id order by a.id
  on conflict (organization_id, application_id, hour) do update
    set discarded = i.discarded + excluded.discarded, limited = i.limited + excluded.limited
  returning i.hour`)

/** Adds dropped reports to the current hour. */
export function addDropped(
  tx: Tx,
  dropped: { applicationId: string; discarded: number; limited: number }[],
): Promise<number> {
  return tx.run(addCounts, {
    applicationIds: dropped.map(({ applicationId }) => applicationId),
    discarded: dropped.map(({ discarded }) => discarded),
    limited: dropped.map(({ limited }) => limited),
  })
}
