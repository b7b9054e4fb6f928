import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { listAudit, verifyAudit } from '#contract/identity/audit-log.ts'
import {
  activateWebhookSecret,
  holdWebhook,
  listWebhookSecrets,
  prepareWebhookSecret,
  readWebhook,
  readWebhookHealth,
  removeWebhook,
  resumeWebhook,
  retireWebhookSecret,
  setWebhook,
  testWebhook,
} from '#contract/integrations/webhook.ts'
import { limits } from '#contract/limits.ts'
import { newId } from '#platform/ids.ts'
import { verifyWebhook, WebhookRefused } from '#sdk/webhook.ts'
import { atLeast, firstOf, lastOf, only } from '#tests/support/elements.ts'
import { makeApplication } from '#tests/support/integrations/applications.ts'
import type { ReceivedWebhook } from '#tests/support/integrations/receiver.ts'
import { openWebhookFixtures, type WebhookFixtures } from '#tests/support/integrations/webhook-fixtures.ts'
import { until } from '#tests/support/processes.ts'
import { plantUsed } from '#tests/support/rates.ts'
import { insertRows } from '#tests/support/rows.ts'
import { assertEvents } from './endpoint.rules.ts'

let { server, org, manager, clerk, stranger, receiver } = {} as WebhookFixtures
beforeAll(async () => {
  ;({ server, org, manager, clerk, stranger, receiver } = await openWebhookFixtures())
})
afterAll(() => Promise.all([server?.close(), receiver?.close()]))
beforeEach(() => server.sql('delete from rate_window'))

const put = (id: string, body: object, who = manager) =>
  who.send(setWebhook, { params: { id }, body: body as never })
const path = () => `/${newId()}`
/** An application with a webhook of the receiver. */
async function hooked(options: object = {}) {
  const [{ id }, at] = [await makeApplication(server, org), path()]
  const { body } = await put(id, { url: `${receiver.url}${at}`, events: ['WEBHOOK_TEST'], ...options })
  return { id, at, secret: (body as { secret: string }).secret }
}
const sendTest = (id: string) => manager.call(testWebhook, { params: { id } })
const isGood = (webhook: ReceivedWebhook, secret: string | string[]) => {
  try {
    return verifyWebhook(webhook.body, webhook.headers, secret).event === 'WEBHOOK_TEST'
  } catch (error) {
    if (error instanceof WebhookRefused) return error.reason
    throw error
  }
}

