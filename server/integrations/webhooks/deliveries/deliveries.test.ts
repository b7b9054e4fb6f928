import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  type Delivery,
  listDeliveries,
  listOwnDeliveries,
  readDelivery,
  retryDelivery,
} from '#contract/integrations/deliveries.ts'
import {
  holdWebhook,
  removeWebhook,
  resumeWebhook,
  setWebhook,
  testWebhook,
} from '#contract/integrations/webhook.ts'
import { limits } from '#contract/limits.ts'
import { firstId, newId } from '#platform/ids.ts'
import { verifyWebhook } from '#sdk/webhook.ts'
import { atLeast, defined, exactly, firstOf, only } from '#tests/support/elements.ts'
import { makeApplication } from '#tests/support/integrations/applications.ts'
import { insertDeliveries } from '#tests/support/integrations/planted-deliveries.ts'
import { openWebhookFixtures, type WebhookFixtures } from '#tests/support/integrations/webhook-fixtures.ts'
import { until } from '#tests/support/processes.ts'
import { insertRows, secondsAgo } from '#tests/support/rows.ts'
import { fewestShards, shardOf } from '../shards/shard.ts'
import { mayReceive } from './delivery.rules.ts'
import { idRangeBetween, timeOfId } from './id-range.ts'

let { server, org, manager, clerk, stranger, receiver } = {} as WebhookFixtures
beforeAll(async () => {
  ;({ server, org, manager, clerk, stranger, receiver } = await openWebhookFixtures())
})
afterAll(() => Promise.all([server?.close(), receiver?.close()]))
beforeEach(() => server.sql('delete from rate_window'))

async function hooked() {
  const app = await makeApplication(server, org)
  const at = `/${newId()}`
  const body = { url: `${receiver.url}${at}`, events: ['WEBHOOK_TEST'] }
  const made = (await manager.call(setWebhook, { params: { id: app.id }, body })) as unknown as {
    secret: string
  }
  return { ...app, at, secret: made.secret }
}
type Hooked = Awaited<ReturnType<typeof hooked>>
type Query = Partial<{
  status: string
  event: string
  since: string
  until: string
  before: string
  limit: number
}>
const list = (id: string, query: Query = {}) =>
  manager.call(listDeliveries, { params: { id }, query: query as never })
const read = (id: string, deliveryId: string) => manager.call(readDelivery, { params: { id, deliveryId } })
const retry = (id: string, deliveryId: string) => manager.send(retryDelivery, { params: { id, deliveryId } })

/** Inserts deliveries that are not sent, with ids one millisecond apart. */
async function plant(
  { id, organizationId }: Pick<Hooked, 'id' | 'organizationId'>,
  count: number,
  options: { status?: string; event?: string; fromMs?: number; attempts?: number } = {},
): Promise<string[]> {
  const { status = 'FAILED', event = 'WEBHOOK_TEST', fromMs = Date.now() - 3_600_000, attempts = 1 } = options
  const ids = Array.from({ length: count }, (_, n) => `${firstId(fromMs + n)}${newId().slice(9)}`)
  await insertDeliveries(server, { id, organizationId }, ids, n => ({
    event,
    body: JSON.stringify({ event, n, meta: { schemaVersion: '2026-07' } }),
    status,
    attempts,
    outcome: 'HTTP_STATUS',
    last_status: 500,
    finished_at: new Date(),
  }))
  return ids
}
async function settled(id: string, deliveryId: string): Promise<Delivery> {
  await until('it is settled', async () => (await read(id, deliveryId)).dueAt === null)
  const { body: _, history: __, dueAt: ___, ...delivery } = await read(id, deliveryId)
  return delivery
}

