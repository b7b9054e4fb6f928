import { type ErrorState, type ErrorSeverity, severities } from '#contract/error-reports/errors.ts'
import type { Silence } from '#contract/error-reports/tab.ts'
import { limits } from '#contract/limits.ts'

const hourMs = 3_600_000
const minuteMs = 60_000
/** A spike is looked for in so many minutes. */
export const spikeWindowMinutes = 5
const windowMs = spikeWindowMinutes * minuteMs
const spikeLeast = 20
const spikeFactor = 10
const spikeScore = 3.5
const spikeRestMs = 60 * minuteMs

/** What of a group changes by itself when the error happens. Times in milliseconds of the database's clock. */
export type Course = {
  state: ErrorState
  severity: ErrorSeverity
  count: number
  firstMs: number
  lastMs: number
  resolvedAtMs: number | null
  graceUntilMs: number | null
  silence: Silence | null
  silencedUntilMs: number | null
  silencedToCount: number | null
  regressionCount: number
  hourMs: number
  hourCount: number
  windowMs: number
  windowCount: number
  spikedAtMs: number | null
  samples: number
}
export type Occurrence = { atMs: number; severity: ErrorSeverity; occurrences: number }
export type SampleKind = 'FIRST' | 'RECENT' | 'REGRESSION'
/** What came of some occurrences besides the counts. */
export type Outcome = {
  reopened: { reason: 'REGRESSION' | 'SILENCE_ENDED'; previousState: ErrorState; atMs: number } | undefined
  /** Which occurrences are worth keeping whole, by their place. */
  samples: { at: number; kind: SampleKind; slot: number }[]
  /** The running window has become so full that it may be a spike. */
  mayBeSpike: boolean
  /** The hours that ran before and are over, as they ended. */
  pastHours: { hourMs: number; count: number }[]
}

/** The course of an error that happens for the first time. */
export function newCourse({ atMs, severity }: Occurrence): Course {
  return {
    state: 'UNRESOLVED',
    severity,
    count: 0,
    firstMs: atMs,
    lastMs: atMs,
    resolvedAtMs: null,
    graceUntilMs: null,
    silence: null,
    silencedUntilMs: null,
    silencedToCount: null,
    regressionCount: 0,
    hourMs: floor(atMs, hourMs),
    hourCount: 0,
    windowMs: floor(atMs, windowMs),
    windowCount: 0,
    spikedAtMs: null,
    samples: 0,
  }
}

/**
 * Takes occurrences, in the order in which they arrived, into the course of their error: counts; a resolved error comes
 * back when it happens after it was resolved and the grace is over; a silence ends when its condition holds as the error
 * happens; severity is the highest since. Changes `course`.
 */
export function occur(course: Course, occurrences: readonly Occurrence[]): Outcome {
  const outcome: Outcome = { reopened: undefined, samples: [], mayBeSpike: false, pastHours: [] }
  occurrences.forEach((one, at) => {
    const isFirst = course.count === 0
    const before = countsBefore(course, one.atMs)
    count(course, one, outcome)
    const reopened = reopening(course, one)
    if (reopened) {
      if (reopened === 'REGRESSION') course.regressionCount++
      outcome.reopened = { reason: reopened, previousState: course.state, atMs: one.atMs }
      open(course)
      if (reopened === 'REGRESSION') course.severity = one.severity
    }
    course.severity = higher(course.severity, one.severity)
    const kind = sampleKind(isFirst, reopened === 'REGRESSION', before.hour, course.hourCount)
    if (kind) outcome.samples.push({ at, kind, slot: slotOf(kind, course) })
    if (isFuller(before.window, course.windowCount) && maySpike(course)) outcome.mayBeSpike = true
  })
  return outcome
}

function countsBefore(course: Course, atMs: number): { hour: number; window: number } {
  return {
    hour: floor(atMs, hourMs) > course.hourMs ? 0 : course.hourCount,
    window: floor(atMs, windowMs) > course.windowMs ? 0 : course.windowCount,
  }
}

