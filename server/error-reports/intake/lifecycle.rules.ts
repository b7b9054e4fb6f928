import { type ErrorSeverity, type ErrorState, severities } from '#contract/error-reports/errors.ts'
import type { Silence } from '#contract/error-reports/tab.ts'
import { limits } from '#contract/limits.ts'
import { required } from '#platform/required.ts'

const hourMs = 3_600_000
const minuteMs = 60_000
/** Spikes are detected in windows of this length. */
export const spikeWindowMinutes = 5
const windowMs = spikeWindowMinutes * minuteMs
const minSpikeCount = 20
const minSpikeFactor = 10
const minSpikeScore = 3.5
const spikeCooldownMs = 60 * minuteMs

/** The fields of a group that occurrences change. Times are milliseconds of the database clock. */
export type ErrorLifecycle = {
  state: ErrorState
  severity: ErrorSeverity
  count: number
  firstMs: number
  lastMs: number
  resolvedAtMs: number | null
  graceUntilMs: number | null
  silence: Silence | null
  silencedUntilMs: number | null
  silencedUntilCount: number | null
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
/** The effects of occurrences besides the counts. */
export type OccurrenceResult = {
  reopened: { reason: 'REGRESSION' | 'SILENCE_ENDED'; previousState: ErrorState; atMs: number } | undefined
  /** The occurrences to store as samples; `at` is their index. */
  samples: { at: number; kind: SampleKind; slot: number }[]
  /** The current window has reached a count that may be a spike. */
  mayBeSpike: boolean
  /** Final counts of hours that are over. */
  pastHours: { hourMs: number; count: number }[]
}

export function newLifecycle({ atMs, severity }: Occurrence): ErrorLifecycle {
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
    silencedUntilCount: null,
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
 * Applies occurrences in the order of arrival and changes `lifecycle`: updates the counts and the severity; reopens a
 * resolved error if it occurs after the grace period; ends a silence if its condition is met when the error occurs.
 */
export function recordOccurrences(
  lifecycle: ErrorLifecycle,
  occurrences: readonly Occurrence[],
): OccurrenceResult {
  const result: OccurrenceResult = { reopened: undefined, samples: [], mayBeSpike: false, pastHours: [] }
  occurrences.forEach((occurrence, index) => {
    const isFirst = lifecycle.count === 0
    const before = countsBefore(lifecycle, occurrence.atMs)
    count(lifecycle, occurrence, result)
    const reopened = reopenReasonOf(lifecycle, occurrence)
    if (reopened) {
      if (reopened === 'REGRESSION') lifecycle.regressionCount++
      result.reopened = { reason: reopened, previousState: lifecycle.state, atMs: occurrence.atMs }
      reopenLifecycle(lifecycle)
      if (reopened === 'REGRESSION') lifecycle.severity = occurrence.severity
    }
    lifecycle.severity = higherSeverity(lifecycle.severity, occurrence.severity)
    const kind = sampleKindOf(isFirst, reopened === 'REGRESSION', before.hour, lifecycle.hourCount)
    if (kind) result.samples.push({ at: index, kind, slot: slotOf(kind, lifecycle) })
    if (crossesSpikeStep(before.window, lifecycle.windowCount) && canSpike(lifecycle))
      result.mayBeSpike = true
  })
  return result
}

function countsBefore(lifecycle: ErrorLifecycle, atMs: number): { hour: number; window: number } {
  return {
    hour: floor(atMs, hourMs) > lifecycle.hourMs ? 0 : lifecycle.hourCount,
    window: floor(atMs, windowMs) > lifecycle.windowMs ? 0 : lifecycle.windowCount,
  }
}

function count(
  lifecycle: ErrorLifecycle,
  { atMs, occurrences }: Occurrence,
  { pastHours }: OccurrenceResult,
): void {
  lifecycle.count += occurrences
  lifecycle.lastMs = Math.max(lifecycle.lastMs, atMs)
  if (floor(atMs, hourMs) > lifecycle.hourMs) {
    if (lifecycle.hourCount > 0) pastHours.push({ hourMs: lifecycle.hourMs, count: lifecycle.hourCount })
    lifecycle.hourMs = floor(atMs, hourMs)
    lifecycle.hourCount = 0
  }
  lifecycle.hourCount += occurrences
  if (floor(atMs, windowMs) > lifecycle.windowMs) {
    lifecycle.windowMs = floor(atMs, windowMs)
    lifecycle.windowCount = 0
  }
  lifecycle.windowCount += occurrences
}

function reopenReasonOf(
  lifecycle: ErrorLifecycle,
  { atMs }: Occurrence,
): 'REGRESSION' | 'SILENCE_ENDED' | undefined {
  if (lifecycle.state === 'RESOLVED')
    return atMs > (lifecycle.graceUntilMs ?? lifecycle.resolvedAtMs ?? 0) ? 'REGRESSION' : undefined
  if (lifecycle.state !== 'SILENCED') return undefined
  const isOver =
    (lifecycle.silence === 'DATE' && atMs >= (lifecycle.silencedUntilMs ?? 0)) ||
    (lifecycle.silence === 'COUNT' && lifecycle.count >= (lifecycle.silencedUntilCount ?? 0))
  return isOver ? 'SILENCE_ENDED' : undefined
}

/** Sets UNRESOLVED and clears the fields of a resolution or silence. */
export function reopenLifecycle(lifecycle: ErrorLifecycle): void {
  lifecycle.state = 'UNRESOLVED'
  lifecycle.resolvedAtMs = null
  lifecycle.graceUntilMs = null
  lifecycle.silence = null
  lifecycle.silencedUntilMs = null
  lifecycle.silencedUntilCount = null
}

function sampleKindOf(
  isFirst: boolean,
  isRegression: boolean,
  before: number,
  now: number,
): SampleKind | undefined {
  if (isFirst) return 'FIRST'
  if (isRegression) return 'REGRESSION'
  // beyond the hourly samples: the 32nd, the 64th, the 128th …
  const isRare = 2 ** Math.floor(Math.log2(now)) > before
  return now <= limits.errorSamplesPerHour || isRare ? 'RECENT' : undefined
}

function slotOf(kind: SampleKind, lifecycle: ErrorLifecycle): number {
  if (kind === 'FIRST') return -1
  if (kind === 'REGRESSION') return -2 - (lifecycle.regressionCount % limits.errorRegressionSamples)
  return lifecycle.samples++ % limits.errorSamples
}

/** A window is checked for a spike when its count reaches 20, 40, 80, … */
function crossesSpikeStep(before: number, now: number): boolean {
  for (let step = minSpikeCount; step <= now; step *= 2) if (before < step) return true
  return false
}

function canSpike({ state, silence, spikedAtMs, lastMs }: ErrorLifecycle): boolean {
  if (state === 'RESOLVED' || (state === 'SILENCED' && silence !== 'SPIKE')) return false
  return spikedAtMs === null || lastMs - spikedAtMs >= spikeCooldownMs
}

export type ErrorSpike = { observed: number; baselineMedian: number; factor: number }

/**
 * A spike is a window with at least 20 occurrences, at least ten times the median window of the previous day, and with a
 * modified z-score of at least 3.5. `hours` are the counts of the previous whole hours; hours without occurrences may be
 * omitted. An error younger than an hour has no baseline.
 */
export function detectSpike(lifecycle: ErrorLifecycle, hours: readonly number[]): ErrorSpike | undefined {
  const age = Math.min(24, Math.floor((lifecycle.hourMs - floor(lifecycle.firstMs, hourMs)) / hourMs))
  const observed = lifecycle.windowCount
  if (age < 1 || observed < minSpikeCount) return undefined
  const windows = hourMs / windowMs
  const baseline = [...hours, ...Array<number>(Math.max(0, age - hours.length)).fill(0)].map(
    count => count / windows,
  )
  const baselineMedian = median(baseline)
  if (observed < minSpikeFactor * baselineMedian) return undefined
  const deviation = Math.max(1, median(baseline.map(count => Math.abs(count - baselineMedian))))
  if ((0.6745 * (observed - baselineMedian)) / deviation < minSpikeScore) return undefined
  const factor = observed / Math.max(1, baselineMedian)
  return { observed, baselineMedian: rounded(baselineMedian), factor: rounded(factor) }
}

function median(numbers: number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b)
  // the two in the middle are the same one in a list of odd length
  const half = (sorted.length - 1) / 2
  const [lower, upper = lower] = sorted.slice(Math.floor(half), Math.ceil(half) + 1)
  return (required(lower, 'the median of nothing') + required(upper, 'the median of nothing')) / 2
}

const rounded = (number: number) => Math.round(number * 100) / 100
const floor = (ms: number, step: number) => Math.floor(ms / step) * step

export function higherSeverity(a: ErrorSeverity, b: ErrorSeverity): ErrorSeverity {
  return severities.indexOf(a) <= severities.indexOf(b) ? a : b
}