describe('listing', () => {
  test('returns newest first, in pages, with one filter or both', async () => {
    const app = await hooked()
    const failed = await plant(app, 5, { fromMs: Date.now() - 9_000_000 })
    const other = exactly(3, await plant(app, 3, { fromMs: Date.now() - 6_000_000, event: 'OTHER' }))
    const delivered = await plant(app, 4, { fromMs: Date.now() - 3_000_000, status: 'DELIVERED' })
    const newestFirst = [...failed, ...other, ...delivered].reverse()
    const whole = await list(app.id)
    expect(whole.items.map(({ id }) => id)).toEqual(newestFirst)
    expect(whole.nextBefore).toBeNull()
    expect(whole.items[0]).toEqual({
      id: delivered[3],
      eventId: delivered[3],
      event: 'WEBHOOK_TEST',
      status: 'DELIVERED',
      attempts: 1,
      outcome: 'HTTP_STATUS',
      lastStatus: 500,
      emittedAt: expect.any(String),
      finishedAt: expect.any(String),
    })
    const seen: string[] = []
    for (let before: string | undefined; ; ) {
      const page = await list(app.id, { limit: 5, ...(before && { before }) })
      seen.push(...page.items.map(({ id }) => id))
      if (page.nextBefore === null) break
      before = page.nextBefore
    }
    expect(seen).toEqual(newestFirst)
    const idsBy = async (query: Query) => (await list(app.id, query)).items.map(({ id }) => id).reverse()
    expect(await idsBy({ status: 'FAILED' })).toEqual([...failed, ...other])
    expect(await idsBy({ event: 'OTHER' })).toEqual(other)
    expect(await idsBy({ status: 'FAILED', event: 'WEBHOOK_TEST' })).toEqual(failed)
    expect(await idsBy({ status: 'DELIVERED' })).toEqual(delivered)
    expect(await idsBy({ status: 'DELIVERED', event: 'WEBHOOK_TEST', limit: 4 })).toEqual(delivered)
    expect(await idsBy({ status: 'PENDING' })).toEqual([])
    expect(await idsBy({ status: 'DELIVERED', event: 'OTHER' })).toEqual([])
    expect(await idsBy({ since: timeOfId(other[0]), until: timeOfId(other[2]) })).toEqual(other.slice(0, 2))
    expect(await idsBy({ since: '1000-01-01T00:00:00Z', until: '2999-01-01T00:00:00Z' })).toEqual(
      newestFirst.toReversed(),
    )
  })

  test('scans a limited number for an event filter and returns a cursor', async () => {
    const app = await hooked()
    const wanted = await plant(app, 1, { event: 'RARE', fromMs: Date.now() - 9_000_000 })
    await plant(app, limits.deliveriesScanned + 10, { fromMs: Date.now() - 3_000_000 })
    const first = await list(app.id, { status: 'FAILED', event: 'RARE' })
    expect(first).toEqual({ items: [], nextBefore: expect.any(String) })
    const second = await list(app.id, { status: 'FAILED', event: 'RARE', before: defined(first.nextBefore) })
    expect([second.items.map(({ id }) => id), second.nextBefore]).toEqual([wanted, null])
    const third = await list(app.id, { event: 'RARE' })
    expect(third).toEqual(first)
    expect((await list(app.id, { event: 'RARE', before: defined(third.nextBefore) })).items).toEqual(
      second.items,
    )
  })

  test('ids and times', () => {
    const before = Date.now()
    const id = newId()
    expect(Date.parse(timeOfId(id))).toBeGreaterThanOrEqual(before)
    expect(Date.parse(timeOfId(id))).toBeLessThanOrEqual(Date.now())
    expect(idRangeBetween(timeOfId(id), undefined).from <= id).toBe(true)
    expect(idRangeBetween(undefined, timeOfId(id)).to <= id).toBe(true)
    expect(idRangeBetween(undefined, undefined)).toEqual({ from: '', to: '~' })
  })
})

test('one shows its body and the result of each attempt', async () => {
  const app = await hooked()
  receiver.replyWith((response, _webhook) => {
    response.writeHead(401, { 'content-type': 'text/plain' }).end(`wrong secret ${'.'.repeat(10_000)}`)
  }, app.at)
  const { eventId } = await manager.call(testWebhook, { params: { id: app.id } })
  const webhook = firstOf(await receiver.waitFor(1, app.at))
  await settled(app.id, webhook.deliveryId)
  const delivery = await read(app.id, webhook.deliveryId)
  expect(delivery).toMatchObject({
    id: webhook.deliveryId,
    eventId,
    event: 'WEBHOOK_TEST',
    status: 'FAILED',
    attempts: 1,
    outcome: 'HTTP_STATUS',
    lastStatus: 401,
    body: webhook.body,
    dueAt: null,
    finishedAt: expect.any(String),
    history: [
      {
        n: 1,
        trigger: 'AUTOMATIC',
        outcome: 'HTTP_STATUS',
        status: 401,
        address: '127.0.0.1',
        error: null,
        durationMs: expect.any(Number),
        answerHeaders: { 'content-type': 'text/plain' },
        secretId: expect.any(String),
        timings: {
          // an IP address needs no lookup, but its turn may be late
          dns: expect.any(Number),
          connect: expect.any(Number),
          tls: 0,
          firstByte: expect.any(Number),
          rest: expect.any(Number),
        },
      },
    ],
  })
  const { answer } = only(delivery.history)
  expect(answer).toMatch(/^wrong secret \.+$/)
  expect(defined(answer).length).toBe(limits.webhookAnswerBytes)
})

