import type { Database } from '#platform/data/database.ts'
import type { Log } from '#platform/log.ts'
import { cachedForSecond, type Metrics } from '#platform/metrics.ts'
import { secondsAhead } from './lead-clock.sql.ts'

/** The clock is this far ahead only if an organization changes more than a thousand leads per second for a long time. */
const warnSeconds = 1

/**
 * Registers a gauge of how far the fastest lead clock is ahead of the clock of the database; NaN while the database does not
 * answer. Decision 0016.
 */
export function registerLeadClockGauge(metrics: Metrics, { crossTenant }: Database): void {
  metrics.gauge(
    'patio_lead_clock_ahead_seconds',
    'Seconds that the time of the latest lead change is ahead of the database clock',
    cachedForSecond(() => secondsAhead(crossTenant), Number.NaN),
  )
}

/** Logs a warning if lead changes get times in the future. */
export async function warnIfLeadClockAhead({ crossTenant }: Database, log: Log): Promise<void> {
  const seconds = await secondsAhead(crossTenant)
  if (seconds > warnSeconds) log.warn({ seconds }, 'The lead clock is ahead of the database clock')
}
