import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  cancelRecovery,
  listRecoveries,
  recoverDeliveries,
  replayEvents,
} from '#contract/integrations/recoveries.ts'
import { holdWebhook, setWebhook } from '#contract/integrations/webhook.ts'
import { limits } from '#contract/limits.ts'
import { firstId, newId } from '#platform/ids.ts'
import { defined, itemAt, only } from '#tests/support/elements.ts'
import { makeApplication } from '#tests/support/integrations/applications.ts'
import { insertDeliveries } from '#tests/support/integrations/planted-deliveries.ts'
import type { ReceivedWebhook, ReceiverReply } from '#tests/support/integrations/receiver.ts'
import { openWebhookFixtures, type WebhookFixtures } from '#tests/support/integrations/webhook-fixtures.ts'
import { until } from '#tests/support/processes.ts'
import { insertRows, secondsAgo } from '#tests/support/rows.ts'
import { timeOfId } from '../deliveries/id-range.ts'

let { server, org, manager, clerk, stranger, receiver } = {} as WebhookFixtures
beforeAll(async () => {
  ;({ server, org, manager, clerk, stranger, receiver } = await openWebhookFixtures())
})
afterAll(() => Promise.all([server?.close(), receiver?.close()]))
beforeEach(() => server.sql('delete from rate_window'))

const hourAgo = () => Date.now() - 3_600_000
const since = () => new Date(hourAgo() - 60_000).toISOString()
async function hooked() {
  const { id } = await makeApplication(server, org)
  const at = `/${newId()}`
  await manager.call(setWebhook, {
    params: { id },
    body: { url: `${receiver.url}${at}`, events: ['WEBHOOK_TEST'] },
  })
  return { id, at }
}
async function plant(
  id: string,
  count: number,
  options: { status?: string; event?: string; fromMs?: number } = {},
) {
  const { status = 'FAILED', event = 'WEBHOOK_TEST', fromMs = hourAgo() } = options
  const ids = Array.from({ length: count }, (_, n) => `${firstId(fromMs + n)}${newId().slice(9)}`)
  await insertDeliveries(server, { id, organizationId: org.id }, ids, () => ({
    event,
    body: JSON.stringify({ event, meta: { schemaVersion: '2026-07' } }),
    status,
    attempts: 1,
    finished_at: new Date(),
  }))
  return ids
}
const recover = (id: string, body: object = {}) =>
  manager.send(recoverDeliveries, { params: { id }, body: { since: since(), ...body } as never })
const replay = (id: string, body: object = {}) =>
  manager.send(replayEvents, { params: { id }, body: body as never })
const list = async (id: string) => (await manager.call(listRecoveries, { params: { id } })).items
const cancel = (id: string, recoveryId: string) =>
  manager.send(cancelRecovery, { params: { id, recoveryId } })
const statuses = async (id: string) =>
  Object.fromEntries(
    (
      await server.sql<{ status: string; n: number }>(
        'select status, count(*)::int as n from webhook_delivery where application_id = $1 group by 1',
        [id],
      )
    ).map(({ status, n }) => [status, n]),
  )

