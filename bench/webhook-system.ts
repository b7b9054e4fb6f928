import { setTimeout as sleep } from 'node:timers/promises'
import { openSignal, type Signal } from '#platform/events/signal.ts'
import { newId } from '#platform/ids.ts'
import { openLog } from '#platform/log.ts'
import { openCipher } from '#platform/security/cipher.ts'
import { secretPurpose } from '#server/integrations/webhooks/engine.ts'
import { fewestShards, shardOf } from '#server/integrations/webhooks/shards/shard.ts'
import { inTurn, itemAt } from '#tests/support/elements.ts'
import { bounds } from './claims.ts'
import type { BenchEnvironment } from './environment.ts'
import { secrets } from './people.ts'
import { type Child, start } from './processes.ts'
import type { ReceivedWebhooks } from './receiver.ts'

export const endpoints = 100
export const text = {
  message: 'A notice of the usual length, as an event with some ids in it is. '.repeat(3),
}

/** Applications of one organization whose webhooks are paths of one receiver. */
export type WebhookSystem = {
  stage: BenchEnvironment
  organizationId: string
  applicationIds: string[]
  receiver: Child
  port: number
  signal: Signal
}

export async function openWebhookSystem(
  stage: BenchEnvironment,
  name: string,
  applications = endpoints,
  path = '',
): Promise<WebhookSystem> {
  const receiver = start('bench/receiver.ts', [], {})
  const port = await receiver.ask<number>('listen')
  const { id: organizationId, owner } = await stage.organization(name, 0, 1)
  const applicationIds = Array.from({ length: applications }, newId)
  const sealed = openCipher([secrets.SIGN_IN_SECRET]).hide(secretPurpose, 'whsec_bench')
  await stage.sql.query(
    `with g as (select * from unnest($2::text[], $3::smallint[], $4::text[]) g (id, shard, url)),
     a as (insert into application (organization_id, id, slug, name, principal_id, status) select $1, id, id, id, $5, 'ACTIVE' from g),
     e as (insert into webhook_endpoint (organization_id, application_id, shard, url, events, status)
       select $1, id, shard, url, '{}', 'ACTIVE' from g)
     insert into webhook_secret (organization_id, application_id, id, sealed, state) select $1, id, id, $6, 'CURRENT' from g`,
    [
      organizationId,
      applicationIds,
      applicationIds.map(id => shardOf(id, fewestShards)),
      applicationIds.map((_, at) => `http://127.0.0.1:${port}${path}/${at}`),
      owner.id,
      sealed,
    ],
  )
  const signal = await openSignal({ url: stage.env.DATABASE_URL, log: openLog('warn', 'bench') })
  return { stage, organizationId, applicationIds, receiver, port, signal }
}

export async function closeWebhookSystem({
  receiver,
  signal,
  stage,
  organizationId,
}: WebhookSystem): Promise<void> {
  await stage.sql.query(`update webhook_endpoint set status = 'HELD' where organization_id = $1`, [
    organizationId,
  ])
  await signal.close()
  await receiver.stop()
}

/** Writes events as business transactions do, one for an application each, in one commit. */
export async function announce(
  { organizationId, stage }: WebhookSystem,
  count: number,
  to: (n: number) => string,
) {
  const client = await stage.sql.connect()
  await client.query('begin')
  for (let from = 0; from < count; from += 2_000) {
    const ns = Array.from({ length: Math.min(2_000, count - from) }, (_, at) => from + at)
    await client.query(
      `insert into outbox (organization_id, id, events) select $1, id, jsonb_build_array(jsonb_build_object(
         'id', id, 'name', 'WEBHOOK_TEST', 'actorId', null, 'data', $4::jsonb, 'about', jsonb_build_object('applicationId', app)))
       from unnest($2::text[], $3::text[]) g (id, app)`,
      [organizationId, ns.map(newId), ns.map(to), JSON.stringify(text)],
    )
  }
  await client.query('commit')
  client.release()
}

/** True while something is not recorded. */
export async function isWaiting({ sql }: BenchEnvironment): Promise<boolean> {
  const { rows } = await sql.query('select from webhook_due union all select from webhook_new_range limit 1')
  return rows.length > 0
}

/** Deliveries per second from the commit of the last event until the last response is recorded. */
export async function drain(webhookSystem: WebhookSystem, count: number): Promise<number> {
  const { applicationIds, receiver, stage } = webhookSystem
  await receiver.ask('reset')
  await announce(webhookSystem, count, n => itemAt(applicationIds, n % endpoints))
  const startedAt = performance.now()
  webhookSystem.signal.changed()
  await receiver.ask('until', count)
  while (await isWaiting(stage)) await sleep(20)
  return count / ((performance.now() - startedAt) / 1000)
}

/** Events at a steady pace, except for the first `without` applications. */
export async function pace(
  webhookSystem: WebhookSystem,
  seconds: number,
  without = 0,
): Promise<ReceivedWebhooks> {
  const { applicationIds, receiver } = webhookSystem
  const receiving = applicationIds.slice(without)
  const each = bounds.webhooksPerSecond / 100
  const rounds = seconds * 100
  await receiver.ask('reset')
  const startedAt = performance.now()
  let n = 0
  const announcements: Promise<unknown>[] = []
  for (let round = 0; round < rounds; round++) {
    await sleep(Math.max(0, startedAt + round * 10 - performance.now()))
    const announced = announce(webhookSystem, each, () => inTurn(receiving, n++))
    announcements.push(announced.then(webhookSystem.signal.changed))
  }
  await Promise.all(announcements)
  return receiver.ask<ReceivedWebhooks>('until', rounds * each)
}