describe('setting a webhook', () => {
  test('creates a secret the first time, which is shown only once', async () => {
    const { id } = await makeApplication(server, org)
    const url = `${receiver.url}/made#part`
    const made = await put(id, { url, events: ['WEBHOOK_TEST'] })
    expect(made.status).toBe(201)
    const { secret, ...shown } = made.body as typeof made.body & { secret: string }
    expect(shown).toEqual({
      url: `${receiver.url}/made`,
      events: ['WEBHOOK_TEST'],
      maxPerSecond: null,
      status: 'ACTIVE',
      ordered: false,
      standardHeaders: false,
      heldReason: null,
      heldAt: null,
      updatedAt: expect.any(String),
    })
    expect(secret).toMatch(/^whsec_[0-9A-Za-z]{44}$/)
    const again = await put(id, { url, events: [], maxPerSecond: 5 })
    expect([again.status, again.body]).toEqual([
      200,
      { ...shown, events: [], maxPerSecond: 5, updatedAt: expect.any(String) },
    ])
    const read = await manager.send(readWebhook, { params: { id } })
    expect(read.body).toEqual(again.body)
    const rows = await server.sql('select * from webhook_secret where application_id = $1', [id])
    expect(rows).toMatchObject([{ state: 'CURRENT', organization_id: org.id }])
    for (const text of [again.text, read.text, JSON.stringify(rows), server.logged()])
      expect(text).not.toContain(secret)
    await server.relayed()
    const events = await server.sql('select changed from audit where subject = $1 order by seq', [id])
    expect(events).toEqual([
      { changed: ['url', 'events', 'maxPerSecond', 'ordered', 'standardHeaders'] },
      { changed: ['events', 'maxPerSecond'] },
    ])
    // a request without a change does not update the row
    expect((await put(id, { url, events: [], maxPerSecond: 5 })).body).toEqual(again.body)
  })

  test('options are stored, and a PUT without them resets them', async () => {
    const { id } = await makeApplication(server, org)
    const body = { url: 'https://1.1.1.1/', events: [] }
    const options = { ordered: true, standardHeaders: true }
    expect((await put(id, { ...body, ...options })).body).toMatchObject(options)
    expect(await manager.call(readWebhook, { params: { id } })).toMatchObject(options)
    expect((await put(id, body)).body).toMatchObject({ ordered: false, standardHeaders: false })
    await server.relayed()
    const [, { changed } = {}] = await server.sql<{ changed: string[] }>(
      'select changed from audit where subject = $1 order by seq',
      [id],
    )
    expect(changed).toEqual(['ordered', 'standardHeaders'])
  })

  test('one of many concurrent requests creates it, with one secret', async () => {
    const { id } = await makeApplication(server, org)
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => put(id, { url: 'https://1.1.1.1/', events: [] })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 201])
    expect((await manager.call(listWebhookSecrets, { params: { id } })).items).toHaveLength(1)
  })

  test.each([
    ['not an address', 'must be a URL'],
    ['ftp://1.1.1.1/', 'must begin with https://'],
    ['http://1.1.1.1/', 'must begin with https://'],
    ['https://user:word@1.1.1.1/', 'must not contain a user name or password'],
    ['https://user@1.1.1.1/', 'must not contain a user name or password'],
    ['https://10.0.0.1/', 'public IP address'],
    ['https://[::ffff:169.254.169.254]/', 'public IP address'],
    ['https://0x0a000001/', 'public IP address'],
    ['https://nowhere.invalid/', 'resolves to an IP address'],
  ])('%s is refused', async (url, message) => {
    const { id } = await makeApplication(server, org)
    const answer = await put(id, { url, events: [] })
    expect(answer).toMatchObject({
      status: 400,
      body: {
        errorCode: 'VALIDATION_ERROR',
        details: [{ path: 'url', message: expect.stringContaining(message) }],
      },
    })
    expect(await manager.send(readWebhook, { params: { id } })).toMatchObject({ status: 404 })
  })

  test.each([
    ['chat.message.created', 'CHAT_MESSAGE_CREATED'],
    ['webhook.test', 'WEBHOOK_TEST'],
    ['webhook_test', 'WEBHOOK_TEST'],
    ['NO_SUCH_EVENT', 'catalogue'],
  ])('the event %s is refused', async (name, message) => {
    const { id } = await makeApplication(server, org)
    expect(await put(id, { url: 'https://1.1.1.1/', events: ['WEBHOOK_TEST', name] })).toMatchObject({
      status: 400,
      body: { details: [{ path: 'events.1', message: expect.stringContaining(message) }] },
    })
  })

  test('values beyond their limits are refused', async () => {
    const { id } = await makeApplication(server, org)
    const good = { url: 'https://1.1.1.1/', events: [] }
    for (const more of [
      { url: `https://1.1.1.1/${'x'.repeat(limits.webhookUrl)}` },
      { maxPerSecond: 0 },
      { maxPerSecond: limits.webhookPerSecond + 1 },
      { events: ['WEBHOOK_TEST', 'WEBHOOK_TEST'] },
      { events: ['X'.repeat(limits.webhookEvent + 1)] },
      { url: undefined },
      { events: undefined },
      { other: 1 },
    ])
      expect(await put(id, { ...good, ...more })).toMatchObject({ status: 400 })
  })

  test('an event needs its scope', () => {
    const definitionOf = () => ({ scope: 'chat:events:subscribe' as const })
    const catalogue = ['CHAT_ONE', 'CHAT_TWO']
    expect(
      assertEvents(['CHAT_TWO', 'CHAT_ONE'], ['chat:events:subscribe'], definitionOf, catalogue),
    ).toEqual(catalogue)
    expect(() => assertEvents(['CHAT_ONE'], ['chat:messages:view'], definitionOf, catalogue)).toThrow(
      expect.objectContaining({ code: 'VALIDATION_ERROR' }),
    )
  })
})

