import { monotonicMs } from '#platform/clock.ts'
import type { Database } from '#platform/db/database.ts'
import type { Metrics } from '#platform/metrics.ts'
import { type Backlog, readBacklog } from './store.ts'

/** Whoever asks for metrics often gets the same figures. */
const keptMs = 1_000
const unknown: Backlog = { endpoints: Number.NaN, oldestSeconds: Number.NaN, freeShards: Number.NaN }

/**
 * Says in the metrics how far webhooks are behind. Metrics are read without a credential, so they tell totals only: how
 * a single endpoint does stands in its health. NaN while the database does not answer.
 */
export function gaugeBacklog(metrics: Metrics, database: Database): void {
  let readAt = Number.NEGATIVE_INFINITY
  let last: Promise<Backlog> = Promise.resolve(unknown)
  function read(): Promise<Backlog> {
    if (monotonicMs() - readAt > keptMs) {
      readAt = monotonicMs()
      last = database.wide.first(readBacklog).then(
        found => found!,
        () => unknown,
      )
    }
    return last
  }
  const gauge = (name: keyof Backlog, as: string, help: string) =>
    metrics.gauge(`patio_webhook_${as}`, help, async () => (await read())[name])
  gauge('endpoints', 'endpoints_behind', 'Webhook endpoints with a notice that is due')
  gauge('oldestSeconds', 'oldest_due_seconds', 'How long the oldest of these notices is due')
  gauge('freeShards', 'shards_without_owner', 'Shards of endpoints for which no dispatcher sends')
}
