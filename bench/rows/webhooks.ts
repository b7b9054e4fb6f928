import { setTimeout as sleep } from 'node:timers/promises'
import { openCipher } from '#platform/cipher.ts'
import { newId } from '#platform/ids.ts'
import { openLog } from '#platform/log.ts'
import { openSignal, type Signal } from '#platform/relay/signal.ts'
import { secretPurpose } from '#server/integrations/webhooks/engine.ts'
import { shardOf } from '#server/integrations/webhooks/shard.ts'
import type { Loop } from '../bare-webhooks.ts'
import { bounds } from '../claims.ts'
import { secrets } from '../people.ts'
import { type Child, start } from '../processes.ts'
import type { Received } from '../receiver.ts'
import type { Figure } from '../report.ts'
import { inOrder } from '../rounds.ts'
import type { Stage } from '../stage.ts'
import { median, short, spread } from '../statistics.ts'

const endpoints = 100
const concurrency = 128
const waitingForHung = 20_000
const text = { message: 'A notice of the usual length, as an event with some ids in it is. '.repeat(3) }

type House = {
  stage: Stage
  organizationId: string
  applicationIds: string[]
  receiver: Child
  port: number
  signal: Signal
}

/** Notices from the event to the recorded answer, beside a loop that signs and posts; then how soon they go. */
export async function webhooks(stage: Stage): Promise<Figure[]> {
  const house = await openHouse(stage, 'webhooks')
  const loop = start('bench/bare-webhooks.ts', [], {})
  const body = JSON.stringify({
    event: 'WEBHOOK_TEST',
    timestamp: new Date(0).toISOString(),
    data: text,
    meta: {},
  })
  const count = Math.round(stage.size.seconds * 8_000)
  const given: Loop = { port: house.port, endpoints, count, concurrency, body }
  const ours: number[] = []
  const theirs: number[] = []
  const sides = [
    async () => void ours.push(await drain(house, count)),
    async () => void theirs.push(await loop.ask<number>('run', given)),
  ]
  for (let round = 0; round <= stage.size.rounds; round++) {
    for (const at of inOrder(sides, round)) {
      await sleep(200)
      await sides[at]!()
    }
  }
  await loop.stop()
  const paced: Received[] = []
  for (let round = 0; round <= Math.min(4, stage.size.rounds); round++)
    paced.push(await pace(house, stage.size.seconds * 2))
  await closeHouse(house)
  const of = (pick: (one: Received) => number) => short(median(paced.slice(1).map(pick)))
  return [
    {
      name: 'webhooks',
      value: spread(ours.slice(1).map((rate, at) => rate / theirs[at + 1]!)),
      raw: [
        `product ${short(median(ours.slice(1)))} notices/s`,
        `loop ${short(median(theirs.slice(1)))} notices/s`,
      ],
    },
    {
      name: 'webhooks-soon',
      value: spread(paced.slice(1).map(({ p99Ms }) => p99Ms / bounds.webhookMs)),
      raw: [`from commit to arrival: p50 ${of(one => one.p50Ms)} ms, p99 ${of(one => one.p99Ms)} ms`],
    },
  ]
}

/** How soon notices go to 99 endpoints while the hundredth hangs with 20,000 waiting, beside the same before and after. */
export async function webhooksIsolated(stage: Stage): Promise<Figure[]> {
  const house = await openHouse(stage, 'isolated')
  const [hung = ''] = house.applicationIds
  const rounds = Math.min(3, stage.size.rounds)
  const measure = async (times: number) => {
    const all: Received[] = []
    for (let round = 0; round < times; round++) all.push(await pace(house, stage.size.seconds * 2, 1))
    return all
  }
  await measure(1)
  const before = await measure(rounds)
  await stage.sql.query('update webhook_endpoint set url = $2 where application_id = $1', [
    hung,
    `http://127.0.0.1:${house.port}/hang`,
  ])
  await sleep(1_000)
  await announce(house, waitingForHung, () => hung)
  house.signal.changed()
  await stage.settled()
  await sleep(2_000)
  const beside = await measure(rounds)
  const told = await house.receiver.ask<{ hung: number }>('told')
  await stage.sql.query('delete from webhook_endpoint where application_id = $1', [hung])
  while ((await stage.sql.query('select 1 from webhook_due limit 1')).rows.length > 0) await sleep(50)
  const alone = [...before, ...(await measure(rounds))]
  await closeHouse(house)
  const p50 = (all: Received[]) => short(median(all.map(({ p50Ms }) => p50Ms)))
  const p99 = (all: Received[]) => median(all.map(({ p99Ms }) => p99Ms))
  const line = (all: Received[]) => `p50 ${p50(all)} ms, p99 ${short(p99(all))} ms`
  return [
    {
      name: 'webhooks-isolated',
      value: spread(beside.map(one => one.p99Ms / p99(alone))),
      raw: [`without it ${line(alone)}`, `beside it ${line(beside)}; it had taken ${told.hung} requests`],
    },
  ]
}