test('people without the permission and other organizations are refused', async () => {
  const { id } = await hooked()
  const { id: bare } = await makeApplication(server, org)
  const secretId = only((await manager.call(listWebhookSecrets, { params: { id } })).items).id
  const calls = [
    [setWebhook, { body: { url: 'https://1.1.1.1/', events: [] } }],
    [readWebhook, {}],
    [readWebhookHealth, {}],
    [holdWebhook, {}],
    [resumeWebhook, {}],
    [testWebhook, {}],
    [listWebhookSecrets, {}],
    [prepareWebhookSecret, {}],
    [activateWebhookSecret, {}],
    [retireWebhookSecret, {}],
    [removeWebhook, {}],
  ] as const
  for (const [endpoint, more] of calls) {
    const of = (id: string) => ({ ...more, params: { id, secretId } }) as never
    expect(await clerk.send(endpoint as typeof readWebhook, of(id))).toMatchObject({ status: 403 })
    const theirs = await stranger.send(endpoint as typeof readWebhook, of(id))
    const unknown = await stranger.send(endpoint as typeof readWebhook, of(newId()))
    expect(theirs).toMatchObject({ status: 404, body: { errorCode: 'APPLICATION_NOT_FOUND' } })
    expect(theirs.text).toBe(unknown.text)
    if (endpoint !== setWebhook) {
      const none = await manager.send(endpoint as typeof readWebhook, of(bare))
      expect(none).toMatchObject({ status: 404, body: { errorCode: 'WEBHOOK_NOT_FOUND' } })
    }
  }
  expect((await manager.send(readWebhook, { params: { id } })).status).toBe(200)
})

test('a test event is delivered like every other one and shows in the health', async () => {
  const { id, at, secret } = await hooked({ events: [] })
  const { eventId } = await sendTest(id)
  const webhook = firstOf(await receiver.waitFor(1, at))
  expect(isGood(webhook, secret)).toBe(true)
  expect(isGood(webhook, 'whsec_other')).toBe('SIGNATURE_WRONG')
  expect(JSON.parse(webhook.body)).toMatchObject({
    event: 'WEBHOOK_TEST',
    app: { id },
    data: { message: 'This is a test.' },
  })
  const health = () => manager.call(readWebhookHealth, { params: { id } })
  await until('it is noted', async () => (await health()).lastDeliveredAt !== null)
  expect(await health()).toMatchObject({
    status: 'ACTIVE',
    failingSince: null,
    failedInRow: 0,
    waiting: 0,
    oldestDueAt: null,
    goneAt: null,
    last24Hours: { delivered: 1, failed: 0 },
    lastFailure: null,
  })
  receiver.replyWith(410, at)
  await sendTest(id)
  await until('that is noted too', async () => (await health()).failedInRow === 1)
  expect(await health()).toMatchObject({
    goneAt: expect.any(String),
    failingSince: expect.any(String),
    last24Hours: { delivered: 1, failed: 1 },
    lastFailure: {
      deliveryId: expect.any(String),
      event: 'WEBHOOK_TEST',
      outcome: 'HTTP_STATUS',
      status: 410,
    },
  })
  const [row] = await server.sql(
    'select event_id from webhook_delivery where application_id = $1 order by id',
    [id],
  )
  expect(row).toEqual({ event_id: eventId })
})

