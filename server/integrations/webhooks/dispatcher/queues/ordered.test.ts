import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { firstOf } from '#tests/support/elements.ts'
import type { ReceivedWebhook } from '#tests/support/integrations/receiver.ts'
import { openWebhookHarness, type WebhookHarness } from '#tests/support/integrations/webhook-harness.ts'
import { deliveriesOf, type TestEndpoint } from '#tests/support/integrations/webhooks.ts'
import { until } from '#tests/support/processes.ts'
import { randomFrom } from '#tests/support/random.ts'
import { insertRows } from '#tests/support/rows.ts'

let harness: WebhookHarness
beforeEach(async () => {
  harness = await openWebhookHarness()
})
afterEach(() => harness?.close())

const isFirst = ({ deliveryId }: ReceivedWebhook) =>
  harness.receiver.received.filter(one => one.deliveryId === deliveryId).length === 1
const received = () => harness.receiver.received.map(({ deliveryId }) => deliveryId)
const setEndpoint = ({ id }: TestEndpoint, set: string) =>
  harness.sql(`update webhook_endpoint set ${set} where application_id = $1`, [id])

/** Replies after a random time, and records the maximum of concurrent requests. */
function answering(statusOf: (webhook: ReceivedWebhook) => number = () => 204): { most(): number } {
  const random = randomFrom(20_261_122)
  let open = 0
  let most = 0
  harness.receiver.replyWith((response, webhook) => {
    open++
    most = Math.max(most, open)
    const status = statusOf(webhook)
    setTimeout(
      () => {
        open--
        response.writeHead(status).end()
      },
      Math.floor(random() * 10),
    )
  })
  return { most: () => most }
}

describe('an ordered endpoint', () => {
  it('receives one delivery at a time, in the order of writing', async () => {
    const receiver = answering()
    const to = await harness.endpoint('/', { ordered: true })
    const ids = await harness.due(to, 100)
    const dispatcher = await harness.dispatcher()
    await harness.receiver.waitFor(20)
    // while others are sent
    ids.push(...(await harness.due(to, 30)))
    dispatcher.wake([to.id])
    await harness.drained(60_000)
    expect(received()).toEqual(ids)
    expect(receiver.most()).toBe(1)
    expect((await deliveriesOf(harness.sql, to)).every(({ status }) => status === 'DELIVERED')).toBe(true)
  })

  it('waits for the retry of a failed delivery, also in another process, and for nothing else', async () => {
    const to = await harness.endpoint('/', { ordered: true })
    const ids = await harness.due(to, 6)
    answering(webhook => (webhook.deliveryId === ids[2] && isFirst(webhook) ? 503 : 204))
    const first = await harness.dispatcher()
    await until('the third one waits', async () =>
      (await deliveriesOf(harness.sql, to)).some(({ outcome }) => outcome === 'HTTP_STATUS'),
    )
    await first.close()
    await harness.due(to, 2).then(more => ids.push(...more))
    const second = await harness.dispatcher()
    // a manual retry of a delivered one is sent at once
    await insertRows(harness, 'webhook_due', [
      {
        shard: to.shard,
        application_id: to.id,
        delivery_id: ids[0],
        organization_key: to.organizationId,
        attempt: 2,
        trigger: 'MANUAL',
      },
    ])
    second.wake([to.id])
    await harness.drained(30_000)
    const [a, b, c, ...rest] = ids
    expect(received()).toEqual([a, b, c, a, c, ...rest])
    const [failed, retried] = harness.receiver.received.filter(({ deliveryId }) => deliveryId === c) as [
      ReceivedWebhook,
      ReceivedWebhook,
    ]
    expect(retried.at - failed.at).toBeGreaterThanOrEqual(4_999)
  })

  it('continues after a final failure', async () => {
    const to = await harness.endpoint('/', { ordered: true })
    const ids = await harness.due(to, 5)
    answering(({ deliveryId }) => (deliveryId === ids[1] ? 400 : 204))
    await harness.dispatcher()
    await harness.drained()
    expect(received()).toEqual(ids)
    expect((await deliveriesOf(harness.sql, to)).map(({ status }) => status)).toEqual([
      'DELIVERED',
      'FAILED',
      'DELIVERED',
      'DELIVERED',
      'DELIVERED',
    ])
  })

  it('receives waiting deliveries in order when it is resumed, earlier failures first', async () => {
    const to = await harness.endpoint('/', { ordered: true })
    const ids = await harness.due(to, 40)
    answering(webhook => (webhook.deliveryId === ids[4] && isFirst(webhook) ? 500 : 204))
    const dispatcher = await harness.dispatcher()
    await until('one waits to be retried', async () =>
      (await deliveriesOf(harness.sql, to)).some(({ outcome }) => outcome === 'HTTP_STATUS'),
    )
    await setEndpoint(to, `status = 'HELD'`)
    dispatcher.wake([to.id])
    ids.push(...(await harness.due(to, 10)))
    await harness.sql(`update webhook_due set due_at = now() - interval '1 minute'`)
    await setEndpoint(to, `status = 'ACTIVE'`)
    dispatcher.wake([to.id])
    await harness.drained(30_000)
    expect(received()).toEqual([...ids.slice(0, 5), ...ids.slice(4)])
  })

  it('is ordered from the time of the change', async () => {
    const to = await harness.endpoint('/')
    const ids = await harness.due(to, 150)
    const receiver = answering(webhook => (webhook.deliveryId === ids[20] && isFirst(webhook) ? 503 : 204))
    const dispatcher = await harness.dispatcher()
    await harness.receiver.waitFor(60)
    await setEndpoint(to, 'is_ordered = true')
    dispatcher.wake([to.id])
    const later = await harness.due(to, 20)
    dispatcher.wake([to.id])
    await harness.drained(60_000)
    const laterReceived = received().filter(id => later.includes(id))
    expect([...new Set(laterReceived)]).toEqual(later)
    expect(receiver.most()).toBeGreaterThan(1)
    // all earlier ones have ended when the first of them is sent
    const before = (await deliveriesOf(harness.sql, to)).filter(({ id }) => id < firstOf(later))
    expect(before.every(({ status }) => status === 'DELIVERED')).toBe(true)
    expect(
      received()
        .slice(received().indexOf(firstOf(later)))
        .every(id => id >= firstOf(later)),
    ).toBe(true)
    await setEndpoint(to, 'is_ordered = false')
    await harness.due(to, 50)
    dispatcher.wake([to.id])
    await harness.drained(30_000)
  })
})
