import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { crowd } from '#tests/support/crowd.ts'
import { defined, firstOf, itemAt, lastOf, only } from '#tests/support/elements.ts'
import {
  expectedSignature,
  openReceiver,
  type ReceivedWebhook,
} from '#tests/support/integrations/receiver.ts'
import { openWebhookHarness, type WebhookHarness } from '#tests/support/integrations/webhook-harness.ts'
import {
  deliveriesOf,
  insertEndpoint,
  insertHome,
  type TestEndpoint,
} from '#tests/support/integrations/webhooks.ts'
import { until } from '#tests/support/processes.ts'
import { insertCopies, insertRows } from '#tests/support/rows.ts'
import { type StoredAttemptRecord, toAttemptRecord } from '../attempt-record.ts'
import type { Dispatcher } from './dispatcher.ts'

let harness: WebhookHarness
let dispatcher: Dispatcher
beforeAll(async () => {
  harness = await openWebhookHarness()
  dispatcher = await harness.dispatcher()
})
afterAll(() => harness?.close())

const attemptsOf = async ({ organizationId }: TestEndpoint, deliveryId: string, { sql } = harness) => {
  const rows = await sql<{ n: number; record: StoredAttemptRecord }>(
    `select 1 as n, first_record as record from webhook_delivery
     where organization_id = $1 and id = $2 and first_record is not null
     union all select n, record from webhook_attempt where organization_id = $1 and delivery_id = $2 order by n`,
    [organizationId, deliveryId],
  )
  return rows.map(({ n, record }) => ({ n, ...toAttemptRecord(record) }))
}

describe('a delivery', () => {
  it('arrives once, with its headers and a signature of its exact bytes', async () => {
    const to = await harness.endpoint('/once?with=query')
    harness.receiver.replyWith(
      (response, _webhook) => response.writeHead(200, { 'x-a': 'b' }).end('thank you\0'),
      '/once',
    )
    const id = only(await harness.due(to))
    dispatcher.wake([to.id])
    const [webhook] = (await harness.receiver.waitFor(1, '/once')) as [ReceivedWebhook]
    expect(webhook).toMatchObject({ deliveryId: id, event: 'WEBHOOK_TEST', path: '/once?with=query' })
    expect(webhook.headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': 'Patio-Webhooks/1',
      'x-service-schema-version': '2026-07',
    })
    expect(webhook.signature).toBe(expectedSignature(webhook, to.secret))
    expect(Math.abs(webhook.timestampMs - Date.now())).toBeLessThan(5_000)
    expect(webhook.headers['x-service-signature-next']).toBeUndefined()
    await harness.drained()
    expect(await deliveriesOf(harness.sql, to)).toEqual([
      { id, status: 'DELIVERED', attempts: 1, outcome: 'DELIVERED', last_status: 200 },
    ])
    expect(await attemptsOf(to, id)).toMatchObject([
      {
        n: 1,
        outcome: 'DELIVERED',
        status: 200,
        answer: 'thank you',
        trigger: 'AUTOMATIC',
        address: '127.0.0.1',
      },
    ])
  })

  it('carries both signatures while a secret is prepared', async () => {
    const to = await harness.endpoint('/two')
    const other = await harness.endpoint('/unused')
    await insertCopies(harness, 'webhook_secret', { application_id: other.id }, 1, () => ({
      application_id: to.id,
      id: 'next',
      state: 'PREPARED',
    }))
    await harness.due(to)
    const [webhook] = (await harness.receiver.waitFor(1, '/two')) as [ReceivedWebhook]
    expect(webhook.signature).toBe(expectedSignature(webhook, to.secret))
    expect(webhook.headers['x-service-signature-next']).toBe(expectedSignature(webhook, other.secret))
  })

  it('is found without a wake-up signal', async () => {
    const to = await harness.endpoint('/poll')
    await harness.due(to, 3)
    await harness.receiver.waitFor(3, '/poll', 2_000)
  })
})

