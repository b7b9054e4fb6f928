import { limits } from '#contract/limits.ts'
import type { ChangeEventName } from '#contract/people-events.ts'
import type { Db, Tx } from '#platform/data/db.ts'
import { later } from '#platform/data/later.ts'
import { crossTenantSql, sql } from '#platform/data/statement.ts'
import { firstId } from '#platform/ids.ts'
import { insertMailsFrom } from '#platform/jobs/mail-queue.sql.ts'
import { dueSql } from '../due.sql.ts'
import { webhookMailNames } from '../mails/webhook-mail.sql.ts'
import { holdLayout } from '../shards/shard.sql.ts'
import { shardOf } from '../shards/shard.ts'
import type { WebhookFields } from './endpoint.rules.ts'

const upsert = sql<
  never,
  {
    applicationId: string
    shard: number
    url: string
    events: readonly string[]
    maxPerSecond: number | null
    isOrdered: boolean
    hasStandardHeaders: boolean
  }
>(`
  insert into webhook_endpoint as e
    (organization_id, application_id, shard, url, events, status, max_per_second, is_ordered,
     has_standard_headers)
  values ($organization, $applicationId, $shard, $url, $events, 'ACTIVE', $maxPerSecond, $isOrdered, $hasStandardHeaders)
  on conflict (organization_id, application_id) do update
    set url = excluded.url, events = excluded.events, max_per_second = excluded.max_per_second,
      is_ordered = excluded.is_ordered, has_standard_headers = excluded.has_standard_headers, updated_at = now()
    where e.organization_id = $organization`)

/** Writes the fields that a person sets. Status and health do not change. */
export async function setWebhookFields(tx: Tx, applicationId: string, fields: WebhookFields): Promise<void> {
  const { shard_count } = await holdLayout(tx)
  const { url, events, max_per_second, is_ordered, has_standard_headers } = fields
  await tx.run(upsert, {
    applicationId,
    shard: shardOf(applicationId, shard_count),
    url,
    events,
    maxPerSecond: max_per_second,
    isOrdered: is_ordered,
    hasStandardHeaders: has_standard_headers,
  })
}

const remove = sql<never, { applicationId: string }>(
  'delete from webhook_endpoint e where e.organization_id = $organization and e.application_id = $applicationId',
)

/** Deletes a webhook with its secrets. The dispatcher cancels its due deliveries. */
export async function deleteWebhook(tx: Tx, applicationId: string): Promise<void> {
  await tx.run(remove, { applicationId })
}

const pause = sql<never, { applicationId: string }>(`
  update webhook_endpoint e set status = 'HELD', paused_reason = 'PERSON', paused_at = now(), updated_at = now()
  where e.organization_id = $organization and e.application_id = $applicationId`)
const resume = sql<never, { applicationId: string }>(`
  update webhook_endpoint e set status = 'ACTIVE', paused_reason = null, paused_at = null, updated_at = now(),
    failing_since = null, failed_in_row = 0, gone_at = null
  where e.organization_id = $organization and e.application_id = $applicationId`)

export async function setPaused(tx: Tx, applicationId: string): Promise<void> {
  await tx.run(pause, { applicationId })
}

/** Resumes a webhook and resets its failure counts. */
export async function setResumed(tx: Tx, applicationId: string): Promise<void> {
  await tx.run(resume, { applicationId })
}

// webhook_new_range and webhook_due are not tenant tables: organization_key names the organization. Index webhook_due_load
const countWaiting = sql<{ n: number; oldest: string | null }, { shard: number; applicationId: string }>(`
  select count(*) as n, min(t.due_at) as oldest from (
    ${dueSql(
      '$applicationId',
      `d.shard = $shard order by d.due_at, d.delivery_id limit ${limits.webhookCounted}`,
      `f.shard = $shard order by f.first_id limit ${limits.webhookCounted}`,
    )}
    limit ${limits.webhookCounted}) t`)
const countSince = sql<{ delivered: number; failed: number }, { applicationId: string; from: string }>(`
  select count(*) filter (where w.status = 'DELIVERED') as delivered,
    count(*) filter (where w.status = 'FAILED') as failed
  from (
    select w.status from webhook_delivery w
    where w.organization_id = $organization and w.application_id = $applicationId and w.id >= $from
    order by w.id desc limit ${limits.webhookCounted}) w`)

export type FailureRow = {
  id: string
  event: string
  outcome: string | null
  last_status: number | null
  finished_at: string | null
}
const selectLastFailure = sql<FailureRow, { applicationId: string }>(`
  select w.id, w.event, w.outcome, w.last_status, w.finished_at from webhook_delivery w
  where w.organization_id = $organization and w.application_id = $applicationId and w.problem = 'FAILED'
  order by w.id desc limit 1`)