describe('a recovery', () => {
  test('counts failed deliveries, sends them at its rate and shows its progress', async () => {
    const { id, at } = await hooked()
    const ids = await plant(id, 20)
    await plant(id, 3, { status: 'DELIVERED' })
    const dry = await recover(id, { dryRun: true })
    expect([dry.status, dry.body]).toEqual([200, { count: 20, next: null, recovery: null }])
    expect(await statuses(id)).toEqual({ FAILED: 20, DELIVERED: 3 })

    // the last answer waits until the progress was seen
    const progressSeen = Promise.withResolvers<void>()
    const last = itemAt(ids, 19)
    const replyLater: ReceiverReply = response =>
      void progressSeen.promise.then(() => response.writeHead(204).end())
    receiver.replyWith(({ deliveryId }: ReceivedWebhook) => (deliveryId === last ? replyLater : 204), at)
    const startedAt = performance.now()
    const started = await recover(id, { perSecond: 10 })
    expect(started.body).toMatchObject({
      count: 20,
      next: null,
      recovery: { kind: 'RECOVERY', state: 'RUNNING', perSecond: 10, total: 20, waiting: 20, cancelled: 0 },
    })
    expect(await recover(id)).toMatchObject({ status: 409, body: { errorCode: 'RECOVERY_RUNNING' } })
    expect(await replay(id)).toMatchObject({ status: 409, body: { errorCode: 'RECOVERY_RUNNING' } })
    expect((await recover(id, { dryRun: true })).status).toBe(200)
    await until('the first results are recorded', async () => only(await list(id)).waiting < 20)
    const webhooks = await receiver.waitFor(20, at)
    expect(performance.now() - startedAt).toBeGreaterThan(1_700)
    expect(only(await list(id))).toMatchObject({ state: 'RUNNING' })
    progressSeen.resolve()
    await until('it is done', async () => only(await list(id)).state === 'DONE')
    expect(webhooks.map(({ deliveryId }) => deliveryId).sort()).toEqual(ids)
    expect(await statuses(id)).toEqual({ DELIVERED: 23 })
    const attempts = await server.sql(
      `select distinct record ->> 'trigger' as trigger, n from webhook_attempt where delivery_id = any($1)`,
      [ids],
    )
    expect(attempts).toEqual([{ trigger: 'RECOVERY', n: 2 }])
    expect(await cancel(id, only(await list(id)).id)).toMatchObject({
      status: 409,
      body: { errorCode: 'RECOVERY_ENDED' },
    })
    expect((await recover(id)).body).toEqual({ count: 0, next: null, recovery: null })
  })

  test('takes the deliveries of a period with one status and event', async () => {
    const { id } = await hooked()
    const ids = await plant(id, 10)
    await plant(id, 2, { event: 'OTHER', fromMs: hourAgo() + 1_000 })
    await plant(id, 4, { status: 'CANCELLED' })
    const count = async (body: object) => (await recover(id, { dryRun: true, ...body })).body.count
    expect(await count({})).toBe(12)
    expect(await count({ event: 'OTHER' })).toBe(2)
    expect(await count({ status: 'CANCELLED' })).toBe(4)
    expect(await count({ status: 'NOT_AUTHORIZED' })).toBe(0)
    expect(await count({ since: timeOfId(itemAt(ids, 4)), until: timeOfId(itemAt(ids, 7)) })).toBe(3)
    expect(await count({ since: new Date().toISOString() })).toBe(0)
  })

  test('takes a limited number and returns the start of the next one', async () => {
    const { id } = await hooked()
    await plant(id, limits.recoveryDeliveries + 5)
    const dry = await recover(id, { dryRun: true })
    expect(dry.body).toMatchObject({ count: limits.recoveryDeliveries, next: expect.any(String) })
    expect((await recover(id, { dryRun: true, since: dry.body.next })).body).toMatchObject({
      count: 6,
      next: null,
    })
    const started = await recover(id, { perSecond: 1 })
    expect(started.body).toMatchObject({ count: limits.recoveryDeliveries, next: dry.body.next })
    expect((await recover(id, { dryRun: true })).body).toMatchObject({ count: 5, next: null })

    // a cancelled recovery restores the previous status
    const { recovery } = started.body
    const cancelled = await cancel(id, defined(recovery).id)
    expect(cancelled).toMatchObject({
      status: 200,
      body: { state: 'CANCELLED', cancelledAt: expect.any(String) },
    })
    expect(cancelled.body.cancelled).toBeGreaterThan(limits.recoveryDeliveries - 30)
    // deliveries that are due within two seconds may already be in flight
    expect(cancelled.body.cancelled).toBeLessThanOrEqual(limits.recoveryDeliveries - 3)
    await until('nothing waits', async () => only(await list(id)).waiting === 0)
    expect(only(await list(id)).state).toBe('CANCELLED')
    const { FAILED = 0, DELIVERED = 0 } = await statuses(id)
    expect(FAILED).toBe(cancelled.body.cancelled + 5)
    expect(FAILED + DELIVERED).toBe(limits.recoveryDeliveries + 5)
    expect(await cancel(id, defined(recovery).id)).toMatchObject({ status: 409 })
    expect(await cancel(id, newId())).toMatchObject({
      status: 404,
      body: { errorCode: 'RECOVERY_NOT_FOUND' },
    })
  })

  test('retries failures like new deliveries', async () => {
    const { id, at } = await hooked()
    receiver.replyWith(503, at)
    const [deliveryId] = await plant(id, 1)
    await recover(id)
    await receiver.waitFor(1, at)
    await until('it waits for its second try', async () => {
      const [due] = await server.sql(
        'select retries, attempt, trigger from webhook_due where delivery_id = $1',
        [deliveryId],
      )
      return due?.retries === 1 && due.attempt === 3 && due.trigger === 'RECOVERY'
    })
    // deliveries that were already tried are not cancelled
    const answer = await cancel(id, only(await list(id)).id)
    expect(answer.body).toMatchObject({ cancelled: 0, waiting: 1, state: 'CANCELLED' })
  })

  test('one of many concurrent requests starts', async () => {
    const { id } = await hooked()
    await plant(id, 50)
    const answers = await Promise.all(Array.from({ length: 5 }, () => recover(id, { perSecond: 1 })))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409])
    expect(await list(id)).toHaveLength(1)
  })

  test('refuses values beyond their limits and a paused webhook', async () => {
    const { id } = await hooked()
    await plant(id, 1)
    for (const body of [
      { since: 'yesterday' },
      { status: 'DELIVERED' },
      { perSecond: 0 },
      { perSecond: limits.recoveryPerSecond + 1 },
      { dryRun: 'yes' },
      { other: 1 },
      { since: undefined },
    ])
      expect(await recover(id, body)).toMatchObject({ status: 400 })
    await manager.call(holdWebhook, { params: { id } })
    expect(await recover(id)).toMatchObject({ status: 409, body: { errorCode: 'WEBHOOK_HELD' } })
    expect(await replay(id)).toMatchObject({ status: 409, body: { errorCode: 'WEBHOOK_HELD' } })
    expect((await recover(id, { dryRun: true })).body.count).toBe(1)
  })
})