describe('outcomes', () => {
  const finals = [
    200, 201, 204, 299, 300, 301, 302, 304, 307, 308, 400, 401, 403, 404, 409, 410, 418, 422, 499,
  ]
  it('2xx is delivered; 3xx and 4xx except 408, 425 and 429 fail at the first attempt', async () => {
    const all = await Promise.all(
      finals.map(async status => {
        const to = await harness.endpoint(`/status/${status}/`)
        harness.receiver.replyWith(
          (response, _webhook) => response.writeHead(status, { location: '/redirected' }).end(),
          `/status/${status}/`,
        )
        await harness.due(to)
        return { status, to }
      }),
    )
    await harness.drained()
    for (const { status, to } of all) {
      const isGood = status < 300
      expect(await deliveriesOf(harness.sql, to), String(status)).toMatchObject([
        {
          status: isGood ? 'DELIVERED' : 'FAILED',
          attempts: 1,
          outcome: isGood ? 'DELIVERED' : status < 400 ? 'REDIRECT' : 'HTTP_STATUS',
          last_status: status,
        },
      ])
    }
    expect(harness.receiver.received.some(({ path }) => path === '/redirected')).toBe(false)
    const gone = only(
      await harness.sql<{ n: number }>(
        'select count(*)::int as n from webhook_endpoint where gone_at is not null',
      ),
    )
    await until('410 is noted', async () =>
      gone.n === 1
        ? true
        : (await harness.sql('select 1 from webhook_endpoint where gone_at is not null')).length === 1,
    )
  })

  it('408, 425, 429, 5xx and network failures are retried after 5 s with the same id and bytes', async () => {
    const cases: Record<string, { to: TestEndpoint; outcome: string; id: string }> = {}
    for (const status of [408, 425, 429, 500, 502, 503, 504, 599]) {
      harness.receiver.replyWith(
        ({ path }: ReceivedWebhook) => (firstOn(path) ? status : 204),
        `/again/${status}/`,
      )
      cases[status] = { to: await harness.endpoint(`/again/${status}/`), outcome: 'HTTP_STATUS', id: '' }
    }
    const firstOn = (path: string) => harness.receiver.received.filter(one => one.path === path).length === 1
    harness.receiver.replyWith(
      (response, { path }) =>
        firstOn(path) ? defined(response.socket).destroy() : response.writeHead(204).end(),
      '/again/reset/',
    )
    cases.reset = { to: await harness.endpoint('/again/reset/'), outcome: 'RESET', id: '' }
    for (const one of Object.values(cases)) one.id = only(await harness.due(one.to))
    await harness.drained(30_000)
    for (const [name, { to, outcome, id }] of Object.entries(cases)) {
      expect(await attemptsOf(to, id), name).toMatchObject([
        { n: 1, outcome },
        { n: 2, outcome: 'DELIVERED' },
      ])
      expect(await deliveriesOf(harness.sql, to)).toMatchObject([{ status: 'DELIVERED', attempts: 2 }])
      const [first, second] = harness.receiver.received.filter(one => one.deliveryId === id) as [
        ReceivedWebhook,
        ReceivedWebhook,
      ]
      expect(second.body).toBe(first.body)
      expect(second.timestampMs).toBeGreaterThan(first.timestampMs)
      expect(second.signature).toBe(expectedSignature(second, to.secret))
      const waited = second.at - first.at
      expect(waited, name).toBeGreaterThanOrEqual(4_999)
      expect(waited, name).toBeLessThan(5_000 + 750 * crowd())
    }
  })

  it('refused connection, unknown host, blocked address and bad TLS have distinct outcomes', async () => {
    const silent = createServer(socket => socket.end('nonsense\r\n\r\n'))
    await new Promise<void>(resolve => silent.listen(0, '127.0.0.1', resolve))
    const { port } = silent.address() as { port: number }
    const cases: [url: string, outcome: string, isFinal: boolean][] = [
      ['http://127.0.0.1:1/', 'CONNECT', false],
      ['http://no-such-name.invalid/', 'DNS', false],
      ['http://10.0.0.1/', 'BLOCKED_ADDRESS', true],
      ['http://[::ffff:169.254.169.254]/', 'BLOCKED_ADDRESS', true],
      [`https://127.0.0.1:${port}/`, 'TLS', false],
      [`http://127.0.0.1:${port}/`, 'RESET', false],
    ]
    for (const [url, outcome, isFinal] of cases) {
      const to = await harness.endpoint('', { url })
      const id = only(await harness.due(to))
      dispatcher.wake([to.id])
      await until(`${url} was tried`, async () => (await attemptsOf(to, id)).length === 1)
      expect(await attemptsOf(to, id), url).toMatchObject([{ outcome }])
      expect(await deliveriesOf(harness.sql, to), url).toMatchObject([
        { status: isFinal ? 'FAILED' : 'PENDING' },
      ])
      await harness.sql(`update application set status = 'DISABLED' where id = $1`, [to.id])
      await harness.sql('delete from webhook_due where application_id = $1', [to.id])
    }
    silent.close()
  })

  it('a response of any length counts by its status, and only its beginning is stored', async () => {
    const to = await harness.endpoint('/long')
    harness.receiver.replyWith((response, _webhook) => {
      response.writeHead(200)
      response.write('x'.repeat(10_000))
      const more = setInterval(() => response.write('y'.repeat(20_000)), 1)
      response.on('close', () => clearInterval(more))
      response.on('error', () => {})
    }, '/long')
    const id = only(await harness.due(to))
    await harness.drained()
    const [attempt] = await attemptsOf(to, id)
    expect(attempt).toMatchObject({ outcome: 'DELIVERED', status: 200, answer: 'x'.repeat(4_096) })
  })

  it('no complete response in time is a timeout, even if bytes trickle in', async () => {
    const other = await openWebhookHarness()
    try {
      const quick = await other.dispatcher({ web: { timeoutMs: 300 } })
      const to = await other.endpoint('/never')
      other.receiver.replyWith((_response, _webhook) => {}, '/never')
      const id = only(await other.due(to))
      quick.wake([to.id])
      await until('it was tried', async () => (await deliveriesOf(other.sql, to))[0]?.outcome === 'TIMEOUT')
      const attempt = only(await attemptsOf(to, id, other))
      expect(attempt.durationMs).toBeGreaterThanOrEqual(298)
      expect(attempt.durationMs).toBeLessThan(300 + 300 * crowd())
    } finally {
      await other.close()
    }
  })
})