describe('a manual retry', () => {
  test('is one immediate attempt with the same id and body, and a new timestamp and signature', async () => {
    const app = await hooked()
    receiver.replyWith(401, app.at)
    await manager.call(testWebhook, { params: { id: app.id } })
    const first = firstOf(await receiver.waitFor(1, app.at))
    const { deliveryId } = first
    expect((await settled(app.id, deliveryId)).status).toBe('FAILED')
    // still failing: only one attempt, although 503 is otherwise retried
    receiver.replyWith(503, app.at)
    const again = await retry(app.id, deliveryId)
    expect(again).toMatchObject({
      status: 200,
      body: { id: deliveryId, status: 'PENDING', finishedAt: null },
    })
    await receiver.waitFor(2, app.at)
    expect(await settled(app.id, deliveryId)).toMatchObject({
      status: 'FAILED',
      attempts: 2,
      lastStatus: 503,
    })
    receiver.replyWith(204, app.at)
    expect((await retry(app.id, deliveryId)).status).toBe(200)
    const [, , third] = atLeast(3, await receiver.waitFor(3, app.at))
    expect(await settled(app.id, deliveryId)).toMatchObject({
      status: 'DELIVERED',
      attempts: 3,
      lastStatus: 204,
    })
    expect([third.deliveryId, third.body]).toEqual([deliveryId, first.body])
    expect(third.timestampMs).toBeGreaterThan(first.timestampMs)
    expect(verifyWebhook(third.body, third.headers, app.secret).deliveryId).toBe(deliveryId)
    expect((await read(app.id, deliveryId)).history.map(({ n, trigger }) => [n, trigger])).toEqual([
      [1, 'AUTOMATIC'],
      [2, 'MANUAL'],
      [3, 'MANUAL'],
    ])
    // a delivered delivery stays DELIVERED
    receiver.replyWith(500, app.at)
    expect((await retry(app.id, deliveryId)).body).toMatchObject({ status: 'DELIVERED' })
    await receiver.waitFor(4, app.at)
    expect(await settled(app.id, deliveryId)).toMatchObject({ status: 'DELIVERED', attempts: 4 })
    await server.relayed()
    const events = await server.sql('select operation, changed from audit where subject = $1', [deliveryId])
    expect(events).toHaveLength(3)
  })

  test('precedes all waiting deliveries', async () => {
    const app = await hooked()
    const deliveryId = only(await plant(app, 1))
    await manager.call(holdWebhook, { params: { id: app.id } })
    const waiting = await plant(app, 200, { status: 'PENDING', attempts: 0 })
    await insertRows(
      server,
      'webhook_due',
      waiting.map(delivery => ({
        shard: shardOf(app.id, fewestShards),
        application_id: app.id,
        due_at: secondsAgo(60),
        delivery_id: delivery,
        organization_key: org.id,
      })),
    )
    const held = await list(app.id, { status: 'PENDING', limit: 3 })
    expect(held.items.map(({ id }) => id)).toEqual(waiting.slice(-3).reverse())
    expect((await list(app.id, { status: 'PENDING', event: 'OTHER' })).items).toEqual([])
    await manager.call(setWebhook, {
      params: { id: app.id },
      body: { url: `${receiver.url}${app.at}`, events: [], maxPerSecond: 20 },
    })
    await manager.call(resumeWebhook, { params: { id: app.id } })
    expect((await retry(app.id, deliveryId)).status).toBe(200)
    await until('it is sent', () => receiver.received.some(webhook => webhook.deliveryId === deliveryId))
    expect(receiver.received.filter(({ path }) => path === app.at).length).toBeLessThan(150)
  })

  test('succeeds only once for concurrent requests', async () => {
    const app = await hooked()
    const deliveryId = only(await plant(app, 1))
    const answers = await Promise.all(Array.from({ length: 5 }, () => retry(app.id, deliveryId)))
    const done = answers.filter(({ status }) => status === 200).length
    expect(done).toBeGreaterThanOrEqual(1)
    expect(answers.every(({ status }) => status === 200 || status === 409)).toBe(true)
    await settled(app.id, deliveryId)
    expect((await read(app.id, deliveryId)).history).toHaveLength(done)
  })

  test('is refused while the delivery waits, at the limit of attempts, and while the webhook is paused', async () => {
    const app = await hooked()
    const waits = only(await plant(app, 1, { status: 'PENDING' }))
    expect(await retry(app.id, waits)).toMatchObject({
      status: 409,
      body: { errorCode: 'DELIVERY_PENDING' },
    })
    const tried = only(await plant(app, 1, { attempts: limits.webhookDeliveryAttempts }))
    expect(await retry(app.id, tried)).toMatchObject({
      status: 409,
      body: { errorCode: 'DELIVERY_EXHAUSTED' },
    })
    const failed = only(await plant(app, 1))
    await manager.call(holdWebhook, { params: { id: app.id } })
    expect(await retry(app.id, failed)).toMatchObject({ status: 409, body: { errorCode: 'WEBHOOK_HELD' } })
    await manager.call(removeWebhook, { params: { id: app.id } })
    expect(await retry(app.id, failed)).toMatchObject({
      status: 404,
      body: { errorCode: 'WEBHOOK_NOT_FOUND' },
    })
    // past deliveries stay readable
    expect((await read(app.id, failed)).id).toBe(failed)
    expect((await list(app.id)).items).toHaveLength(3)
  })
})

