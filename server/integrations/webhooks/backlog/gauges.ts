import type { Database } from '#platform/data/database.ts'
import { cachedForSecond, type Metrics } from '#platform/metrics.ts'
import { type Backlog, readBacklog } from './backlog.sql.ts'

const unknown: Backlog = { endpoints: Number.NaN, oldestSeconds: Number.NaN, freeShards: Number.NaN }

/**
 * Publishes how far webhooks are behind. Metrics need no credential, so they contain only totals; the health of a webhook
 * has its own operation. NaN while the database does not answer.
 */
export function gaugeBacklog(metrics: Metrics, database: Database): void {
  const read = cachedForSecond(async () => (await database.crossTenant.first(readBacklog))!, unknown)
  const gauge = (name: keyof Backlog, as: string, help: string) =>
    metrics.gauge(`patio_webhook_${as}`, help, async () => (await read())[name])
  gauge('endpoints', 'endpoints_behind', 'Webhook endpoints with a delivery that is due')
  gauge('oldestSeconds', 'oldest_due_seconds', 'Seconds since the oldest of these deliveries was due')
  gauge('freeShards', 'shards_without_owner', 'Endpoint shards without a dispatcher')
}