test('deliveries of a paused webhook wait, and are sent in order when it is resumed', async () => {
  const { id, at, secret } = await hooked()
  const held = await manager.call(holdWebhook, { params: { id } })
  expect(held).toMatchObject({ status: 'HELD', heldReason: 'PERSON', heldAt: expect.any(String) })
  expect(await manager.call(holdWebhook, { params: { id } })).toEqual(held)
  expect(await manager.send(testWebhook, { params: { id } })).toMatchObject({
    status: 409,
    body: { errorCode: 'WEBHOOK_HELD' },
  })
  // an event during the pause; operations refuse test events now, so it is emitted directly
  const eventId = newId()
  const waits = {
    id: eventId,
    name: 'WEBHOOK_TEST',
    actorId: null,
    data: { message: 'kept' },
    about: { applicationId: id },
  }
  await insertRows(server, 'outbox', [{ organization_id: org.id, events: [waits] }])
  const health = () => manager.call(readWebhookHealth, { params: { id } })
  await until('it waits', async () => (await health()).waiting === 1)
  expect((await health()).oldestDueAt).toEqual(expect.any(String))
  expect(receiver.received.filter(({ path }) => path === at)).toEqual([])

  const resumed = await manager.call(resumeWebhook, { params: { id } })
  expect(resumed).toMatchObject({ status: 'ACTIVE', heldReason: null, heldAt: null })
  expect(await manager.call(resumeWebhook, { params: { id } })).toEqual(resumed)
  const webhook = firstOf(await receiver.waitFor(1, at))
  expect(isGood(webhook, secret)).toBe(true)
  expect(JSON.parse(webhook.body).data).toEqual({ message: 'kept' })
})

test('one that failed for too long is paused, and the audit log names the server as the actor', async () => {
  const { id, at } = await hooked()
  receiver.replyWith(400, at)
  const [deliveries, minutes] = [limits.webhookHoldDeliveries - 1, limits.webhookHoldMinutes]
  await server.sql(
    `update webhook_endpoint set failed_in_row = $2, failing_since = now() - make_interval(mins => $3)
     where application_id = $1`,
    [id, deliveries, minutes],
  )
  await sendTest(id)
  const held = () => manager.call(readWebhook, { params: { id } })
  await until('it is held', async () => (await held()).status === 'HELD')
  expect(await held()).toMatchObject({ heldReason: 'FAILING', heldAt: expect.any(String) })
  await server.relayed()
  const owner = await org.person({ role: 'OWNER' })
  const query = { subject: id, operation: 'POST /api/integrations/applications/:id/webhook/hold' }
  expect((await owner.call(listAudit, { query })).items).toMatchObject([
    { actorId: null, actorName: null, auth: 'system', changed: ['status'] },
  ])
  expect(await owner.call(verifyAudit)).toMatchObject({ valid: true })
})

test('one whose application is disabled sends nothing', async () => {
  const { id } = await hooked()
  await server.sql(`update application set status = 'DISABLED' where id = $1`, [id])
  expect(await manager.send(testWebhook, { params: { id } })).toMatchObject({ status: 409 })
})

test('test events are limited', async () => {
  const { id } = await hooked()
  await plantUsed(server, {
    bucket: 'test-webhook',
    caller: `${org.id}/${manager.id}`,
    used: limits.webhookTestsPerHour,
    windowSeconds: 3_600,
  })
  expect(await manager.send(testWebhook, { params: { id } })).toMatchObject({ status: 429 })
})

test('deleting one deletes its secrets and cancels waiting deliveries', async () => {
  const { id, at } = await hooked()
  receiver.replyWith(503, at)
  await sendTest(id)
  await receiver.waitFor(1, at)
  expect(await manager.send(removeWebhook, { params: { id } })).toMatchObject({ status: 204 })
  expect(await manager.send(removeWebhook, { params: { id } })).toMatchObject({ status: 404 })
  expect(await server.sql('select 1 from webhook_secret where application_id = $1', [id])).toEqual([])
  await until('it is cancelled', async () => {
    const rows = await server.sql('select status from webhook_delivery where application_id = $1', [id])
    return rows.length === 1 && only(rows).status === 'CANCELLED'
  })
})

