import type { Database } from '#platform/data/database.ts'
import type { Log } from '#platform/log.ts'
import { atMostEachSecond, type Metrics } from '#platform/metrics.ts'
import { secondsAhead } from './lead-clock.sql.ts'

/** So far ahead it runs only when an organization changes more than a thousand leads in a second for long. */
const warnSeconds = 1

/**
 * Says in the metrics how far the clock of leads that is furthest ahead of the database's is ahead of it. NaN while the
 * database does not answer. Decision 0016.
 */
export function registerLeadClockGauge(metrics: Metrics, { wide }: Database): void {
  metrics.gauge(
    'patio_lead_clock_ahead_seconds',
    'How far the time of the last change of a lead is ahead of the clock',
    atMostEachSecond(() => secondsAhead(wide), Number.NaN),
  )
}

/** Warns when changes of leads are given times that are still to come. */
export async function warnIfLeadClockAhead({ wide }: Database, log: Log): Promise<void> {
  const seconds = await secondsAhead(wide)
  if (seconds > warnSeconds) log.warn({ seconds }, 'the clock of leads runs ahead')
}
