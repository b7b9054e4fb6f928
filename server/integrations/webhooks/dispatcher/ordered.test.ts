import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Notice } from '#tests/support/integrations/receiver.ts'
import { openWebhookStage, type WebhookStage } from '#tests/support/integrations/webhook-harness.ts'
import { deliveriesOf, type MadeEndpoint } from '#tests/support/integrations/webhooks.ts'
import { until } from '#tests/support/processes.ts'
import { randomFrom } from '#tests/support/random.ts'

let stage: WebhookStage
beforeEach(async () => {
  stage = await openWebhookStage()
})
afterEach(() => stage?.close())

const isFirst = ({ deliveryId }: Notice) =>
  stage.receiver.notices.filter(one => one.deliveryId === deliveryId).length === 1
const received = () => stage.receiver.notices.map(({ deliveryId }) => deliveryId)
const setEndpoint = ({ id }: MadeEndpoint, set: string) =>
  stage.sql(`update webhook_endpoint set ${set} where application_id = $1`, [id])

/** Answers after a random time, and tells how many requests were open at once at most. */
function answering(statusOf: (notice: Notice) => number = () => 204): { most(): number } {
  const random = randomFrom(20_261_122)
  let open = 0
  let most = 0
  stage.receiver.reacts((response, notice) => {
    open++
    most = Math.max(most, open)
    const status = statusOf(notice)
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

describe('an endpoint that asks for order', () => {
  it('gets one at a time, in the order in which they were written, however many there are', async () => {
    const receiver = answering()
    const to = await stage.endpoint('/', { ordered: true })
    const ids = await stage.due(to, 100)
    const dispatcher = await stage.dispatcher()
    await stage.receiver.got(20)
    // while others are sent
    ids.push(...(await stage.due(to, 30)))
    dispatcher.wake([to.id])
    await stage.drained(60_000)
    expect(received()).toEqual(ids)
    expect(receiver.most()).toBe(1)
    expect((await deliveriesOf(stage.sql, to)).every(({ status }) => status === 'DELIVERED')).toBe(true)
  })

  it('waits for the retry of one that failed, also when another process goes on, and for nothing else', async () => {
    const to = await stage.endpoint('/', { ordered: true })
    const ids = await stage.due(to, 6)
    answering(notice => (notice.deliveryId === ids[2] && isFirst(notice) ? 503 : 204))
    const first = await stage.dispatcher()
    await until('the third one waits', async () =>
      (await deliveriesOf(stage.sql, to)).some(({ outcome }) => outcome === 'HTTP_STATUS'),
    )
    await first.close()
    await stage.due(to, 2).then(more => ids.push(...more))
    const second = await stage.dispatcher()
    // one that was delivered is sent again at once, on somebody's word
    await stage.sql(
      `insert into webhook_due (shard, application_id, due_at, delivery_id, organization_key, attempt, trigger)
       values ($1, $2, now(), $3, $4, 2, 'MANUAL')`,
      [to.shard, to.id, ids[0], to.organizationId],
    )
    second.wake([to.id])
    await stage.drained(30_000)
    const [a, b, c, ...rest] = ids
    expect(received()).toEqual([a, b, c, a, c, ...rest])
    const [failed, retried] = stage.receiver.notices.filter(({ deliveryId }) => deliveryId === c) as [
      Notice,
      Notice,
    ]
    expect(retried.at - failed.at).toBeGreaterThanOrEqual(4_999)
  })

  it('goes on after one that failed for good', async () => {
    const to = await stage.endpoint('/', { ordered: true })
    const ids = await stage.due(to, 5)
    answering(({ deliveryId }) => (deliveryId === ids[1] ? 400 : 204))
    await stage.dispatcher()
    await stage.drained()
    expect(received()).toEqual(ids)
    expect((await deliveriesOf(stage.sql, to)).map(({ status }) => status)).toEqual([
      'DELIVERED',
      'FAILED',
      'DELIVERED',
      'DELIVERED',
      'DELIVERED',
    ])
  })

  it('gets what was kept for it in order when it is resumed, with what failed before first', async () => {
    const to = await stage.endpoint('/', { ordered: true })
    const ids = await stage.due(to, 40)
    answering(notice => (notice.deliveryId === ids[4] && isFirst(notice) ? 500 : 204))
    const dispatcher = await stage.dispatcher()
    await until('one waits to be retried', async () =>
      (await deliveriesOf(stage.sql, to)).some(({ outcome }) => outcome === 'HTTP_STATUS'),
    )
    await setEndpoint(to, `status = 'HELD'`)
    dispatcher.wake([to.id])
    ids.push(...(await stage.due(to, 10)))
    await stage.sql(`update webhook_due set due_at = now() - interval '1 minute'`)
    await setEndpoint(to, `status = 'ACTIVE'`)
    dispatcher.wake([to.id])
    await stage.drained(30_000)
    expect(received()).toEqual([...ids.slice(0, 5), ...ids.slice(4)])
  })

  it('has its order from the moment on at which it asks for it', async () => {
    const to = await stage.endpoint('/')
    const ids = await stage.due(to, 150)
    const receiver = answering(notice => (notice.deliveryId === ids[20] && isFirst(notice) ? 503 : 204))
    const dispatcher = await stage.dispatcher()
    await stage.receiver.got(60)
    await setEndpoint(to, 'is_ordered = true')
    dispatcher.wake([to.id])
    const later = await stage.due(to, 20)
    dispatcher.wake([to.id])
    await stage.drained(60_000)
    const laterReceived = received().filter(id => later.includes(id))
    expect([...new Set(laterReceived)]).toEqual(later)
    expect(receiver.most()).toBeGreaterThan(1)
    // all that were there before are over when the first of them is sent
    const before = (await deliveriesOf(stage.sql, to)).filter(({ id }) => id < later[0]!)
    expect(before.every(({ status }) => status === 'DELIVERED')).toBe(true)
    expect(
      received()
        .slice(received().indexOf(later[0]!))
        .every(id => id >= later[0]!),
    ).toBe(true)
    await setEndpoint(to, 'is_ordered = false')
    await stage.due(to, 50)
    dispatcher.wake([to.id])
    await stage.drained(30_000)
  })
})
