import { limits } from '#contract/limits.ts'
import type { Tx } from '#platform/data/database.ts'
import { newId } from '#platform/ids.ts'
import type { Bundle, Report } from './report-bundle.ts'
import {
  type Course,
  newCourse,
  type Occurrence,
  type Outcome,
  occur,
  open,
  type Spike,
  spikeOf,
} from './lifecycle.rules.ts'
import { type GroupRow, pastHours } from './intake.sql.ts'

/** A group as it is, with what changes of it by itself and users that were counted. */
export type Group = { readonly row: GroupRow; readonly course: Course; readonly users: ReadonlySet<string> }

/** What becomes of the reports of one error. */
export type Settled = Omit<Bundle, 'reports'> & {
  /** In the order in which they arrived, with the times of the database's clock. */
  readonly reports: readonly Report[]
  readonly occurrences: readonly Occurrence[]
  /** The group as it was; undefined when it is new. */
  readonly before: GroupRow | undefined
  readonly row: GroupRow
  readonly course: Course
  readonly outcome: Outcome
  /** Users that were not counted before. */
  readonly users: readonly string[]
  /** Some that are counted now, these among them. */
  readonly usersNow: ReadonlySet<string>
  spike: Spike | undefined
}

/** `offsetMs` is what the database's clock is ahead of this process's. Takes the course of the group over. */
export function settle(bundle: Bundle, group: Group | undefined, offsetMs: number): Settled {
  const before = group?.row
  const reports = bundle.reports.toSorted((one, other) => one.arrivedAtMs - other.arrivedAtMs)
  const occurrences = reports.map(({ arrivedAtMs, severity, occurrences }) => {
    return { atMs: Math.round(arrivedAtMs + offsetMs), severity, occurrences }
  })
  const course = group?.course ?? newCourse(occurrences[0]!)
  const outcome = occur(course, occurrences)
  const affected = before?.users_affected ?? 0
  const counted = group?.users ?? new Set<string>()
  const users = bundle.isOverflow ? [] : uncounted(reports, counted, limits.errorUsers - affected)
  const usersNow = users.length > 0 ? new Set([...counted, ...users]) : counted
  const row = rowOf(bundle, reports, course, before)
  row.users_affected = affected + users.length
  if (outcome.reopened) Object.assign(row, opened)
  return { ...bundle, reports, occurrences, before, row, course, outcome, users, usersNow, spike: undefined }
}

/** The group as it is now. Each field is written by its name: of many errors at a time, copies of copies would be seen. */
function rowOf(
  bundle: Bundle,
  reports: readonly Report[],
  course: Course,
  before: GroupRow | undefined,
): GroupRow {
  const { applicationId, hash, isOverflow } = bundle
  const shown = isOverflow ? overflowing : reports.at(-1)!
  return {
    ...(before ?? unseen),
    id: before?.id ?? newId(),
    application_id: applicationId,
    hash,
    module: before?.module ?? moduleOf(bundle, reports),
    message: shown.message,
    file: shown.file,
    line: shown.line,
    function: shown.function,
    endpoint: shown.endpoint,
    method: shown.method,
    is_overflow: isOverflow,
    severity: course.severity,
    count: course.count,
    regression_count: course.regressionCount,
    first_occurrence: before?.first_occurrence ?? timeOf(course.firstMs),
    last_occurrence: lastTimeOf(course.lastMs),
    hour_at: hourTimeOf(course.hourMs),
    hour_count: course.hourCount,
    window_at: windowTimeOf(course.windowMs),
    window_count: course.windowCount,
    samples: course.samples,
  }
}

function moduleOf({ isOverflow }: Bundle, reports: readonly Report[]): string {
  const [first] = reports
  const isOfOne =
    !isOverflow || reports.every(({ module }) => module.toLowerCase() === first!.module.toLowerCase())
  return isOfOne ? first!.module : '(several)'
}

/** What a group of several errors shows; others show their latest occurrence. */
const overflowing = {
  message: 'Too many distinct errors within an hour: these are not told apart',
  file: null,
  line: null,
  function: null,
  endpoint: null,
  method: null,
}

const opened = {
  state: 'UNRESOLVED',
  resolved_at: null,
  grace_until: null,
  silence: null,
  silenced_at: null,
  silenced_by: null,
  silenced_until: null,
  silenced_for: null,
  silenced_to_count: null,
} as const
const unseen = { ...opened, users_affected: 0, ticket_id: null, spiked_at: null }

const msOf = (time: string | null) => (time === null ? null : Date.parse(time))
const timeOf = (ms: number) => new Date(ms).toISOString()
// the errors of a flush happen in the same hour and window, and mostly within a few milliseconds
const [lastTimeOf, hourTimeOf, windowTimeOf] = [
  rememberingOne(timeOf),
  rememberingOne(timeOf),
  rememberingOne(timeOf),
]

function rememberingOne(make: (ms: number) => string): (ms: number) => string {
  let known = { ms: Number.NaN, text: '' }
  return ms => {
    if (known.ms !== ms) known = { ms, text: make(ms) }
    return known.text
  }
}

/** What of a group changes by itself. */
export function courseOf(row: GroupRow): Course {
  return {
    state: row.state,
    severity: row.severity,
    count: row.count,
    silence: row.silence,
    samples: row.samples,
    firstMs: Date.parse(row.first_occurrence),
    lastMs: Date.parse(row.last_occurrence),
    resolvedAtMs: msOf(row.resolved_at),
    graceUntilMs: msOf(row.grace_until),
    spikedAtMs: msOf(row.spiked_at),
    silencedUntilMs: msOf(row.silenced_until),
    silencedToCount: row.silenced_to_count,
    regressionCount: row.regression_count,
    hourMs: Date.parse(row.hour_at),
    hourCount: row.hour_count,
    windowMs: Date.parse(row.window_at),
    windowCount: row.window_count,
  }
}

/** The users whom an error concerns. */
export function usersOf(reports: readonly Report[]): Set<string> {
  const digests = new Set<string>()
  for (const { userDigest } of reports) if (userDigest !== undefined) digests.add(userDigest)
  return digests
}

function uncounted(reports: readonly Report[], counted: ReadonlySet<string>, room: number): string[] {
  const digests = new Set<string>()
  for (const { userDigest } of reports)
    if (userDigest !== undefined && digests.size < room && !counted.has(userDigest)) digests.add(userDigest)
  return [...digests]
}

const dayMs = 24 * 3_600_000

/** Reads what was usual of the few groups whose five minutes have filled, and ends the silence of those that spike. */
export async function lookForSpikes(tx: Tx, all: readonly Settled[]): Promise<void> {
  const full = all.filter(({ outcome, before }) => outcome.mayBeSpike && before)
  if (full.length === 0) return
  const past = await pastHours(
    tx,
    full.map(({ row }) => ({ errorId: row.id, hour: row.hour_at })),
  )
  for (const one of full) {
    const { row, course, outcome } = one
    const before = past.filter(({ error_id }) => error_id === row.id)
    const ended = outcome.pastHours.filter(({ hourMs }) => course.hourMs - hourMs <= dayMs)
    one.spike = spikeOf(
      course,
      [...before, ...ended].map(({ count }) => count),
    )
    if (!one.spike) continue
    row.spiked_at = row.last_occurrence
    course.spikedAtMs = course.lastMs
    if (course.state !== 'SILENCED') continue
    outcome.reopened = { reason: 'SILENCE_ENDED', previousState: 'SILENCED', atMs: course.lastMs }
    open(course)
    Object.assign(row, opened)
  }
}
