import { limits } from '#contract/limits.ts'
import type { Tx } from '#platform/data/db.ts'
import { newId } from '#platform/ids.ts'
import { firstOf, lastOf } from '#platform/required.ts'
import { type GroupRow, pastHours } from './intake.sql.ts'
import {
  detectSpike,
  type ErrorLifecycle,
  type ErrorSpike,
  newLifecycle,
  type Occurrence,
  type OccurrenceResult,
  recordOccurrences,
  reopenLifecycle,
} from './lifecycle.rules.ts'
import type { PendingReport, ReportBundle } from './report-bundle.ts'

/** A group from the database or the cache, with its lifecycle and the users that are already counted. */
export type LoadedGroup = {
  readonly row: GroupRow
  readonly lifecycle: ErrorLifecycle
  readonly users: ReadonlySet<string>
}

/** The changes that the reports of one error make to its group. */
export type GroupUpdate = Omit<ReportBundle, 'reports'> & {
  /** In the order of arrival. */
  readonly reports: readonly PendingReport[]
  readonly occurrences: readonly Occurrence[]
  /** The previous row; undefined for a new group. */
  readonly before: GroupRow | undefined
  readonly row: GroupRow
  readonly lifecycle: ErrorLifecycle
  readonly result: OccurrenceResult
  /** Digests of users that were not counted before. */
  readonly users: readonly string[]
  /** Users that are known to be counted, including the new ones. */
  readonly countedUsers: ReadonlySet<string>
  spike: ErrorSpike | undefined
}

/** `offsetMs` is how far the database clock is ahead of this process. Changes the lifecycle of the given group. */
export function applyReports(
  bundle: ReportBundle,
  group: LoadedGroup | undefined,
  offsetMs: number,
): GroupUpdate {
  const before = group?.row
  const reports = bundle.reports.toSorted((a, b) => a.arrivedAtMs - b.arrivedAtMs)
  const occurrences = reports.map(({ arrivedAtMs, severity, occurrences }) => {
    return { atMs: Math.round(arrivedAtMs + offsetMs), severity, occurrences }
  })
  const lifecycle = group?.lifecycle ?? newLifecycle(firstOf(occurrences))
  const result = recordOccurrences(lifecycle, occurrences)
  const affected = before?.users_affected ?? 0
  const counted = group?.users ?? new Set<string>()
  const users = bundle.isOverflow ? [] : newUsersOf(reports, counted, limits.errorUsers - affected)
  const countedUsers = users.length > 0 ? new Set([...counted, ...users]) : counted
  const row = updatedRow(bundle, reports, lifecycle, before)
  row.users_affected = affected + users.length
  if (result.reopened) Object.assign(row, reopenedFields)
  return {
    ...bundle,
    reports,
    occurrences,
    before,
    row,
    lifecycle,
    result,
    users,
    countedUsers,
    spike: undefined,
  }
}

/** Sets each field by name: nested spreads would cost time when many errors are reported at once. */
function updatedRow(
  bundle: ReportBundle,
  reports: readonly PendingReport[],
  lifecycle: ErrorLifecycle,
  before: GroupRow | undefined,
): GroupRow {
  const { applicationId, hash, isOverflow } = bundle
  const displayed = isOverflow ? overflowFields : lastOf(reports)
  return {
    ...(before ?? newGroupFields),
    id: before?.id ?? newId(),
    application_id: applicationId,
    hash,
    module: before?.module ?? moduleOf(bundle, reports),
    message: displayed.message,
    file: displayed.file,
    line: displayed.line,
    function: displayed.function,
    endpoint: displayed.endpoint,
    method: displayed.method,
    is_overflow: isOverflow,
    severity: lifecycle.severity,
    count: lifecycle.count,
    regression_count: lifecycle.regressionCount,
    first_occurrence: before?.first_occurrence ?? timeOf(lifecycle.firstMs),
    last_occurrence: lastTimeOf(lifecycle.lastMs),
    hour_at: hourTimeOf(lifecycle.hourMs),
    hour_count: lifecycle.hourCount,
    window_at: windowTimeOf(lifecycle.windowMs),
    window_count: lifecycle.windowCount,
    samples: lifecycle.samples,
  }
}

