import { setTimeout as sleep } from 'node:timers/promises'
import { bounds } from '../claims.ts'
import type { Received } from '../receiver.ts'
import type { Figure } from '../report.ts'
import type { Stage } from '../stage.ts'
import { median, short, spread } from '../statistics.ts'
import { closeHouse, drain, openHouse, pace } from '../webhook-house.ts'

const heldSeconds = 60

/** How late retries are: notices that are refused twice, at the usual pace, and come again after 5 and 10 s. */
export async function webhooksLate(stage: Stage): Promise<Figure[]> {
  const house = await openHouse(stage, 'late', undefined, '/again')
  const all: Received[] = []
  for (let round = 0; round < Math.min(3, stage.size.rounds); round++) {
    await pace(house, stage.size.seconds)
    all.push(await house.receiver.ask<Received>('retried'))
  }
  const told = await house.receiver.ask<{ early: number }>('told')
  await closeHouse(house)
  const of = (pick: (one: Received) => number) => short(median(all.map(pick)))
  return [
    {
      name: 'webhooks-late',
      value: spread(all.map(({ p99Ms }) => p99Ms / bounds.webhookLateMs)),
      raw: [
        `after the time: p50 ${of(one => one.p50Ms)} ms, p99 ${of(one => one.p99Ms)} ms, the latest ${of(one => one.mostMs)} ms; before it: ${told.early}`,
      ],
    },
  ]
}

/** The usual pace at the end of a minute in which a transaction elsewhere kept everything that was ever written. */
export async function webhooksHeld(stage: Stage): Promise<Figure[]> {
  const house = await openHouse(stage, 'held')
  const count = Math.round(stage.size.seconds * 8_000)
  await drain(house, count)
  const before = await drain(house, count)
  const holder = await stage.sql.connect()
  await holder.query(
    'set idle_in_transaction_session_timeout = 0; begin isolation level repeatable read; select count(*) from webhook_due',
  )
  const until = performance.now() + (stage.size.rounds > 3 ? heldSeconds * 1000 : 0)
  const paced: Received[] = []
  do paced.push(await pace(house, stage.size.seconds * 2))
  while (performance.now() < until)
  const after = await drain(house, count)
  await holder.query('rollback')
  // with its setting
  holder.release(true)
  await sleep(200)
  await closeHouse(house)
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
