import type { Webhook } from '#contract/integrations/webhook.ts'
import type { WebhookRow } from './endpoint.access.ts'

export function showWebhook(row: WebhookRow): Webhook {
  return {
    url: row.url,
    events: row.events,
    maxPerSecond: row.max_per_second,
    ordered: row.is_ordered,
    standardHeaders: row.has_standard_headers,
    status: row.status,
    heldReason: row.paused_reason,
    heldAt: row.paused_at,
    updatedAt: row.updated_at,
  }
}