describe('five attempts', () => {
  // tests/long waits for all of it
  it('are due 5, 10, 20 and 40 s after the end of the previous one in any process, and the fifth is the last', async () => {
    const other = await openWebhookHarness()
    try {
      const to = await other.endpoint('/fails')
      other.receiver.replyWith(500, '/fails')
      const [id] = await other.due(to)
      for (const [n, wait] of [5, 10, 20, 40].entries()) {
        const one = await other.dispatcher()
        const due = (attempt: number) =>
          other.sql<{ wait: number }>(
            `select extract(epoch from d.due_at - a.started_at)::float8 - (a.record ->> 'durationMs')::int / 1000.0 as wait
             from webhook_due d join (
               select id as delivery_id, 1 as n, first_started_at as started_at, first_record as record from webhook_delivery
               union all select delivery_id, n, started_at, record from webhook_attempt
             ) a on a.delivery_id = d.delivery_id and a.n = d.attempt - 1
             where d.attempt = $1`,
            [attempt],
          )
        await until('the next one is due', async () => (await due(n + 2)).length === 1)
        await one.close()
        const next = only(await due(n + 2))
        expect(next.wait).toBeGreaterThan(wait - 0.005)
        expect(next.wait).toBeLessThan(wait + 0.05 * crowd())
        await other.sql('update webhook_due set due_at = now()')
      }
      await other.dispatcher()
      await other.drained()
      expect(await deliveriesOf(other.sql, to)).toMatchObject([
        { id, status: 'FAILED', attempts: 5, outcome: 'HTTP_STATUS', last_status: 500 },
      ])
      expect(other.receiver.received).toHaveLength(5)
    } finally {
      await other.close()
    }
  })
})