test('people without permission, other organizations and other applications are refused', async () => {
  const [app, other] = [await hooked(), await hooked()]
  const deliveryId = only(await plant(app, 1))
  const calls = [listDeliveries, readDelivery, retryDelivery]
  for (const endpoint of calls as (typeof readDelivery)[]) {
    const params = { id: app.id, deliveryId: deliveryId }
    expect(await clerk.send(endpoint, { params })).toMatchObject({ status: 403 })
    const theirs = await stranger.send(endpoint, { params })
    const unknown = await stranger.send(endpoint, { params: { id: newId(), deliveryId: newId() } })
    expect(theirs).toMatchObject({ status: 404, body: { errorCode: 'APPLICATION_NOT_FOUND' } })
    expect(theirs.text).toBe(unknown.text)
    if ((endpoint as unknown) === listDeliveries) continue
    const not = await manager.send(endpoint, { params: { id: other.id, deliveryId: deliveryId } })
    expect(not).toMatchObject({ status: 404, body: { errorCode: 'DELIVERY_NOT_FOUND' } })
  }
  expect((await list(other.id)).items).toEqual([])
})

describe('pulling deliveries with an API key', () => {
  const pull = (app: Hooked, query: { after?: string; limit?: number } = {}) =>
    app.client.call(listOwnDeliveries, { query })

  test('returns its own deliveries in order with bodies, and nothing of others', async () => {
    const [app, other] = [await hooked(), await hooked()]
    const ids = await plant(app, 7)
    await plant(other, 3)
    await manager.call(holdWebhook, { params: { id: app.id } })
    const seen: string[] = []
    let after: string | undefined
    for (let hasMore = true; hasMore; ) {
      const page = await pull(app, { limit: 3, ...(after && { after }) })
      seen.push(...page.items.map(({ id }) => id))
      after = defined(page.nextAfter)
      hasMore = page.hasMore
      if (seen.length === 3) {
        expect(page.items[0]).toEqual({
          id: ids[0],
          event: 'WEBHOOK_TEST',
          emittedAt: expect.any(String),
          status: 'FAILED',
          body: { event: 'WEBHOOK_TEST', n: 1, meta: { schemaVersion: '2026-07' } },
        })
      }
    }
    expect(seen).toEqual(ids)
    expect(await pull(app, { after: defined(after) })).toEqual({
      items: [],
      nextAfter: after,
      hasMore: false,
    })
    expect(await pull(await hooked())).toEqual({ items: [], nextAfter: null, hasMore: false })
    const [more] = await plant(app, 1, { fromMs: Date.now() - 10_000 })
    expect((await pull(app, { after: defined(after) })).items.map(({ id }) => id)).toEqual([more])
  })

  test('leaves out deliveries that were just written, because an earlier one may follow', async () => {
    const app = await hooked()
    const [old] = await plant(app, 1, { fromMs: Date.now() - limits.deliverySettleSeconds * 1000 - 1_000 })
    await plant(app, 1, { fromMs: Date.now() })
    expect((await pull(app)).items.map(({ id }) => id)).toEqual([old])
  })

  test('leaves out deliveries that need a missing scope', () => {
    const definitionOf = (event: string) =>
      event === 'CHAT_ONE' ? { scope: 'chat:events:subscribe' as const } : { scope: null }
    expect(mayReceive(new Set(), { event: 'CHAT_ONE', about: null }, definitionOf)).toBe(false)
    expect(
      mayReceive(new Set(['chat:messages:view']), { event: 'CHAT_ONE', about: null }, definitionOf),
    ).toBe(false)
    expect(
      mayReceive(new Set(['chat:events:subscribe']), { event: 'CHAT_ONE', about: null }, definitionOf),
    ).toBe(true)
    expect(mayReceive(new Set(), { event: 'OTHER', about: null }, definitionOf)).toBe(true)
  })

  test('needs a key and a valid limit', async () => {
    const app = await hooked()
    expect(await server.client().send(listOwnDeliveries, { headers: { 'x-api-key': 'no' } })).toMatchObject({
      status: 401,
    })
    for (const limit of [0, limits.pageLimit + 1])
      expect(await app.client.send(listOwnDeliveries, { query: { limit } })).toMatchObject({ status: 400 })
  })
})
