import { columnsOf } from '#platform/data/columns.ts'
import type { Tx } from '#platform/data/db.ts'
import { sql } from '#platform/data/statement.ts'
import type { GroupCountChange } from './group-count.ts'
import { type GroupRow, lockSources } from './intake.sql.ts'

const insertGroups = sql<never, { rows: string }>(`
  insert into error_group (organization_id, id, application_id, hash, fingerprint_version, message, module,
    severity, file,
    line, function, endpoint, method, is_overflow, count, users_affected, first_occurrence, last_occurrence, hour_at,
    hour_count, window_at, window_count, samples)
  select $organization, r.id, r.application_id, r.hash, 'e1', r.message, r.module, r.severity, r.file, r.line,
    r.function, r.endpoint,
    r.method, r.is_overflow, r.count, r.users_affected, r.first_occurrence, r.last_occurrence, r.hour_at, r.hour_count,
    r.window_at, r.window_count, r.samples
  from json_to_recordset($rows::json) as r (id text, application_id text, hash text, message text, module text,
    severity text, file text, line int, function text, endpoint text, method text, is_overflow boolean, count bigint,
    users_affected int, first_occurrence timestamptz, last_occurrence timestamptz, hour_at timestamptz, hour_count int,
    window_at timestamptz, window_count int, samples int)`)

// `any` uses the index even before PostgreSQL has statistics of the table. A row that has changed in the database is not
// updated, which shows in the number of rows
const isUnchanged =
  'g.organization_id = $organization and g.id = any($ids::text[]) and g.id = r.id and g.count = r.previous_count and g.state = r.previous_state'
const updateCounters = sql<
  never,
  {
    ids: string[]
    previousCounts: number[]
    previousStates: string[]
    counts: number[]
    severities: string[]
    users: number[]
    last: string[]
    hours: string[]
    hourCounts: number[]
    windows: string[]
    windowCounts: number[]
    spiked: (string | null)[]
    samples: number[]
  }
>(`
  update error_group g set count = r.count, severity = r.severity, users_affected = r.users_affected,
    last_occurrence = r.last_occurrence, hour_at = r.hour_at, hour_count = r.hour_count, window_at = r.window_at,
    window_count = r.window_count, spiked_at = r.spiked_at, samples = r.samples
  from unnest($ids::text[], $previousCounts::bigint[], $previousStates::text[], $counts::bigint[],
    $severities::text[], $users::int[], $last::timestamptz[], $hours::timestamptz[],
    $hourCounts::int[], $windows::timestamptz[], $windowCounts::int[], $spiked::timestamptz[],
    $samples::int[]) as r (id, previous_count, previous_state, count, severity,
    users_affected, last_occurrence, hour_at, hour_count, window_at, window_count, spiked_at, samples)
  where ${isUnchanged}`)

const updateDisplayed = sql<never, { ids: string[]; rows: string }>(`
  update error_group g set message = r.message, file = r.file, function = r.function, line = r.line,
    endpoint = r.endpoint,
    method = r.method, severity = r.severity, count = r.count, users_affected = r.users_affected,
    last_occurrence = r.last_occurrence, hour_at = r.hour_at, hour_count = r.hour_count, window_at = r.window_at,
    window_count = r.window_count, spiked_at = r.spiked_at, samples = r.samples
  from json_to_recordset($rows::json) as r (id text, previous_count bigint, previous_state text, message text,
    file text, function text,
    line int, endpoint text, method text, severity text, count bigint, users_affected int, last_occurrence timestamptz,
    hour_at timestamptz, hour_count int, window_at timestamptz, window_count int, spiked_at timestamptz, samples int)
  where ${isUnchanged}`)

const reopenGroups = sql<never, { ids: string[]; regressions: number[] }>(`
  update error_group g set state = 'UNRESOLVED', resolved_at = null, resolved_by = null, grace_until = null,
    silence_type = null, silenced_at = null, silenced_by = null, silenced_until = null, silenced_for_count = null,
    silenced_until_count = null, regression_count = r.n
  from unnest($ids::text[], $regressions::int[]) as r (id, n)
  where g.organization_id = $organization and g.id = r.id`)

const addHours = sql<never, { errorIds: string[]; hours: string[]; counts: number[] }>(`
  insert into error_hour as h (organization_id, error_id, hour, count)
  select $organization, r.error_id, r.hour, r.count
  from unnest($errorIds::text[], $hours::timestamptz[], $counts::bigint[]) as r (error_id, hour, count)
  order by r.error_id, r.hour
  on conflict (organization_id, error_id, hour) do update set count = h.count + excluded.count
  returning h.count`)

const addUsers = sql<never, { errorIds: string[]; digests: string[] }>(`
  insert into error_user (organization_id, error_id, user_digest)
  select $organization, r.error_id, r.digest
  from unnest($errorIds::text[], $digests::text[]) as r (error_id, digest)
  on conflict (organization_id, error_id, user_digest) do nothing
  returning error_id`)