describe('an endpoint', () => {
  it('that is paused gets nothing, and everything after it is resumed', async () => {
    const to = await harness.endpoint('/held')
    await harness.sql(`update webhook_endpoint set status = 'HELD' where application_id = $1`, [to.id])
    await harness.due(to, 50)
    dispatcher.wake([to.id])
    await sleep(600)
    expect(harness.receiver.received.filter(({ path }) => path === '/held')).toEqual([])
    expect((await deliveriesOf(harness.sql, to)).every(({ status }) => status === 'PENDING')).toBe(true)
    await harness.sql(`update webhook_endpoint set status = 'ACTIVE' where application_id = $1`, [to.id])
    dispatcher.wake([to.id])
    await harness.receiver.waitFor(50, '/held')
    await harness.drained()
    expect(
      new Set(harness.receiver.received.filter(({ path }) => path === '/held').map(one => one.deliveryId))
        .size,
    ).toBe(50)
  })

  it('whose URL changed while it was paused receives at the new URL', async () => {
    const elsewhere = await openReceiver()
    try {
      const to = await harness.endpoint('/moves')
      await harness.due(to)
      await harness.receiver.waitFor(1, '/moves')
      await harness.drained()
      const set = (what: string, value: string) =>
        harness.sql(`update webhook_endpoint set ${what} = $2 where application_id = $1`, [to.id, value])
      await set('status', 'HELD')
      dispatcher.wake([to.id])
      await sleep(600)
      await set('url', `${elsewhere.url}/moved`)
      await harness.due(to)
      await set('status', 'ACTIVE')
      dispatcher.wake([to.id])
      await elsewhere.waitFor(1, '/moved')
      await harness.drained()
      expect(harness.receiver.received.filter(({ path }) => path === '/moved')).toEqual([])
    } finally {
      await elsewhere.close()
    }
  })

  it('of an organization that is suspended or lost the module gets nothing and loses nothing', async () => {
    const losses = [
      ['suspended_at = now()', 'suspended_at = null'],
      [`modules_removed = '{integrations}'`, `modules_removed = '{}'`],
      [`plan = 'FREE'`, `modules_added = '{integrations}'`],
    ] as const
    await Promise.all(
      losses.map(async ([loss, back]) => {
        const home = await insertHome(harness.sql)
        const at = `/without/${home.organizationId}`
        const to = await insertEndpoint(harness.sql, home, { url: `${harness.receiver.url}${at}` })
        await harness.due(to)
        await harness.receiver.waitFor(1, at)
        const change = (what: string) =>
          harness.sql(`update organization set ${what} where id = $1`, [to.organizationId])
        await change(loss)
        // longer than an endpoint is reused
        await sleep(600)
        await harness.due(to, 3)
        await sleep(600)
        expect(
          harness.receiver.received.filter(({ path }) => path === at),
          loss,
        ).toHaveLength(1)
        await change(back)
        await harness.receiver.waitFor(4, at)
      }),
    )
  })

  it('that is paused while sending stops, and continues without sending anything twice', async () => {
    const to = await harness.endpoint('/middle')
    harness.receiver.replyWith(
      (response, _webhook) => void setTimeout(() => response.writeHead(204).end(), 30),
      '/middle',
    )
    await harness.due(to, 400)
    await harness.receiver.waitFor(40, '/middle')
    await harness.sql(`update webhook_endpoint set status = 'HELD' where application_id = $1`, [to.id])
    dispatcher.wake([to.id])
    // requests in flight arrive
    await sleep(500 * crowd())
    const before = harness.receiver.received.filter(({ path }) => path === '/middle').length
    await sleep(300)
    expect(harness.receiver.received.filter(({ path }) => path === '/middle').length).toBe(before)
    expect(before).toBeLessThan(400)
    await harness.sql(`update webhook_endpoint set status = 'ACTIVE' where application_id = $1`, [to.id])
    dispatcher.wake([to.id])
    await harness.drained(30_000)
    const got = harness.receiver.received.filter(({ path }) => path === '/middle')
    expect(got).toHaveLength(400)
    expect(new Set(got.map(({ deliveryId }) => deliveryId)).size).toBe(400)
  })

  it('that failed for an hour in its last 20 deliveries is paused; a success resets the count', async () => {
    const bad = await harness.endpoint('/bad')
    harness.receiver.replyWith(400, '/bad')
    await harness.due(bad, 19)
    await harness.drained()
    await until('failures are noted', async () => (await healthOf(bad)).failed_in_row === 19)
    await harness.sql(
      `update webhook_endpoint set failing_since = now() - interval '61 minutes' where application_id = $1`,
      [bad.id],
    )
    expect((await healthOf(bad)).status).toBe('ACTIVE')
    await harness.due(bad, 1)
    await until('it is paused', async () => (await healthOf(bad)).status === 'HELD')
    expect(await healthOf(bad)).toMatchObject({ paused_reason: 'FAILING', failed_in_row: 20 })
    await until('the pause was logged', () => harness.logged().includes('paused a webhook'))
    expect(harness.logged().split('paused a webhook')).toHaveLength(2)
    const rows = await harness.sql<{ audit: object; events: { name: string; data: object }[] }>(
      "select audit, events from outbox where organization_id = $1 and $2 = any(array(select jsonb_path_query(events, '$[*].data.ids[*]') #>> '{}')) order by id",
      [bad.organizationId, bad.id],
    )
    expect(rows.flatMap(({ events }) => events.map(({ name }) => name)).at(-1)).toBe(
      'webhook-endpoint.changed',
    )
    expect(new Set(rows.slice(0, -1).map(({ events }) => firstOf(events).name))).toEqual(
      new Set(['delivery.failed']),
    )
    expect(rows.filter(({ audit }) => audit).map(({ audit }) => ({ audit }))).toEqual([
      {
        audit: {
          actorId: null,
          auth: 'system',
          ip: '',
          client: '',
          requestId: '',
          changed: ['status'],
          operation: 'POST /api/integrations/applications/:id/webhook/hold',
          subject: bad.id,
        },
      },
    ])

    const good = await harness.endpoint('/good')
    await harness.sql(
      `update webhook_endpoint set failing_since = now() - interval '61 minutes', failed_in_row = 30 where application_id = $1`,
      [good.id],
    )
    await harness.due(good, 1)
    await until('the count is at its start', async () => (await healthOf(good)).failing_since === null)
    expect(await healthOf(good)).toMatchObject({ status: 'ACTIVE', failed_in_row: 0 })
  })

  it('receives no more than its rate limit', async () => {
    const to = await harness.endpoint('/paced', { maxPerSecond: 20 })
    await harness.due(to, 30)
    const got = await harness.receiver.waitFor(30, '/paced')
    const lasted = lastOf(got).at - firstOf(got).at
    expect(lasted).toBeGreaterThan(1_300)
    expect(lasted).toBeLessThan(1_500 + 1_000 * crowd())
  })

  it('that was deleted leaves nothing due', async () => {
    const to = await harness.endpoint('/deleted')
    await harness.due(to, 5)
    await harness.sql('delete from webhook_endpoint where application_id = $1', [to.id])
    await harness.drained()
    const rows = await deliveriesOf(harness.sql, to)
    expect(rows.every(({ status, attempts }) => status === 'CANCELLED' || attempts > 0)).toBe(true)
  })

  const healthOf = async ({ id }: TestEndpoint) =>
    only(
      await harness.sql<{
        status: string
        failed_in_row: number
        failing_since: string | null
        paused_reason: string
      }>('select * from webhook_endpoint where application_id = $1', [id]),
    )
})

