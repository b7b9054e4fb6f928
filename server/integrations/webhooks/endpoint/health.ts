import { readWebhookHealth } from '#contract/integrations/webhook.ts'
import { nowMs } from '#platform/clock.ts'
import { query } from '#platform/http/operation.ts'
import { webhookFor } from './endpoint.access.ts'
import { readCounts } from './endpoint.sql.ts'

/** The health of a webhook, from the dispatcher and its deliveries. */
export const health = query(readWebhookHealth, async ({ db, params: { id } }) => {
  const { webhook } = await webhookFor(db, id)
  const { waiting, ended, lastFailure } = await readCounts(db, id, webhook.shard, nowMs())
  return {
    status: webhook.status,
    heldReason: webhook.paused_reason,
    heldAt: webhook.paused_at,
    lastDeliveredAt: webhook.last_delivered_at,
    failingSince: webhook.failing_since,
    failedInRow: webhook.failed_in_row,
    goneAt: webhook.gone_at,
    waiting: waiting.n,
    oldestDueAt: waiting.oldest,
    last24Hours: ended,
    lastFailure: lastFailure
      ? {
          deliveryId: lastFailure.id,
          event: lastFailure.event,
          outcome: lastFailure.outcome,
          status: lastFailure.last_status,
          finishedAt: lastFailure.finished_at,
        }
      : null,
  }
})