const upsertSamples = sql<
  never,
  { errorIds: string[]; slots: number[]; kinds: string[]; times: string[]; reports: string[] }
>(`
  insert into error_sample (organization_id, error_id, slot, kind, occurred_at, report)
  select $organization, r.error_id, r.slot, r.kind, r.at, r.report
  from unnest($errorIds::text[], $slots::smallint[], $kinds::text[], $times::timestamptz[],
    $reports::json[]) as r (error_id, slot, kind, at, report)
  on conflict (organization_id, error_id, slot) do update
    set kind = excluded.kind, occurred_at = excluded.occurred_at, report = excluded.report
  returning slot`)

const addHistory = sql<
  never,
  { errorIds: string[]; ids: string[]; actions: string[]; times: string[]; notes: (string | null)[] }
>(`
  insert into error_history (organization_id, error_id, id, action, at, note)
  select $organization, r.error_id, r.id, r.action, r.at, r.note
  from unnest($errorIds::text[], $ids::text[], $actions::text[], $times::timestamptz[],
    $notes::text[]) as r (error_id, id, action, at, note)`)

const addIntake = sql<
  never,
  { applicationIds: string[]; accepted: number[]; newErrors: number[]; overflows: number[] }
>(`
  insert into error_intake as i (organization_id, application_id, hour, accepted, new_errors, overflows)
  select $organization, r.application_id, date_trunc('hour', clock_timestamp(), 'UTC'), r.accepted,
    r.new_errors, r.overflows
  from unnest($applicationIds::text[], $accepted::bigint[], $newErrors::int[],
    $overflows::int[]) as r (application_id, accepted, new_errors, overflows)
  order by r.application_id
  on conflict (organization_id, application_id, hour) do update set accepted = i.accepted + excluded.accepted,
    new_errors = i.new_errors + excluded.new_errors, overflows = i.overflows + excluded.overflows
  returning i.hour`)

const addGroupCounts = sql<
  never,
  { applicationIds: string[]; modules: string[]; severities: string[]; states: string[]; changes: number[] }
>(`
  insert into error_group_count as t (organization_id, application_id, module, severity, state, count)
  select $organization, r.application_id, r.module, r.severity, r.state, r.change
  from unnest($applicationIds::text[], $modules::text[], $severities::text[], $states::text[], $changes::int[])
    with ordinality as r (application_id, module, severity, state, change, position) order by r.position
  on conflict (organization_id, application_id, module, severity, state) do update
  set count = t.count + excluded.count
  returning t.count`)

/** Updates the stored group counts. `changes` come from mergeCountChanges. */
export async function addCountChanges(tx: Tx, changes: GroupCountChange[]): Promise<void> {
  if (changes.length > 0)
    await tx.run(
      addGroupCounts,
      columnsOf(changes, {
        applicationIds: 'applicationId',
        modules: 'module',
        severities: 'severity',
        states: 'state',
        changes: 'change',
      }),
    )
}

const reopenTickets = sql<never, { ids: string[]; historyIds: string[] }>(`
  with opened as (
    update error_ticket t set status = 'OPEN', closed_at = null, updated_at = (select clock_timestamp())
    from unnest($ids::text[], $historyIds::text[]) as r (id, history_id)
    where t.organization_id = $organization and t.id = r.id and t.closed_at is not null and not exists (
      select from error_ticket o where o.organization_id = $organization and o.error_id = t.error_id
        and o.closed_at is null)
    returning t.error_id, t.id, r.history_id)
  insert into error_history (organization_id, error_id, id, action, at, note)
  select $organization, o.error_id, o.history_id, 'TICKET_REOPENED', clock_timestamp(), o.id from opened o`)
const insertTickets = sql<
  never,
  { applicationIds: string[]; errorIds: string[]; ids: string[]; titles: string[]; historyIds: string[] }
>(`
  with made as (
    insert into error_ticket (organization_id, application_id, error_id, id, title, status)
    select $organization, r.application_id, r.error_id, r.id, r.title, 'OPEN'
    from unnest($applicationIds::text[], $errorIds::text[], $ids::text[],
      $titles::text[]) as r (application_id, error_id, id, title)
    on conflict (organization_id, error_id) where closed_at is null do nothing
    returning error_id, id),
  linked as (
    update error_group g set ticket_id = m.id from made m
    where g.organization_id = $organization and g.id = m.error_id)
  insert into error_history (organization_id, error_id, id, action, at, note)
  select $organization, m.error_id, r.history_id, 'TICKET_CREATED', clock_timestamp(), m.id
  from made m join unnest($ids::text[], $historyIds::text[]) as r (id, history_id) on r.id = m.id`)

