import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { cap, type Dispatch, openDispatch } from '../support/integrations/dispatcher-harness.ts'
import type { WebhookStage } from '../support/integrations/webhook-harness.ts'
import { deliveriesOf, isWaiting } from '../support/integrations/webhooks.ts'
import { until } from '../support/processes.ts'
import { randomFrom } from '../support/random.ts'

// the long tests have a rolling restart and a database outage
vi.setConfig({ testTimeout: 180_000 })

let dispatch: Dispatch
let stage: WebhookStage
beforeEach(async () => {
  dispatch = await openDispatch()
  stage = dispatch.stage
})
afterEach(() => dispatch?.close())

it('kill -9 at any point: nothing is lost, at most five attempts are recorded, and only running deliveries may repeat', async () => {
  const random = randomFrom(20_261_121)
  stage.receiver.reacts((response, { deliveryId }) => {
    // every tenth delivery fails at first
    const isFirst = stage.receiver.notices.filter(one => one.deliveryId === deliveryId).length === 1
    const status = isFirst && deliveryId.charCodeAt(20) % 10 === 0 ? 503 : 204
    setTimeout(() => response.writeHead(status).end(), random() * 20)
  })
  await dispatch.fill(20, 150)
  let [one, other] = [dispatch.start(), dispatch.start()]
  let kills = 0
  while (kills < 6 && (await isWaiting(stage.sql))) {
    await sleep(400 + random() * 900)
    await dispatch.end(one, 'SIGKILL')
    kills++
    ;[one, other] = [other, dispatch.start()]
  }
  await stage.drained(60_000)
  const { rows, received, extra } = await dispatch.account()
  expect(kills).toBeGreaterThan(1)
  expect(rows).toHaveLength(3_000)
  expect(rows.filter(({ status }) => status !== 'DELIVERED')).toEqual([])
  expect(rows.filter(({ attempts, recorded }) => attempts !== recorded || recorded > 5)).toEqual([])
  expect(rows.filter(({ id }) => !received.has(id))).toEqual([])
  expect(extra).toBeGreaterThanOrEqual(0)
  expect(extra, 'sent and not recorded').toBeLessThanOrEqual(kills * cap * 2)
  process.stdout.write(`kill -9: ${kills} kills, ${extra} of ${rows.length} notices came once more\n`)
})

it('kill -9 at any point: an ordered endpoint gets its deliveries in order', async () => {
  const random = randomFrom(20_261_122)
  const delivered = new Set<string>()
  const early: string[] = []
  let ids: string[][] = []
  stage.receiver.reacts((response, { deliveryId, path }) => {
    const all = ids[Number(path.split('/')[1])]!
    early.push(...all.slice(0, all.indexOf(deliveryId)).filter(id => !delivered.has(id)))
    // two deliveries of each endpoint fail at first
    const isFirst = stage.receiver.notices.filter(one => one.deliveryId === deliveryId).length === 1
    const status = isFirst && (deliveryId === all[20] || deliveryId === all[60]) ? 503 : 204
    setTimeout(() => {
      if (status === 204) delivered.add(deliveryId)
      response.writeHead(status).end()
    }, random() * 60)
  })
  const endpoints = await dispatch.fill(6, 100, { ordered: true })
  ids = await Promise.all(endpoints.map(async to => (await deliveriesOf(stage.sql, to)).map(({ id }) => id)))
  let [one, other] = [dispatch.start(), dispatch.start()]
  let kills = 0
  while (kills < 8 && (await isWaiting(stage.sql))) {
    await sleep(400 + random() * 900)
    await dispatch.end(one, 'SIGKILL')
    kills++
    ;[one, other] = [other, dispatch.start()]
  }
  await stage.drained(90_000)
  const { rows, extra } = await dispatch.account()
  expect(kills).toBeGreaterThan(3)
  expect(early).toEqual([])
  expect(rows).toHaveLength(600)
  expect(rows.filter(({ status }) => status !== 'DELIVERED')).toEqual([])
  process.stdout.write(
    `kill -9, in order: ${kills} kills, ${extra} of ${rows.length} notices came once more\n`,
  )
})

it('an owner that was paused beyond its lease writes no results', async () => {
  stage.receiver.reacts((response, _notice) => void setTimeout(() => response.writeHead(204).end(), 400))
  const all = await dispatch.fill(8, 60)
  const first = dispatch.start()
  await stage.receiver.got(30)
  first.kill('SIGSTOP')
  const second = dispatch.start()
  const stopped = stage.receiver.notices.length
  await until('another one has taken over', () => stage.receiver.notices.length > stopped + 50, 20_000)
  first.kill('SIGCONT')
  await stage.drained(60_000)
  const { rows, received, extra } = await dispatch.account()
  expect(
    rows.every(
      ({ status, attempts, recorded }) => status === 'DELIVERED' && attempts === 1 && recorded === 1,
    ),
  ).toBe(true)
  expect(rows.every(({ id }) => received.has(id))).toBe(true)
  expect(extra).toBeLessThanOrEqual(cap)
  expect(all).toHaveLength(8)
  await Promise.all([dispatch.end(first, 'SIGTERM'), dispatch.end(second, 'SIGTERM')])
})

it('a delivery that crashes every process is given up, and blocks neither its endpoint nor others', async () => {
  const [to, other] = await dispatch.fill(2, 40)
  const [deadly] = await stage.due(to!)
  await stage.sql(`update webhook_delivery set body = replace(body, '"n"', '"deadly"') where id = $1`, [
    deadly,
  ])
  const last = await stage.due(to!, 40)
  let deaths = 0
  let isWanted = true
  let child: ChildProcess | undefined
  const supervised = (async () => {
    while (isWanted) {
      child = dispatch.start(stage.url, '"deadly"')
      await once(child, 'exit')
      if (isWanted) deaths++
    }
  })()
  await stage.drained(90_000)
  // the remaining process continues
  const [after] = await stage.due(to!)
  await stage.drained()
  isWanted = false
  child?.kill('SIGKILL')
  await supervised
  const all = [...(await deliveriesOf(stage.sql, to!)), ...(await deliveriesOf(stage.sql, other!))]
  expect(all).toHaveLength(122)
  expect(all.filter(({ status }) => status !== 'DELIVERED')).toEqual([
    { id: deadly, status: 'FAILED', attempts: 1, outcome: 'INTERNAL', last_status: null },
  ])
  expect(all.map(({ id }) => id)).toEqual(expect.arrayContaining([...last, after]))
  const [{ record } = {}] = await stage.sql(
    'select first_record as record from webhook_delivery where id = $1',
    [deadly],
  )
  expect(record).toMatchObject({ outcome: 'INTERNAL', error: 'The process that sent it ended each time' })
  // once unknown, once more to be sure, and three counted attempts
  expect(deaths).toBeGreaterThanOrEqual(4)
  expect(deaths).toBeLessThanOrEqual(6)
  expect(await stage.sql('select 1 from dispatch_shard where deaths > 5')).toEqual([])
})
