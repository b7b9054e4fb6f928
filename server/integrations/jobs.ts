import type { ServerHealth } from '#contract/identity/health.ts'
import { housekeepingMs } from '#platform/jobs/job.ts'
import type { BackgroundWork, ServerTotals } from '#server/area.ts'
import { scopeRequestMail } from './critical-scopes/scope-request.mail.ts'
import { announceRestore } from './webhooks/announce-restore.ts'
import { readWebhookBacklog } from './webhooks/backlog/backlog.sql.ts'
import { webhookMailKinds } from './webhooks/mails/mails.ts'
import { maintainDeliveryPartitions } from './webhooks/retention/retention.sql.ts'

export { registerAttemptMetrics } from './webhooks/dispatcher/results/attempt-metrics.ts'
export { openWebhookEngine } from './webhooks/engine.ts'
export { maintainDeliveryPartitions } from './webhooks/retention/retention.sql.ts'

const webhookBacklog: ServerTotals<ServerHealth['webhooks']> = {
  read: readWebhookBacklog,
  gauges: [
    {
      name: 'patio_webhook_endpoints_behind',
      help: 'Webhook endpoints with a delivery that is due',
      of: ({ endpointsBehind }) => endpointsBehind,
    },
    {
      name: 'patio_webhook_oldest_due_seconds',
      help: 'Seconds since the oldest of these deliveries was due',
      of: ({ oldestDueSeconds }) => oldestDueSeconds,
    },
    {
      name: 'patio_webhook_shards_without_owner',
      help: 'Endpoint shards without a dispatcher',
      of: ({ shardsWithoutOwner }) => shardsWithoutOwner,
    },
    {
      name: 'patio_webhook_paused_endpoints',
      help: 'Webhook endpoints that are paused',
      of: ({ pausedEndpoints }) => pausedEndpoints,
    },
    {
      name: 'patio_webhook_scheduled_deliveries',
      help: 'Retries and recoveries that wait for their time; at most 10,000 are counted',
      of: ({ scheduledDeliveries }) => scheduledDeliveries,
    },
  ],
}

export const integrationWork: BackgroundWork = {
  name: 'integrations',
  jobs: ({ database, log }) => [
    {
      name: 'maintain delivery partitions',
      everyMs: housekeepingMs,
      isHousekeeping: true,
      run: () => maintainDeliveryPartitions(database, log),
    },
  ],
  mailKinds: [...webhookMailKinds, scopeRequestMail],
  totals: [webhookBacklog],
  // applications with a webhook receive RESYNC (API-46)
  afterRestore: announceRestore,
}