function count(course: Course, { atMs, occurrences }: Occurrence, { pastHours }: Outcome): void {
  course.count += occurrences
  course.lastMs = Math.max(course.lastMs, atMs)
  if (floor(atMs, hourMs) > course.hourMs) {
    if (course.hourCount > 0) pastHours.push({ hourMs: course.hourMs, count: course.hourCount })
    course.hourMs = floor(atMs, hourMs)
    course.hourCount = 0
  }
  course.hourCount += occurrences
  if (floor(atMs, windowMs) > course.windowMs) {
    course.windowMs = floor(atMs, windowMs)
    course.windowCount = 0
  }
  course.windowCount += occurrences
}

function reopening(course: Course, { atMs }: Occurrence): 'REGRESSION' | 'SILENCE_ENDED' | undefined {
  if (course.state === 'RESOLVED')
    return atMs > (course.graceUntilMs ?? course.resolvedAtMs ?? 0) ? 'REGRESSION' : undefined
  if (course.state !== 'SILENCED') return undefined
  const isOver =
    (course.silence === 'DATE' && atMs >= (course.silencedUntilMs ?? 0)) ||
    (course.silence === 'COUNT' && course.count >= (course.silencedToCount ?? 0))
  return isOver ? 'SILENCE_ENDED' : undefined
}

/** UNRESOLVED, with nothing left of how it was resolved or silenced. */
export function open(course: Course): void {
  course.state = 'UNRESOLVED'
  course.resolvedAtMs = null
  course.graceUntilMs = null
  course.silence = null
  course.silencedUntilMs = null
  course.silencedToCount = null
}

function sampleKind(isFirst: boolean, isBack: boolean, before: number, now: number): SampleKind | undefined {
  if (isFirst) return 'FIRST'
  if (isBack) return 'REGRESSION'
  // then the 32nd, the 64th, the 128th …
  const isRare = 2 ** Math.floor(Math.log2(now)) > before
  return now <= limits.errorSamplesPerHour || isRare ? 'RECENT' : undefined
}

function slotOf(kind: SampleKind, course: Course): number {
  if (kind === 'FIRST') return -1
  if (kind === 'REGRESSION') return -2 - (course.regressionCount % limits.errorRegressionSamples)
  return course.samples++ % limits.errorSamples
}

/** A window is looked at when it has seen 20, 40, 80, … */
function isFuller(before: number, now: number): boolean {
  for (let step = spikeLeast; step <= now; step *= 2) if (before < step) return true
  return false
}

function maySpike({ state, silence, spikedAtMs, lastMs }: Course): boolean {
  if (state === 'RESOLVED' || (state === 'SILENCED' && silence !== 'SPIKE')) return false
  return spikedAtMs === null || lastMs - spikedAtMs >= spikeRestMs
}

export type Spike = { observed: number; baselineMedian: number; factor: number }

/**
 * A spike: at least 20 in five minutes, ten times the median of the day before and far outside of what is usual
 * (modified z-score 3.5 or more). `hours` are the counts of whole hours before this one; hours with nothing may be left
 * out. An error that is younger than an hour has nothing to compare with.
 */
export function spikeOf(course: Course, hours: readonly number[]): Spike | undefined {
  const age = Math.min(24, Math.floor((course.hourMs - floor(course.firstMs, hourMs)) / hourMs))
  const observed = course.windowCount
  if (age < 1 || observed < spikeLeast) return undefined
  const windows = hourMs / windowMs
  const usual = [...hours, ...Array<number>(Math.max(0, age - hours.length)).fill(0)].map(
    count => count / windows,
  )
  const baselineMedian = median(usual)
  if (observed < spikeFactor * baselineMedian) return undefined
  const deviation = Math.max(1, median(usual.map(count => Math.abs(count - baselineMedian))))
  if ((0.6745 * (observed - baselineMedian)) / deviation < spikeScore) return undefined
  const factor = observed / Math.max(1, baselineMedian)
  return { observed, baselineMedian: rounded(baselineMedian), factor: rounded(factor) }
}

function median(numbers: number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b)
  const middle = sorted.length / 2
  return sorted.length % 2 === 1 ? sorted[Math.floor(middle)]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

const rounded = (number: number) => Math.round(number * 100) / 100
const floor = (ms: number, step: number) => Math.floor(ms / step) * step

/** The graver of two. */
export function higher(one: ErrorSeverity, other: ErrorSeverity): ErrorSeverity {
  return severities.indexOf(one) <= severities.indexOf(other) ? one : other
}
