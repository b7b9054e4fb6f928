import type { heldReasons, webhookStatuses } from '#contract/integrations/webhook.ts'
import type { Db, Tx } from '#platform/data/db.ts'
import { sql } from '#platform/data/statement.ts'
import { fail } from '#platform/fail.ts'
import {
  type ApplicationRow,
  applicationFor,
  lockApplication,
} from '../../applications/application.access.ts'
import { holdLayout } from '../shards/shard.sql.ts'

/** The row of a webhook. */
export type WebhookRow = {
  shard: number
  url: string
  events: string[]
  status: (typeof webhookStatuses)[number]
  paused_reason: (typeof heldReasons)[number] | null
  paused_at: string | null
  max_per_second: number | null
  is_ordered: boolean
  has_standard_headers: boolean
  updated_at: string
  failing_since: string | null
  failed_in_row: number
  gone_at: string | null
  last_delivered_at: string | null
}
export type ApplicationWebhook = { application: ApplicationRow; webhook: WebhookRow }

const selectWebhook = sql<WebhookRow, { applicationId: string }>(`
  select e.shard, e.url, e.events, e.status, e.paused_reason, e.paused_at, e.max_per_second, e.is_ordered,
    e.has_standard_headers, e.updated_at, e.failing_since, e.failed_in_row, e.gone_at, e.last_delivered_at
  from webhook_endpoint e where e.organization_id = $organization and e.application_id = $applicationId`)

/** The webhook of an application, if it has one. */
export function findWebhook(db: Db, applicationId: string): Promise<WebhookRow | undefined> {
  return db.first(selectWebhook, { applicationId })
}

/** An application with its webhook. Refuses APPLICATION_NOT_FOUND, and WEBHOOK_NOT_FOUND when it has none. */
export async function webhookFor(db: Db, applicationId: string): Promise<ApplicationWebhook> {
  const [application, webhook] = await Promise.all([
    applicationFor(db, applicationId),
    findWebhook(db, applicationId),
  ])
  return { application, webhook: webhook ?? fail('WEBHOOK_NOT_FOUND') }
}

/** Like webhookFor, but locks the application until the transaction ends, and keeps its shard from being split. */
export async function lockWebhook(tx: Tx, applicationId: string): Promise<ApplicationWebhook> {
  const [application, , webhook] = await tx.inOrder(
    () => lockApplication(tx, applicationId),
    () => holdLayout(tx),
    () => findWebhook(tx, applicationId),
  )
  return { application, webhook: webhook ?? fail('WEBHOOK_NOT_FOUND') }
}

/** Refuses WEBHOOK_HELD unless deliveries are sent now. */
export function assertSends({ application, webhook }: ApplicationWebhook): void {
  if (application.status !== 'ACTIVE' || webhook.status !== 'ACTIVE') fail('WEBHOOK_HELD')
}