/** Counts waiting deliveries and the results of the last day, and finds the last failure. */
export async function readCounts(db: Db, applicationId: string, shard: number, nowMs: number) {
  const dayAgo = firstId(nowMs - 86_400_000)
  const [waiting, ended, lastFailure] = await Promise.all([
    db.one(countWaiting, { shard, applicationId }),
    db.one(countSince, { applicationId, from: dayAgo }),
    db.first(selectLastFailure, { applicationId }),
  ])
  return { waiting, ended, lastFailure }
}

/** The results of an endpoint since the last write, at most once a second. */
export type HealthRow = {
  organizationId: string
  applicationId: string
  hasDelivered: boolean
  /** Since the last success. */
  failedAttempts: number
  failedDeliveries: number
  isGone: boolean
  auditId: string
  eventId: string
}
// the new values of the columns, as expressions that a waiting update evaluates again
const failingSince = `case when h."failedAttempts" = 0 then case when h."hasDelivered" then null else e.failing_since end
  when h."hasDelivered" then now() else coalesce(e.failing_since, now()) end`
const failedInRow = `case when h."hasDelivered" then 0 else e.failed_in_row end + h."failedDeliveries"`
// the first delivery since the webhook was paused for failing
const isRecovery = `h."hasDelivered" and e.status = 'ACTIVE'
  and e.paused_for_failing_at > coalesce(e.recovered_at, '-infinity')`
const nowText = `to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
const isPauseDue = `e.status = 'ACTIVE' and ${failedInRow} >= $holdDeliveries and now() >= ${later(`(${failingSince})`, 'make_interval(mins => $holdMinutes)')}`

// the first failure of a row, and each time the row has doubled, so that an endpoint that keeps failing costs little
const hasDoubled = `h."failedDeliveries" > 0 and (e.failed_in_row = h."failedDeliveries"
         or floor(log(2, e.failed_in_row)) > floor(log(2, e.failed_in_row - h."failedDeliveries")))`

const endpointChanged = 'webhook-endpoint.changed' satisfies ChangeEventName
const deliveryFailed = 'delivery.failed' satisfies ChangeEventName

/**
 * Writes the health of endpoints and pauses those that failed for too long. The audit log of their organization records
 * a pause as `operation`. Queues a mail for each pause and for the first delivery after one. People receive one event for
 * each endpoint that is paused or has recovered, and for the 1st, 2nd, 4th, 8th … delivery in a row that failed for good
 * (PEO-9).
 */
export const updateHealth = crossTenantSql<
  { application_id: string; is_paused: boolean; event: ChangeEventName | null },
  { rows: string; holdDeliveries: number; holdMinutes: number; operation: string }
>(
  'a dispatcher sends for all organizations whose shards it leases',
  `with noted as (
     update webhook_endpoint e set failing_since = ${failingSince}, failed_in_row = ${failedInRow},
       gone_at = case when h."isGone" then now() when h."hasDelivered" then null else e.gone_at end,
       last_delivered_at = case when h."hasDelivered" then now() else e.last_delivered_at end,
       status = case when ${isPauseDue} then 'HELD' else e.status end,
       paused_reason = case when ${isPauseDue} then 'FAILING' else e.paused_reason end,
       paused_at = case when ${isPauseDue} then now() else e.paused_at end,
       paused_for_failing_at = case when ${isPauseDue} then now() else e.paused_for_failing_at end,
       recovered_at = case when ${isRecovery} then now() else e.recovered_at end
     from json_to_recordset($rows::json) as h(
       "organizationId" text, "applicationId" text, "hasDelivered" boolean, "failedAttempts" integer,
       "failedDeliveries" integer, "isGone" boolean, "auditId" text, "eventId" text)
     where e.organization_id = h."organizationId" and e.application_id = h."applicationId"
     returning e.organization_id, e.application_id, h."auditId", h."eventId", ${hasDoubled} as has_failed,
       e.status = 'HELD' and e.paused_reason = 'FAILING' and e.paused_at = now()::timestamptz(3) as is_paused,
       e.recovered_at is not distinct from now()::timestamptz(3) as is_recovered
   ), updated as (
     select *, case when is_paused or is_recovered then '${endpointChanged}'
       when has_failed then '${deliveryFailed}' end as event from noted
   ), announced as (
     insert into outbox (organization_id, id, events, audit)
     select n.organization_id, n."auditId", jsonb_build_array(jsonb_build_object('id', n."eventId",
         'name', n.event, 'actorId', null, 'data', jsonb_build_object('ids', jsonb_build_array(n.application_id)))),
       case when n.is_paused then jsonb_build_object('actorId', null, 'auth', 'system', 'ip', '',
         'client', '', 'requestId', '', 'operation', $operation::text, 'subject', n.application_id, 'changed',
           '["status"]'::jsonb) end
     from updated n where n.event is not null
   ), mails as (
     ${insertMailsFrom(`
     select n.organization_id, n."auditId" as id,
       case when n.is_paused then '${webhookMailNames.paused}' else '${webhookMailNames.recovered}' end as kind,
       jsonb_build_object('applicationId', n.application_id, 'at', ${nowText}) as data
     from noted n where n.is_paused or n.is_recovered`)}
   )
   select application_id, is_paused, event from updated`,
)