describe('secrets', () => {
  const list = async (id: string) => (await manager.call(listWebhookSecrets, { params: { id } })).items
  const states = async (id: string) => (await list(id)).map(({ state }) => state)
  const move = (endpoint: typeof activateWebhookSecret, id: string, secretId: string) =>
    manager.send(endpoint, { params: { id, secretId } })

  test('rotate without a delivery that a receiver with either secret refuses', async () => {
    const { id, at, secret: old } = await hooked()
    const oldId = only(await list(id)).id
    const prepared = await manager.send(prepareWebhookSecret, { params: { id } })
    expect(prepared).toMatchObject({ status: 201, body: { state: 'PREPARED' } })
    const { secret: next, id: nextId } = prepared.body
    expect(next).toMatch(/^whsec_[0-9A-Za-z]{44}$/)
    expect(await manager.send(prepareWebhookSecret, { params: { id } })).toMatchObject({
      status: 409,
      body: { errorCode: 'SECRET_PREPARED' },
    })
    await sendTest(id)
    const first = firstOf(await receiver.waitFor(1, at))
    expect([isGood(first, old), isGood(first, next)]).toEqual([true, true])

    expect((await move(activateWebhookSecret, id, nextId)).body).toMatchObject({
      id: nextId,
      state: 'CURRENT',
    })
    expect(await states(id)).toEqual(['CURRENT', 'RETIRING'])
    await sendTest(id)
    const [, second] = atLeast(2, await receiver.waitFor(2, at))
    expect([isGood(second, old), isGood(second, next), isGood(second, [old, next])]).toEqual([
      'SIGNATURE_WRONG',
      true,
      true,
    ])
    // back, because a receiver was not updated, and forward again
    expect((await move(activateWebhookSecret, id, oldId)).status).toBe(200)
    await sendTest(id)
    const [, , third] = atLeast(3, await receiver.waitFor(3, at))
    expect([isGood(third, old), isGood(third, next)]).toEqual([true, 'SIGNATURE_WRONG'])
    await move(activateWebhookSecret, id, nextId)
    expect((await move(activateWebhookSecret, id, nextId)).body).toMatchObject({ state: 'CURRENT' })

    expect((await move(retireWebhookSecret, id, oldId)).body).toMatchObject({ id: oldId, state: 'RETIRED' })
    expect((await move(retireWebhookSecret, id, oldId)).status).toBe(200)
    expect(await move(retireWebhookSecret, id, nextId)).toMatchObject({
      status: 409,
      body: { errorCode: 'SECRET_IN_USE' },
    })
    expect(await move(activateWebhookSecret, id, oldId)).toMatchObject({
      status: 409,
      body: { errorCode: 'SECRET_RETIRED' },
    })
    expect(await server.sql('select sealed from webhook_secret where id = $1', [oldId])).toEqual([
      { sealed: '' },
    ])
    for (const endpoint of [activateWebhookSecret, retireWebhookSecret])
      expect(await move(endpoint, id, newId())).toMatchObject({
        status: 404,
        body: { errorCode: 'SECRET_NOT_FOUND' },
      })
  })

  test('only one of many concurrent requests prepares or activates a secret', async () => {
    const { id } = await hooked()
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => manager.send(prepareWebhookSecret, { params: { id } })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409])
    const all = await list(id)
    await Promise.all([...all, ...all].map(one => move(activateWebhookSecret, id, one.id)))
    expect((await states(id)).sort()).toEqual(['CURRENT', 'RETIRING'])
  })

  test('the secret before the previous one is retired', async () => {
    const { id } = await hooked()
    for (let round = 0; round < 2; round++) {
      const { id: secretId } = await manager.call(prepareWebhookSecret, { params: { id } })
      expect((await move(activateWebhookSecret, id, secretId)).status).toBe(200)
    }
    expect(await states(id)).toEqual(['CURRENT', 'RETIRING', 'RETIRED'])
  })

  test('a prepared one can be retired, and only the last retired ones are listed', async () => {
    const { id } = await hooked()
    for (let round = 0; round < limits.retiredWebhookSecretsMax + 3; round++) {
      const { id: secretId } = await manager.call(prepareWebhookSecret, { params: { id } })
      expect(await move(retireWebhookSecret, id, secretId)).toMatchObject({ status: 200 })
    }
    const stored = await states(id)
    expect(stored.filter(state => state === 'CURRENT')).toHaveLength(1)
    expect(stored.length).toBeLessThanOrEqual(limits.retiredWebhookSecretsMax + 2)
  })
})