it('an endpoint that hangs or has an invalid address does not delay the others', async () => {
  const hung = await harness.endpoint('/hangs')
  harness.receiver.replyWith((_response, _webhook) => {}, '/hangs')
  const wrong = await harness.endpoint('', { url: 'no address' })
  await harness.due(hung, 1_000)
  await harness.due(wrong, 5)
  dispatcher.wake([hung.id, wrong.id])
  await harness.receiver.waitFor(8, '/hangs')
  const others = await Promise.all(Array.from({ length: 10 }, (_, n) => harness.endpoint(`/beside/${n}/`)))
  const startedAt = performance.now()
  for (const to of others) await harness.due(to, 20)
  dispatcher.wake(others.map(({ id }) => id))
  await harness.receiver.waitFor(200, '/beside/')
  // the hanging request times out after ten seconds
  expect(performance.now() - startedAt).toBeLessThan(8_000 * crowd())
  expect(harness.receiver.received.filter(({ path }) => path === '/hangs').length).toBeLessThanOrEqual(8)
  expect((await deliveriesOf(harness.sql, wrong)).every(({ status }) => status === 'PENDING')).toBe(true)
  await harness.sql('delete from webhook_endpoint where application_id = any($1)', [[hung.id, wrong.id]])
})

it('a manual retry is one attempt and does not change the count of five', async () => {
  const to = await harness.endpoint('/manual')
  harness.receiver.replyWith(500, '/manual')
  await hold(to, true)
  const id = only(await harness.due(to))
  await again(to, id, 'MANUAL', 6)
  await harness.sql('delete from webhook_new_range where application_id = $1', [to.id])
  await hold(to, false)
  await harness.drained()
  expect(await attemptsOf(to, id)).toMatchObject([{ n: expect.any(Number), outcome: 'HTTP_STATUS' }])
})