async function openHouse(stage: Stage, name: string): Promise<House> {
  const receiver = start('bench/receiver.ts', [], {})
  const port = await receiver.ask<number>('listen')
  const { id: organizationId, people } = await stage.organization(name, 0, 1)
  const applicationIds = Array.from({ length: endpoints }, newId)
  const sealed = openCipher([secrets.SIGN_IN_SECRET]).hide(secretPurpose, 'whsec_bench')
  await stage.sql.query(
    `with g as (select * from unnest($2::text[], $3::smallint[], $4::text[]) g (id, shard, url)),
     a as (insert into application (organization_id, id, slug, name, principal_id, status) select $1, id, id, id, $5, 'ACTIVE' from g),
     e as (insert into webhook_endpoint (organization_id, application_id, shard, url, events, status)
       select $1, id, shard, url, '{}', 'ACTIVE' from g)
     insert into webhook_secret (organization_id, application_id, id, sealed, state) select $1, id, id, $6, 'CURRENT' from g`,
    [
      ...[organizationId, applicationIds, applicationIds.map(shardOf)],
      ...[applicationIds.map((_, at) => `http://127.0.0.1:${port}/${at}`), people[0]!.id, sealed],
    ],
  )
  const signal = await openSignal({ url: stage.env.DATABASE_URL!, log: openLog('warn', 'bench') })
  return { stage, organizationId, applicationIds, receiver, port, signal }
}

async function closeHouse({ receiver, signal, stage, organizationId }: House): Promise<void> {
  await stage.sql.query(`update webhook_endpoint set status = 'HELD' where organization_id = $1`, [
    organizationId,
  ])
  await signal.close()
  await receiver.stop()
}

/** Says so many events as business transactions say them, one for an application each; all in one commit. */
async function announce({ organizationId, stage }: House, count: number, to: (n: number) => string) {
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

/** Notices per second from the commit of the last event until the last answer is recorded. */
async function drain(house: House, count: number): Promise<number> {
  const { applicationIds, receiver, stage } = house
  await receiver.ask('reset')
  await announce(house, count, n => applicationIds[n % endpoints]!)
  const startedAt = performance.now()
  house.signal.changed()
  await receiver.ask('until', count)
  while ((await stage.sql.query('select 1 from webhook_due limit 1')).rows.length > 0) await sleep(20)
  return count / ((performance.now() - startedAt) / 1000)
}

/** Events at a steady pace, but for the first `without` applications. */
async function pace(house: House, seconds: number, without = 0): Promise<Received> {
  const { applicationIds, receiver } = house
  const each = bounds.webhooksPerSecond / 100
  const rounds = seconds * 100
  await receiver.ask('reset')
  const startedAt = performance.now()
  let n = 0
  const saying: Promise<unknown>[] = []
  for (let round = 0; round < rounds; round++) {
    await sleep(Math.max(0, startedAt + round * 10 - performance.now()))
    const said = announce(house, each, () => applicationIds[without + (n++ % (endpoints - without))]!)
    saying.push(said.then(house.signal.changed))
  }
  await Promise.all(saying)
  return receiver.ask<Received>('until', rounds * each)
}
