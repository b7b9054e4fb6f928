import { setTimeout as sleep } from 'node:timers/promises'
import { itemAt } from '#tests/support/elements.ts'
import type { Loop } from '../bare-webhooks.ts'
import type { Jobs } from '../bullmq.ts'
import { bounds } from '../claims.ts'
import type { BenchEnvironment } from '../environment.ts'
import { start } from '../processes.ts'
import type { ReceivedWebhooks } from '../receiver.ts'
import { startRedis } from '../redis.ts'
import { type Figure, say } from '../report.ts'
import { inOrder } from '../rounds.ts'
import { median, short, spread } from '../statistics.ts'
import {
  announce,
  closeWebhookSystem,
  drain,
  endpoints,
  isWaiting,
  openWebhookSystem,
  pace,
  text,
  type WebhookSystem,
} from '../webhook-system.ts'

const concurrency = 128
const peerConcurrency = 50
const waitingForHung = 20_000
const pacesOfTurn = 5

/**
 * Deliveries from the event to the recorded response, beside a loop that signs and posts and beside BullMQ;
 * then their latency.
 */
export async function webhooks(environment: BenchEnvironment): Promise<Figure[]> {
  const webhookSystem = await openWebhookSystem(environment, 'webhooks')
  const redis = await startRedis()
  if (typeof redis === 'string') say(`webhooks: BullMQ is skipped, ${redis}`)
  const loop = start('bench/bare-webhooks.ts', [], {})
  const peer = start('bench/bullmq.ts', [], {})
  const body = JSON.stringify({
    event: 'WEBHOOK_TEST',
    timestamp: new Date(0).toISOString(),
    data: text,
    meta: {},
  })
  const count = Math.round(environment.size.seconds * 8_000)
  const given: Loop = { port: webhookSystem.port, endpoints, count, concurrency, body }
  const ours: number[] = []
  const theirs: number[] = []
  const peers: number[] = []
  const sides = [
    async () => void ours.push(await drain(webhookSystem, count)),
    // several times as fast, so a turn of the same length needs more of them
    async () => void theirs.push(await loop.ask<number>('run', { ...given, count: 3 * count })),
  ]
  if (typeof redis !== 'string') {
    const jobs: Jobs = { ...given, concurrency: peerConcurrency, redisPort: redis.port }
    sides.push(async () => void peers.push(await peer.ask<number>('run', jobs)))
  }
  for (let round = 0; round <= environment.size.rounds; round++) {
    for (const side of inOrder(sides, round)) {
      await sleep(200)
      await side()
    }
  }
  await Promise.all([loop.stop(), peer.stop()])
  if (typeof redis !== 'string') await redis.stop()
  const paced: ReceivedWebhooks[] = []
  for (let round = 0; round <= Math.min(4, environment.size.rounds); round++)
    paced.push(await pace(webhookSystem, environment.size.seconds * 2))
  await closeWebhookSystem(webhookSystem)
  const of = (pick: (one: ReceivedWebhooks) => number) => short(median(paced.slice(1).map(pick)))
  const over = (others: readonly number[]) =>
    spread(ours.slice(1).map((rate, at) => rate / (others[at + 1] ?? Number.NaN)))
  const rate = (name: string, all: readonly number[]) => `${name} ${short(median(all.slice(1)))} notices/s`
  return [
    { name: 'webhooks', value: over(theirs), raw: [rate('product', ours), rate('loop', theirs)] },
    ...(peers.length === 0
      ? []
      : [{ name: 'webhooks-bullmq', value: over(peers), raw: [rate('BullMQ', peers)] }]),
    {
      name: 'webhooks-soon',
      value: spread(paced.slice(1).map(({ p99Ms }) => p99Ms / bounds.webhookMs)),
      raw: [`from commit to arrival: p50 ${of(one => one.p50Ms)} ms, p99 ${of(one => one.p99Ms)} ms`],
    },
  ]
}

/**
 * The latency of deliveries to 99 endpoints while another one hangs with 20,000 waiting, beside the same
 * without it. The two take turns, each longer than a hanging request, so that other load affects both.
 */
export async function webhooksIsolated(environment: BenchEnvironment): Promise<Figure[]> {
  const turns = environment.size.rounds > 3 ? 3 : 1
  const webhookSystem = await openWebhookSystem(environment, 'isolated', endpoints - 1 + turns)
  const measure = () => pace(webhookSystem, environment.size.seconds, turns)
  await measure()
  const alone: ReceivedWebhooks[] = []
  const beside: ReceivedWebhooks[] = []
  let accepted = 0
  for (let turn = 0; turn < turns; turn++) {
    const hung = itemAt(webhookSystem.applicationIds, turn)
    const sides = [
      async () => {
        for (let n = 0; n < pacesOfTurn; n++) alone.push(await measure())
      },
      async () => {
        await hang(webhookSystem, hung)
        for (let n = 0; n < pacesOfTurn; n++) beside.push(await measure())
        accepted = (await webhookSystem.receiver.ask<{ hung: number }>('report')).hung
        await letGo(webhookSystem, hung)
      },
    ]
    for (const side of inOrder(sides, turn)) await side()
  }
  await closeWebhookSystem(webhookSystem)
  const p50 = (all: ReceivedWebhooks[]) => short(median(all.map(({ p50Ms }) => p50Ms)))
  const p99 = (all: ReceivedWebhooks[]) => median(all.map(({ p99Ms }) => p99Ms))
  const each = (all: ReceivedWebhooks[]) => all.map(({ p99Ms }) => short(p99Ms)).join(' ')
  const line = (all: ReceivedWebhooks[]) => `p50 ${p50(all)} ms, p99 ${short(p99(all))} ms (${each(all)})`
  return [
    {
      name: 'webhooks-isolated',
      value: spread(beside.map(one => one.p99Ms / p99(alone))),
      raw: [`without it ${line(alone)}`, `beside it ${line(beside)}; it had accepted ${accepted} requests`],
    },
  ]
}

/** Makes an endpoint hang, with that many waiting. */
async function hang(webhookSystem: WebhookSystem, applicationId: string): Promise<void> {
  const { port, signal, stage: environment } = webhookSystem
  await environment.sql.query('update webhook_endpoint set url = $2 where application_id = $1', [
    applicationId,
    `http://127.0.0.1:${port}/hang`,
  ])
  await sleep(1_000)
  await announce(webhookSystem, waitingForHung, () => applicationId)
  signal.changed()
  await environment.settled()
  await sleep(2_000)
}

/** Deletes its waiting deliveries, and ends its requests. */
async function letGo({ receiver, stage: environment }: WebhookSystem, applicationId: string): Promise<void> {
  await environment.sql.query('delete from webhook_endpoint where application_id = $1', [applicationId])
  while (await isWaiting(environment)) await sleep(50)
  await receiver.ask('release')
  await sleep(1_000)
}