/** A group after some reports. `before` is its previous row; undefined for a new group. */
export type GroupWrite = { row: GroupRow; before: GroupRow | undefined; isReopened: boolean }
/** The same for an error that was stored before. */
type StoredGroupWrite = GroupWrite & { before: GroupRow }
export type HourCount = { errorId: string; hour: string; count: number }
export type SampleInsert = { errorId: string; slot: number; kind: string; at: string; report: string }
export type HistoryInsert = { errorId: string; id: string; action: string; at: string; note: string | null }
export type IntakeCounts = { applicationId: string; accepted: number; newErrors: number; overflows: number }
export type NewTicket = {
  applicationId: string
  errorId: string
  ticketId: string
  title: string
  historyId: string
}

export type FlushWrites = {
  /** Applications that are not locked yet. */
  applicationIds: string[]
  groups: GroupWrite[]
  hours: HourCount[]
  users: { errorId: string; digest: string }[]
  samples: SampleInsert[]
  history: HistoryInsert[]
  intake: IntakeCounts[]
  countChanges: GroupCountChange[]
  reopenedTickets: { ticketId: string; historyId: string }[]
  newTickets: NewTicket[]
}

/**
 * Sends all statements in one round trip; each writes any number of rows. False if a group has changed in the database:
 * then the transaction must not commit.
 */
export async function writeFlush(tx: Tx, writes: FlushWrites): Promise<boolean> {
  const { applicationIds, groups, hours, users, samples, history, intake } = writes
  const inserted = groups.filter(({ before }) => before === undefined)
  const existing = groups.filter((group): group is StoredGroupWrite => group.before !== undefined)
  const reopened = existing.filter(({ isReopened }) => isReopened)
  const sourceLock = applicationIds.length > 0 && lockSources(tx, applicationIds)
  const displayed = existing.filter(isDisplayChanged).map(withPrevious)
  const counted = existing.filter(one => !isDisplayChanged(one))
  const [displayedRows, counterRows] = await Promise.all([
    displayed.length > 0
      ? tx.run(updateDisplayed, { ids: displayed.map(({ id }) => id), rows: JSON.stringify(displayed) })
      : 0,
    counted.length > 0 ? updateAllCounters(tx, counted) : 0,
    sourceLock,
    inserted.length > 0 && tx.run(insertGroups, { rows: JSON.stringify(inserted.map(({ row }) => row)) }),
    reopened.length > 0 &&
      tx.run(reopenGroups, {
        ids: reopened.map(({ row }) => row.id),
        regressions: reopened.map(({ row }) => row.regression_count),
      }),
    hours.length > 0 &&
      tx.run(addHours, columnsOf(hours, { errorIds: 'errorId', hours: 'hour', counts: 'count' })),
    users.length > 0 && tx.run(addUsers, columnsOf(users, { errorIds: 'errorId', digests: 'digest' })),
    samples.length > 0 &&
      tx.run(
        upsertSamples,
        columnsOf(samples, {
          errorIds: 'errorId',
          slots: 'slot',
          kinds: 'kind',
          times: 'at',
          reports: 'report',
        }),
      ),
    history.length > 0 &&
      tx.run(
        addHistory,
        columnsOf(history, { errorIds: 'errorId', ids: 'id', actions: 'action', times: 'at', notes: 'note' }),
      ),
    tx.run(
      addIntake,
      columnsOf(intake, {
        applicationIds: 'applicationId',
        accepted: 'accepted',
        newErrors: 'newErrors',
        overflows: 'overflows',
      }),
    ),
    addCountChanges(tx, writes.countChanges),
    writes.reopenedTickets.length > 0 &&
      tx.run(reopenTickets, columnsOf(writes.reopenedTickets, { ids: 'ticketId', historyIds: 'historyId' })),
    writes.newTickets.length > 0 &&
      tx.run(
        insertTickets,
        columnsOf(writes.newTickets, {
          applicationIds: 'applicationId',
          errorIds: 'errorId',
          ids: 'ticketId',
          titles: 'title',
          historyIds: 'historyId',
        }),
      ),
  ])
  return displayedRows + counterRows === existing.length
}

function updateAllCounters(tx: Tx, counted: StoredGroupWrite[]): Promise<number> {
  const rows = counted.map(({ row }) => row)
  return tx.run(updateCounters, {
    previousCounts: counted.map(({ before }) => before.count),
    previousStates: counted.map(({ before }) => before.state),
    ...columnsOf(rows, {
      ids: 'id',
      counts: 'count',
      severities: 'severity',
      users: 'users_affected',
      last: 'last_occurrence',
      hours: 'hour_at',
      hourCounts: 'hour_count',
      windows: 'window_at',
      windowCounts: 'window_count',
      spiked: 'spiked_at',
      samples: 'samples',
    }),
  })
}

const displayedColumns = ['message', 'file', 'function', 'line', 'endpoint', 'method'] as const

function isDisplayChanged({ row, before }: StoredGroupWrite): boolean {
  return displayedColumns.some(column => row[column] !== before[column])
}

function withPrevious({ row, before }: StoredGroupWrite) {
  return { ...row, previous_count: before.count, previous_state: before.state }
}