describe('a new range', () => {
  it('is sent once per delivery, next to due rows between its ids', async () => {
    const to = await harness.endpoint('/range')
    await hold(to, true)
    const ids = await harness.due(to, 300)
    const later = await harness.due(to, 30)
    await again(to, itemAt(ids, 100), 'RECOVERY', 1)
    await hold(to, false)
    dispatcher.wake([to.id])
    await harness.drained()
    const got = harness.receiver.received.filter(({ path }) => path === '/range')
    expect(got.map(({ deliveryId }) => deliveryId).sort()).toEqual([...ids, ...later].sort())
    expect((await deliveriesOf(harness.sql, to)).every(({ attempts }) => attempts === 1)).toBe(true)
  })

  it('is one row until its last first attempt; retries have their own rows', async () => {
    const to = await harness.endpoint('/mixed')
    const release: (() => void)[] = []
    const ids = await harness.due(to, 3)
    harness.receiver.replyWith((response, { deliveryId }) => {
      const answer = () => void response.writeHead(deliveryId === ids[0] ? 500 : 204).end()
      if (deliveryId === ids[2]) release.push(answer)
      else answer()
    }, '/mixed')
    const waiting = async () => ({
      fresh: (await harness.sql('select from webhook_new_range where application_id = $1', [to.id])).length,
      due: await harness.sql(
        'select delivery_id as id, attempt, retries, trigger from webhook_due where application_id = $1',
        [to.id],
      ),
    })
    const due = [{ id: ids[0], attempt: 2, retries: 1, trigger: 'AUTOMATIC' }]
    await until('two are recorded', async () =>
      (await deliveriesOf(harness.sql, to)).every(({ id, attempts }) => attempts === (id === ids[2] ? 0 : 1)),
    )
    expect(await waiting()).toEqual({ fresh: 1, due })
    only(release)()
    await until('the range is gone', async () => (await waiting()).fresh === 0)
    expect(await waiting()).toEqual({ fresh: 0, due })
    await harness.sql('delete from webhook_due where application_id = $1', [to.id])
  })

  it('without deliveries is deleted', async () => {
    const to = await harness.endpoint('/nothing')
    await hold(to, true)
    await harness.due(to, 5)
    await harness.sql(`update webhook_delivery set status = 'CANCELLED' where application_id = $1`, [to.id])
    await hold(to, false)
    await harness.drained()
    expect(harness.receiver.received.filter(({ path }) => path === '/nothing')).toEqual([])
  })
})

const hold = ({ id }: TestEndpoint, wasPaused: boolean) =>
  harness.sql('update webhook_endpoint set status = $2 where application_id = $1', [
    id,
    wasPaused ? 'HELD' : 'ACTIVE',
  ])
/** Inserts a row of webhook_due for a delivery. */
const again = (to: TestEndpoint, id: string, trigger: string, attempt: number) =>
  insertRows(harness, 'webhook_due', [
    {
      shard: to.shard,
      application_id: to.id,
      delivery_id: id,
      organization_key: to.organizationId,
      attempt,
      trigger,
    },
  ])

it('the log contains no secret', () => {
  expect(harness.logged()).not.toMatch(/whsec_/)
})
