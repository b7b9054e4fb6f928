import type { Database } from '#platform/data/database.ts'
import { cachedForSecond, type Metrics } from '#platform/metrics.ts'
import { type Backlog, readBacklog } from './backlog.sql.ts'

const unknown: Backlog = { endpoints: Number.NaN, oldestSeconds: Number.NaN, freeShards: Number.NaN }

/**
 * Says in the metrics how far webhooks are behind. Metrics are read without a credential, so they tell totals only: how
 * a single endpoint does stands in its health. NaN while the database does not answer.
 */
export function gaugeBacklog(metrics: Metrics, database: Database): void {
  const read = cachedForSecond(async () => (await database.wide.first(readBacklog))!, unknown)
  const gauge = (name: keyof Backlog, as: string, help: string) =>
    metrics.gauge(`patio_webhook_${as}`, help, async () => (await read())[name])
  gauge('endpoints', 'endpoints_behind', 'Webhook endpoints with a notice that is due')
  gauge('oldestSeconds', 'oldest_due_seconds', 'How long the oldest of these notices is due')
  gauge('freeShards', 'shards_without_owner', 'Shards of endpoints for which no dispatcher sends')
}