function moduleOf({ isOverflow }: ReportBundle, reports: readonly PendingReport[]): string {
  const first = firstOf(reports).module
  const isSingleModule =
    !isOverflow || reports.every(({ module }) => module.toLowerCase() === first.toLowerCase())
  return isSingleModule ? first : '(several)'
}

/** The fields of an overflow group; other groups show their latest occurrence. */
const overflowFields = {
  message: 'Too many distinct errors within an hour: they are grouped together here',
  file: null,
  line: null,
  function: null,
  endpoint: null,
  method: null,
}

const reopenedFields = {
  state: 'UNRESOLVED',
  resolved_at: null,
  grace_until: null,
  silence_type: null,
  silenced_at: null,
  silenced_by: null,
  silenced_until: null,
  silenced_for_count: null,
  silenced_until_count: null,
} as const
const newGroupFields = { ...reopenedFields, users_affected: 0, ticket_id: null, spiked_at: null }

const msOf = (time: string | null) => (time === null ? null : Date.parse(time))
const timeOf = (ms: number) => new Date(ms).toISOString()
// the errors of a flush share the hour and the window, and often the millisecond
const [lastTimeOf, hourTimeOf, windowTimeOf] = [memoizeLast(timeOf), memoizeLast(timeOf), memoizeLast(timeOf)]

function memoizeLast(make: (ms: number) => string): (ms: number) => string {
  let last = { ms: Number.NaN, text: '' }
  return ms => {
    if (last.ms !== ms) last = { ms, text: make(ms) }
    return last.text
  }
}

export function lifecycleOf(row: GroupRow): ErrorLifecycle {
  return {
    state: row.state,
    severity: row.severity,
    count: row.count,
    silence: row.silence_type,
    samples: row.samples,
    firstMs: Date.parse(row.first_occurrence),
    lastMs: Date.parse(row.last_occurrence),
    resolvedAtMs: msOf(row.resolved_at),
    graceUntilMs: msOf(row.grace_until),
    spikedAtMs: msOf(row.spiked_at),
    silencedUntilMs: msOf(row.silenced_until),
    silencedUntilCount: row.silenced_until_count,
    regressionCount: row.regression_count,
    hourMs: Date.parse(row.hour_at),
    hourCount: row.hour_count,
    windowMs: Date.parse(row.window_at),
    windowCount: row.window_count,
  }
}

export function usersOf(reports: readonly PendingReport[]): Set<string> {
  const digests = new Set<string>()
  for (const { userDigest } of reports) if (userDigest !== undefined) digests.add(userDigest)
  return digests
}

function newUsersOf(
  reports: readonly PendingReport[],
  counted: ReadonlySet<string>,
  limit: number,
): string[] {
  const digests = new Set<string>()
  for (const { userDigest } of reports)
    if (userDigest !== undefined && digests.size < limit && !counted.has(userDigest)) digests.add(userDigest)
  return [...digests]
}

const dayMs = 24 * 3_600_000

/** Compares groups with a full window with their history, and ends the silence of those that spike. */
export async function detectSpikes(tx: Tx, updates: readonly GroupUpdate[]): Promise<void> {
  const candidates = updates.filter(({ result, before }) => result.mayBeSpike && before)
  if (candidates.length === 0) return
  const past = await pastHours(
    tx,
    candidates.map(({ row }) => ({ errorId: row.id, hour: row.hour_at })),
  )
  for (const update of candidates) {
    const { row, lifecycle, result } = update
    const before = past.filter(({ error_id }) => error_id === row.id)
    const ended = result.pastHours.filter(({ hourMs }) => lifecycle.hourMs - hourMs <= dayMs)
    update.spike = detectSpike(
      lifecycle,
      [...before, ...ended].map(({ count }) => count),
    )
    if (!update.spike) continue
    row.spiked_at = row.last_occurrence
    lifecycle.spikedAtMs = lifecycle.lastMs
    if (lifecycle.state !== 'SILENCED') continue
    result.reopened = { reason: 'SILENCE_ENDED', previousState: 'SILENCED', atMs: lifecycle.lastMs }
    reopenLifecycle(lifecycle)
    Object.assign(row, reopenedFields)
  }
}
