import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { openLog } from '#platform/log.ts'
import { openDispatchDatabase } from '#server/integrations/webhooks/engine.ts'
import { splitShards } from '#server/integrations/webhooks/shards/split-shards.ts'
import { exactly, itemAt } from '#tests/support/elements.ts'
import {
  type DispatcherHarness,
  maxInFlight,
  openDispatcherHarness,
} from '../support/integrations/dispatcher-harness.ts'
import type { WebhookHarness } from '../support/integrations/webhook-harness.ts'
import { deliveriesOf, isWaiting } from '../support/integrations/webhooks.ts'
import { until } from '../support/processes.ts'
import { randomFrom } from '../support/random.ts'

// the long tests cover a rolling restart and a database outage
vi.setConfig({ testTimeout: 180_000 })

let dispatch: DispatcherHarness
let harness: WebhookHarness
beforeEach(async () => {
  dispatch = await openDispatcherHarness()
  harness = dispatch.webhooks
})
afterEach(() => dispatch?.close())

it('kill -9 at any point: nothing is lost, at most five attempts are recorded, and requests in flight may arrive twice', async () => {
  const random = randomFrom(20_261_121)
  harness.receiver.replyWith((response, { deliveryId }) => {
    // every tenth delivery fails at first
    const isFirst = harness.receiver.received.filter(one => one.deliveryId === deliveryId).length === 1
    const status = isFirst && deliveryId.charCodeAt(20) % 10 === 0 ? 503 : 204
    setTimeout(() => response.writeHead(status).end(), random() * 20)
  })
  await dispatch.fill(20, 150)
  let [one, other] = [dispatch.start(), dispatch.start()]
  let kills = 0
  while (kills < 6 && (await isWaiting(harness.sql))) {
    await sleep(400 + random() * 900)
    await dispatch.stop(one, 'SIGKILL')
    kills++
    ;[one, other] = [other, dispatch.start()]
  }
  await harness.drained(60_000)
  const { rows, received, extra } = await dispatch.audit()
  expect(kills).toBeGreaterThan(1)
  expect(rows).toHaveLength(3_000)
  expect(rows.filter(({ status }) => status !== 'DELIVERED')).toEqual([])
  expect(rows.filter(({ attempts, recorded }) => attempts !== recorded || recorded > 5)).toEqual([])
  expect(rows.filter(({ id }) => !received.has(id))).toEqual([])
  expect(extra).toBeGreaterThanOrEqual(0)
  expect(extra, 'sent and not recorded').toBeLessThanOrEqual(kills * maxInFlight * 2)
  process.stdout.write(`kill -9: ${kills} kills, ${extra} of ${rows.length} notices came once more\n`)
})

it('kill -9 at any point: an ordered endpoint receives deliveries only after their predecessors', async () => {
  const random = randomFrom(20_261_122)
  const delivered = new Set<string>()
  const early: string[] = []
  let ids: string[][] = []
  harness.receiver.replyWith((response, { deliveryId, path }) => {
    const all = itemAt(ids, Number(path.split('/')[1]))
    early.push(...all.slice(0, all.indexOf(deliveryId)).filter(id => !delivered.has(id)))
    // two deliveries of each endpoint fail at first
    const isFirst = harness.receiver.received.filter(one => one.deliveryId === deliveryId).length === 1
    const status = isFirst && (deliveryId === all[20] || deliveryId === all[60]) ? 503 : 204
    setTimeout(() => {
      if (status === 204) delivered.add(deliveryId)
      response.writeHead(status).end()
    }, random() * 60)
  })
  const endpoints = await dispatch.fill(6, 100, { ordered: true })
  ids = await Promise.all(
    endpoints.map(async to => (await deliveriesOf(harness.sql, to)).map(({ id }) => id)),
  )
  let [one, other] = [dispatch.start(), dispatch.start()]
  let kills = 0
  while (kills < 8 && (await isWaiting(harness.sql))) {
    await sleep(400 + random() * 900)
    await dispatch.stop(one, 'SIGKILL')
    kills++
    ;[one, other] = [other, dispatch.start()]
  }
  await harness.drained(90_000)
  const { rows, extra } = await dispatch.audit()
  expect(kills).toBeGreaterThan(3)
  expect(early).toEqual([])
  expect(rows).toHaveLength(600)
  expect(rows.filter(({ status }) => status !== 'DELIVERED')).toEqual([])
  process.stdout.write(
    `kill -9, in order: ${kills} kills, ${extra} of ${rows.length} notices came once more\n`,
  )
})

