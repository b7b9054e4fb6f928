import { setTimeout as sleep } from 'node:timers/promises'
import { bounds } from '../claims.ts'
import type { BenchEnvironment } from '../environment.ts'
import type { ReceivedWebhooks } from '../receiver.ts'
import type { Figure } from '../report.ts'
import { median, short, spread } from '../statistics.ts'
import { closeWebhookSystem, drain, openWebhookSystem, pace } from '../webhook-system.ts'

const heldSeconds = 60

/**
 * The delay of retries: deliveries that are refused twice, at a normal rate, and are retried after 5 and 10
 * s.
 */
export async function webhooksLate(environment: BenchEnvironment): Promise<Figure[]> {
  const webhookSystem = await openWebhookSystem(environment, 'late', undefined, '/again')
  const all: ReceivedWebhooks[] = []
  for (let round = 0; round < Math.min(3, environment.size.rounds); round++) {
    await pace(webhookSystem, environment.size.seconds)
    all.push(await webhookSystem.receiver.ask<ReceivedWebhooks>('retried'))
  }
  const report = await webhookSystem.receiver.ask<{ early: number }>('report')
  await closeWebhookSystem(webhookSystem)
  const of = (pick: (one: ReceivedWebhooks) => number) => short(median(all.map(pick)))
  return [
    {
      name: 'webhooks-late',
      value: spread(all.map(({ p99Ms }) => p99Ms / bounds.webhookLateMs)),
      raw: [
        `after the time: p50 ${of(one => one.p50Ms)} ms, p99 ${of(one => one.p99Ms)} ms, the latest ${of(one => one.mostMs)} ms; before it: ${report.early}`,
      ],
    },
  ]
}

/** The normal rate at the end of a minute in which another transaction prevented vacuuming. */
export async function webhooksHeld(environment: BenchEnvironment): Promise<Figure[]> {
  const webhookSystem = await openWebhookSystem(environment, 'held')
  const count = Math.round(environment.size.seconds * 8_000)
  await drain(webhookSystem, count)
  const before = await drain(webhookSystem, count)
  const holder = await environment.sql.connect()
  await holder.query(
    'set idle_in_transaction_session_timeout = 0; begin isolation level repeatable read; select count(*) from webhook_due',
  )
  const until = performance.now() + (environment.size.rounds > 3 ? heldSeconds * 1000 : 0)
  const paced: ReceivedWebhooks[] = []
  do paced.push(await pace(webhookSystem, environment.size.seconds * 2))
  while (performance.now() < until)
  const after = await drain(webhookSystem, count)
  await holder.query('rollback')
  // with its setting
  holder.release(true)
  await sleep(200)
  await closeWebhookSystem(webhookSystem)
  const last = paced.slice(-3)
  return [
    {
      name: 'webhooks-held',
      value: spread(last.map(({ p99Ms }) => p99Ms / bounds.webhookMs)),
      raw: [`p99 ${last.map(({ p99Ms }) => short(p99Ms)).join(', ')} ms`],
    },
    {
      name: 'webhooks-held-drain',
      value: spread([after / before]),
      raw: [`${short(before)} notices/s before, ${short(after)} at the end`],
    },
  ]
}