describe('a replay', () => {
  let seq = 1_000_000
  /** Numbered events without deliveries. */
  async function happened(applicationId: string, count: number, agoMs = 60_000): Promise<string[]> {
    const ids = Array.from({ length: count }, newId)
    await insertRows(
      server,
      'event',
      ids.map((id, n) => ({
        organization_id: org.id,
        seq: seq++,
        id,
        name: 'WEBHOOK_TEST',
        data: { message: `${n}` },
        at: secondsAgo(agoMs / 1_000),
        about: { applicationId },
      })),
    )
    return ids
  }

  test('delivers missed events once, made in their order and with their times', async () => {
    const { id, at } = await hooked()
    const [{ id: otherId }] = [await hooked()]
    const ids = await happened(id, 5)
    await happened(otherId, 3)
    await happened(id, 2, 25 * 3_600_000)
    expect((await replay(id, { dryRun: true })).body).toEqual({ count: 5, next: null, recovery: null })
    expect((await replay(id, { dryRun: true, since: new Date().toISOString() })).body.count).toBe(0)
    expect(receiver.received.filter(({ path }) => path === at)).toEqual([])

    const started = await replay(id, { perSecond: 100 })
    expect(started.body).toMatchObject({ count: 5, recovery: { kind: 'REPLAY', total: 5, perSecond: 100 } })
    const webhooks = await receiver.waitFor(5, at)
    // those that are under way at the same time may arrive in another order (DLV-9, DLV-16)
    const bodies = webhooks
      .map(({ body }) => JSON.parse(body))
      .sort((a, b) => a.data.message.localeCompare(b.data.message))
    expect(bodies.map(({ data }) => data.message)).toEqual(['0', '1', '2', '3', '4'])
    expect(bodies[0]).toMatchObject({
      event: 'WEBHOOK_TEST',
      app: { id },
      meta: { schemaVersion: '2026-07' },
    })
    expect(Math.abs(Date.now() - Date.parse(bodies[0].timestamp) - 60_000)).toBeLessThan(20_000)
    await until('it is done', async () => only(await list(id)).state === 'DONE')
    const rows = await server.sql<{ event_id: string }>(
      'select event_id from webhook_delivery where application_id = $1 order by id',
      [id],
    )
    expect(rows.map(({ event_id }) => event_id)).toEqual(ids)
    expect((await replay(id)).body).toEqual({ count: 0, next: null, recovery: null })
  })

  test('delivers nothing without a subscription', async () => {
    const { id, at } = await hooked()
    await happened(id, 2)
    await manager.call(setWebhook, { params: { id }, body: { url: `${receiver.url}${at}`, events: [] } })
    expect((await replay(id)).body.count).toBe(0)
  })

  test('leaves cancelled deliveries after a cancellation', async () => {
    const { id } = await hooked()
    await happened(id, 10)
    const { body } = await replay(id, { perSecond: 1 })
    const answer = await cancel(id, defined(body.recovery).id)
    expect(answer.body.cancelled).toBeGreaterThan(4)
    expect(await statuses(id)).toMatchObject({ CANCELLED: answer.body.cancelled })
  })
})

test('people without the permission and other organizations are refused', async () => {
  const { id } = await hooked()
  const { id: bare } = await makeApplication(server, org)
  for (const [endpoint, body] of [
    [recoverDeliveries, { since: since() }],
    [replayEvents, {}],
    [listRecoveries, undefined],
    [cancelRecovery, undefined],
  ] as [typeof cancelRecovery, object | undefined][]) {
    const of = (id: string) => ({ params: { id, recoveryId: newId() }, ...(body && { body }) }) as never
    expect(await clerk.send(endpoint, of(id))).toMatchObject({ status: 403 })
    const theirs = await stranger.send(endpoint, of(id))
    expect(theirs).toMatchObject({ status: 404, body: { errorCode: 'APPLICATION_NOT_FOUND' } })
    expect(theirs.text).toBe((await stranger.send(endpoint, of(newId()))).text)
    expect(await manager.send(endpoint, of(bare))).toMatchObject({
      status: 404,
      body: { errorCode: 'WEBHOOK_NOT_FOUND' },
    })
  }
})