describe('the headers of Standard Webhooks', () => {
  const headersLike = (headers: ReceivedWebhook['headers'], form: RegExp) =>
    Object.fromEntries(Object.entries(headers).filter(([name]) => form.test(name))) as Record<string, string>

  test('are added when the endpoint enables them, and the reference library verifies them', async () => {
    const { id, at, secret } = await hooked({ standardHeaders: true })
    await sendTest(id)
    const [webhook] = (await receiver.waitFor(1, at)) as [ReceivedWebhook]
    const standard = headersLike(webhook.headers, /^webhook-/)
    expect(standard).toEqual({
      'webhook-id': webhook.deliveryId,
      'webhook-timestamp': String(Math.floor(webhook.timestampMs / 1000)),
      'webhook-signature': expect.stringMatching(/^v1,[\w+/]{43}=$/),
    })
    expect(new Webhook(secret).verify(webhook.body, standard)).toMatchObject({ event: 'WEBHOOK_TEST' })
    const { secret: other } = await hooked()
    expect(() => new Webhook(other).verify(webhook.body, standard)).toThrow('No matching signature')
    expect(() => new Webhook(secret).verify(`${webhook.body} `, standard)).toThrow('No matching signature')

    // the Patio headers do not change, and the SDK accepts both forms
    expect(isGood(webhook, secret)).toBe(true)
    const verified = verifyWebhook(webhook.body, standard, secret)
    expect(verified).toEqual({
      deliveryId: webhook.deliveryId,
      event: 'WEBHOOK_TEST',
      schemaVersion: '2026-07',
      timestampMs: Math.floor(webhook.timestampMs / 1000) * 1000,
    })
    expect(verifyWebhook(webhook.body, headersLike(webhook.headers, /^x-service-/), secret)).toMatchObject({
      event: 'WEBHOOK_TEST',
    })
    expect(() => verifyWebhook(webhook.body, standard, other)).toThrow('SIGNATURE_WRONG')

    // disabled, they are gone
    await put(id, { url: `${receiver.url}${at}`, events: ['WEBHOOK_TEST'] })
    await until('they are gone', async () => {
      const count = receiver.received.filter(({ path }) => path === at).length + 1
      await sendTest(id)
      return (
        headersLike(lastOf(await receiver.waitFor(count, at)).headers, /^webhook-/)['webhook-id'] ===
        undefined
      )
    })
  })

  test('contain a signature of each secret while one is prepared', async () => {
    const { id, at, secret } = await hooked({ standardHeaders: true })
    const next = await manager.call(prepareWebhookSecret, { params: { id } })
    await until('both sign', async () => {
      const count = receiver.received.filter(({ path }) => path === at).length + 1
      await sendTest(id)
      const { headers } = lastOf(await receiver.waitFor(count, at))
      return String(headers['webhook-signature']).split(' ').length === 2
    })
    const { body, headers } = lastOf(receiver.received.filter(({ path }) => path === at))
    for (const one of [secret, next.secret]) {
      const standard = headersLike(headers, /^webhook-/)
      expect(new Webhook(one).verify(body, standard)).toMatchObject({ event: 'WEBHOOK_TEST' })
      expect(verifyWebhook(body, standard, one)).toMatchObject({ event: 'WEBHOOK_TEST' })
    }
  })
})
