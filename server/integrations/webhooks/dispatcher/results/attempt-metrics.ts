import type { Metrics } from '#platform/metrics.ts'
import type { AttemptEnd } from '../attempt.ts'

/** Registers the counters of recorded attempts. */
export function registerAttemptMetrics(
  metrics: Metrics,
): (end: Pick<AttemptEnd, 'outcome' | 'final'>) => void {
  const countAttempt = metrics.countBy(
    'patio_webhook_attempts_total',
    'Webhook requests of this process that are recorded, by outcome',
    'outcome',
  )
  const countDelivery = metrics.countBy(
    'patio_webhook_deliveries_total',
    'Webhook deliveries that this process has ended, by their last state',
    'state',
  )
  return ({ outcome, final }) => {
    if (outcome !== null) countAttempt(outcome.toLowerCase())
    if (final !== null) countDelivery(final.toLowerCase())
  }
}