it('an owner that was suspended past its lease records nothing', async () => {
  harness.receiver.replyWith(
    (response, _webhook) => void setTimeout(() => response.writeHead(204).end(), 400),
  )
  const all = await dispatch.fill(8, 60)
  const first = dispatch.start()
  await harness.receiver.waitFor(30)
  first.kill('SIGSTOP')
  const second = dispatch.start()
  const stopped = harness.receiver.received.length
  await until('another one has taken over', () => harness.receiver.received.length > stopped + 50, 20_000)
  first.kill('SIGCONT')
  await harness.drained(60_000)
  const { rows, received, extra } = await dispatch.audit()
  expect(
    rows.every(
      ({ status, attempts, recorded }) => status === 'DELIVERED' && attempts === 1 && recorded === 1,
    ),
  ).toBe(true)
  expect(rows.every(({ id }) => received.has(id))).toBe(true)
  expect(extra).toBeLessThanOrEqual(maxInFlight)
  expect(all).toHaveLength(8)
  await Promise.all([dispatch.stop(first, 'SIGTERM'), dispatch.stop(second, 'SIGTERM')])
})

it('an owner that was suspended while the shards were split records nothing', async () => {
  harness.receiver.replyWith(
    (response, _webhook) => void setTimeout(() => response.writeHead(204).end(), 400),
  )
  await dispatch.fill(8, 60)
  const first = dispatch.start()
  await harness.receiver.waitFor(30)
  first.kill('SIGSTOP')
  const database = await openDispatchDatabase(harness.url, openLog('error', 'test'))
  // waits until the lease has expired
  await splitShards(database, 128, () => {})
  await database.close()
  const second = dispatch.start()
  const stopped = harness.receiver.received.length
  await until('another one sends', () => harness.receiver.received.length > stopped + 50, 20_000)
  first.kill('SIGCONT')
  await harness.drained(60_000)
  const { rows, received, extra } = await dispatch.audit()
  expect(rows).toHaveLength(480)
  expect(
    rows.filter(
      ({ status, attempts, recorded }) => status !== 'DELIVERED' || attempts !== 1 || recorded !== 1,
    ),
  ).toEqual([])
  expect(rows.every(({ id }) => received.has(id))).toBe(true)
  expect(extra).toBeLessThanOrEqual(maxInFlight)
  await Promise.all([dispatch.stop(first, 'SIGTERM'), dispatch.stop(second, 'SIGTERM')])
})

it('a delivery that crashes every process is given up, and blocks neither its queue nor others', async () => {
  const [to, other] = exactly(2, await dispatch.fill(2, 40))
  const [deadly] = await harness.due(to)
  await harness.sql(`update webhook_delivery set body = replace(body, '"n"', '"deadly"') where id = $1`, [
    deadly,
  ])
  const last = await harness.due(to, 40)
  let deaths = 0
  let isWanted = true
  let child: ChildProcess | undefined
  const supervised = (async () => {
    while (isWanted) {
      child = dispatch.start(harness.url, '"deadly"')
      await once(child, 'exit')
      if (isWanted) deaths++
    }
  })()
  await harness.drained(90_000)
  // the remaining process continues
  const [after] = await harness.due(to)
  await harness.drained()
  isWanted = false
  child?.kill('SIGKILL')
  await supervised
  const all = [...(await deliveriesOf(harness.sql, to)), ...(await deliveriesOf(harness.sql, other))]
  expect(all).toHaveLength(122)
  expect(all.filter(({ status }) => status !== 'DELIVERED')).toEqual([
    { id: deadly, status: 'FAILED', attempts: 1, outcome: 'INTERNAL', last_status: null },
  ])
  expect(all.map(({ id }) => id)).toEqual(expect.arrayContaining([...last, after]))
  const [{ record } = {}] = await harness.sql(
    'select first_record as record from webhook_delivery where id = $1',
    [deadly],
  )
  expect(record).toMatchObject({ outcome: 'INTERNAL', error: 'The process that sent it crashed each time' })
  // one crash before isolation, one more to confirm, and three counted starts
  expect(deaths).toBeGreaterThanOrEqual(4)
  expect(deaths).toBeLessThanOrEqual(6)
  expect(await harness.sql('select 1 from dispatch_shard where crash_count > 5')).toEqual([])
})
