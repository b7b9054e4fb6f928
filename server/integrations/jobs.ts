import type { Database } from '#platform/data/database.ts'
import { housekeepingMs, type Job } from '#platform/jobs/job.ts'
import type { Log } from '#platform/log.ts'
import { maintainDeliveryPartitions } from './webhooks/retention/retention.sql.ts'

export { scopeRequestMail } from './critical-scopes/scope-request.mail.ts'
export { announceRestore } from './webhooks/announce-restore.ts'
export { registerAttemptMetrics } from './webhooks/dispatcher/results/attempt-metrics.ts'
export { openWebhookEngine } from './webhooks/engine.ts'
export { webhookMailKinds } from './webhooks/mails/mails.ts'
export { maintainDeliveryPartitions } from './webhooks/retention/retention.sql.ts'

export function integrationJobs({ database, log }: { database: Database; log: Log }): Job[] {
  return [
    {
      name: 'maintain delivery partitions',
      everyMs: housekeepingMs,
      isHousekeeping: true,
      run: () => maintainDeliveryPartitions(database, log),
    },
  ]
}
