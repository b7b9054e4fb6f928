import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  createAuthorization,
  listAuthorizations,
  listPaymentMethods,
  type PaymentAuthorization,
  readAuthorization,
  revokeAuthorization,
} from '#contract/billing/authorizations.ts'
import { chargeInvoice } from '#contract/billing/charges.ts'
import { readConsentText, writeConsentText } from '#contract/billing/consent.ts'
import { connectGateway, type GatewayAccount } from '#contract/billing/gateway.ts'
import { limits } from '#contract/limits.ts'
import type { Input } from '#contract/operation.ts'
import type { Scope } from '#contract/permissions.ts'
import { newId } from '#platform/ids.ts'
import { type GatewayDouble, openDouble } from '#tests/support/billing/gateway/double.ts'
import { plantInvoice } from '#tests/support/billing/invoices.ts'
import { blocked } from '#tests/support/blocked.ts'
import { captured, defined, firstOf, only } from '#tests/support/elements.ts'
import { makeApplication, type TestApplication } from '#tests/support/integrations/applications.ts'
import { refusalOf } from '#tests/support/refusals.ts'
import { insertMany, insertRows } from '#tests/support/rows.ts'
import {
  type Organization,
  type Person,
  startTestServer,
  type TestServer,
} from '#tests/support/test-server.ts'
import { loadPayer } from '../charges/charge/charge-invoice.sql.ts'
import {
  insertAuthorization,
  lockAuthorizationById,
  lockUserAndCount,
  setActive,
} from './authorization.sql.ts'
import { detachCards } from './cards/detach.ts'
import { upsertCard } from './cards/saved-card.sql.ts'

type Body = Input<typeof createAuthorization>['body']
const scopes: Scope[] = ['crm:invoices:read', 'crm:invoices:write', 'billing:charge']

let server: TestServer
let double: GatewayDouble
beforeAll(async () => {
  double = await openDouble()
  server = await startTestServer({ stripe: { url: double.url, timeoutMs: 1_000 } })
})
afterAll(async () => {
  await server?.close()
  await double?.close()
})

type Stage = { organization: Organization; owner: Person; app: TestApplication; account: GatewayAccount }
async function openStage(adapter: 'sandbox' | 'stripe' = 'sandbox'): Promise<Stage> {
  const organization = await server.organization()
  const owner = await organization.person({ role: 'OWNER' })
  const app = await makeApplication(server, organization, { scopes, principal: owner })
  const keys = {
    secretKey: 'sk_test_double',
    webhookSecret: 'whsec_double',
    publishableKey: 'pk_test_double',
  }
  const body = { adapter, ...(adapter === 'stripe' && keys) }
  return { organization, owner, app, account: await owner.call(connectGateway, { body }) }
}
const consent = { locale: 'es', version: 1, ip: '203.0.113.7', userAgent: 'Mozilla/5.0 (Test)' }
const given = (userId: string, more: Partial<Body> = {}): Body => ({
  scope: 'RECURRING',
  ...consent,
  ...more,
  userId,
})
const create = ({ app }: Stage, body: Body) => app.client.call(createAuthorization, { body })
const send = ({ app }: Stage, body: Body) => app.client.send(createAuthorization, { body })
const tokenOf = (cardUrl: string | null) => captured(/\/c\/(.+)/, cardUrl)

/** Submits the sandbox’s card page as the user does. */
function type(
  cardUrl: string | null,
  fields: Record<string, string>,
  path = '',
  accept = 'application/json',
) {
  return fetch(`${server.url}/c/${tokenOf(cardUrl)}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', accept },
    body: new URLSearchParams(fields).toString(),
  })
}
const good = { number: '4242 4242 4242 4242', expires: '12/39' }
const read = ({ app }: Stage, id: string, userId?: string) =>
  app.client.call(readAuthorization, { params: { id }, query: { ...(userId !== undefined && { userId }) } })

test('a user consents, enters a card on the page, and can be charged', async () => {
  const stage = await openStage()
  const { id: invoiceId, userId } = await plantInvoice(server, stage.app)
  const text = await stage.app.client.call(readConsentText, { query: { locale: 'es' } })
  expect(text).toMatchObject({ locale: 'es', version: 1, createdAt: null })
  const { setup, ...created } = await create(stage, given(userId, { limitCents: 20_000 }))
  expect(created).toMatchObject({
    applicationId: stage.app.id,
    userId,
    status: 'PENDING',
    scope: 'RECURRING',
    invoiceId: null,
    currency: 'eur',
    limitCents: 20_000,
    paymentMethodId: null,
    expiresAt: null,
    revokedAt: null,
    consent: { locale: 'es', version: 1, sha256: text.sha256, acceptedAt: created.createdAt },
  })
  expect(setup).toMatchObject({ publishableKey: null })
  expect(setup.clientSecret).toMatch(/_secret_/)
  const charge = () => stage.app.client.send(chargeInvoice, { params: { id: invoiceId }, body: { userId } })
  expect(refusalOf(await charge())).toEqual([409, 'PAYMENT_AUTHORIZATION_REQUIRED'])
  expect(await (await type(setup.cardUrl, good)).json()).toEqual({ status: 'ACTIVE' })
  expect(
    await server.sql('select status from payment_authorization where id = $1', [created.id]),
    'known before it is said',
  ).toEqual([{ status: 'ACTIVE' }])
  const active = await read(stage, created.id, userId)
  expect(active).toMatchObject({ status: 'ACTIVE', paymentMethodId: expect.any(String) })
  const { data } = await stage.app.client.call(listPaymentMethods, { query: { userId } })
  expect(data).toEqual([
    {
      id: active.paymentMethodId,
      brand: 'visa',
      last4: '4242',
      expiresMonth: 12,
      expiresYear: 2039,
      status: 'ACTIVE',
      createdAt: expect.any(String),
    },
  ])
  expect((await charge()).body).toMatchObject({ status: 'SUCCEEDED', amountCents: 12_100 })
})

test('the consent is stored with its user and address; the setup secret is not stored', async () => {
  const stage = await openStage()
  const { userId } = await plantInvoice(server, stage.app)
  const { id, setup } = await create(stage, given(userId, { ip: '2001:db8::7' }))
  const [row] = await server.sql('select * from payment_authorization where id = $1', [id])
  expect(row).toMatchObject({ ip: '2001:db8::7', user_agent: consent.userAgent, consent_version: 1 })
  const everywhere = await server.sql(
    `select to_jsonb(a)::text as row from payment_authorization a where organization_id = $1
     union all select to_jsonb(i)::text from idempotency i where organization_id = $1
     union all select to_jsonb(o)::text from outbox o where organization_id = $1`,
    [stage.organization.id],
  )
  expect(JSON.stringify(everywhere)).not.toContain(setup.clientSecret.split('_secret_')[1])
  expect(server.logged()).not.toContain(setup.clientSecret)
  expect(server.logged()).not.toContain(tokenOf(setup.cardUrl))
})

test('a repeated key returns the same authorization and secret, even if the gateway failed in between', async () => {
  const stage = await openStage('stripe')
  const { userId } = await plantInvoice(server, stage.app)
  const post = (body: Body) =>
    fetch(`${server.url}/api/external/v1/payment-authorizations`, {
      method: 'POST',
      headers: {
        'X-Api-Key': stage.app.key,
        'Content-Type': 'application/json',
        'Idempotency-Key': 'the one',
      },
      body: JSON.stringify(body),
    })
  double.fails('createSetup', 'drop after')
  expect((await post(given(userId))).status).toBe(502)
  double.heals()
  const [first, second] = [await post(given(userId)), await post(given(userId))]
  expect(first.status).toBe(201)
  const body = await first.json()
  expect(await second.json()).toEqual(body)
  expect(body).toMatchObject({
    status: 'PENDING',
    setup: { publishableKey: 'pk_test_double', clientSecret: expect.stringMatching(/^seti_/) },
  })
  const other = await post(given(userId, { limitCents: 5 }))
  expect([other.status, await other.json()]).toMatchObject([422, { errorCode: 'IDEMPOTENCY_KEY_REUSED' }])
  expect((await stage.app.client.call(listAuthorizations, { query: { userId } })).pagination.total).toBe(1)
})

describe('a card that was saved at Stripe', () => {
  async function pending() {
    const stage = await openStage('stripe')
    const { userId } = await plantInvoice(server, stage.app)
    const created = await create(stage, given(userId))
    return { stage, ...created, setupId: firstOf(created.setup.clientSecret.split('_secret_')) }
  }
  test('is found when the authorization is read', async () => {
    const { stage, id, setupId } = await pending()
    expect((await read(stage, id)).status).toBe('PENDING')
    double.givesCard(setupId, '4242424242424242')
    const both = await Promise.all([read(stage, id), read(stage, id)])
    for (const each of both) expect(each).toMatchObject({ status: 'ACTIVE' })
    expect(both[0].paymentMethodId).toBe(both[1].paymentMethodId)
  })
  test('is found after a notice, which may be repeated', async () => {
    const { stage, id, setupId } = await pending()
    const setup = double.givesCard(setupId, '4242424242424242')
    const { pathname } = new URL(stage.account.noticesUrl)
    for (let time = 0; time < 3; time++) {
      const { body, headers } = double.notice('setup_intent.succeeded', setup)
      expect((await fetch(`${server.url}${pathname}`, { method: 'POST', body, headers })).status).toBe(200)
    }
    const [row] = await server.sql('select status from payment_authorization where id = $1', [id])
    expect(row).toEqual({ status: 'ACTIVE' })
    const other = double.notice('setup_intent.succeeded', { object: 'setup_intent', id: 'seti_unknown' })
    expect((await fetch(`${server.url}${pathname}`, { method: 'POST', ...other })).status).toBe(200)
  })
  test('belongs to its authorization and gateway account', async () => {
    const { stage, id, userId } = await pending()
    const other = await create(stage, given(userId))
    double.givesCard(firstOf(other.setup.clientSecret.split('_secret_')), '4242424242424242')
    expect((await read(stage, id)).status).toBe('PENDING')
    const elsewhere = await openStage('stripe')
    const { pathname } = new URL(elsewhere.account.noticesUrl)
    const { body, headers } = double.notice('setup_intent.succeeded', {
      object: 'setup_intent',
      id: other.setup.clientSecret.split('_secret_')[0],
    })
    expect((await fetch(`${server.url}${pathname}`, { method: 'POST', body, headers })).status).toBe(200)
    const [row] = await server.sql('select status from payment_authorization where id = $1', [other.id])
    expect(row).toEqual({ status: 'PENDING' })
    expect((await read(stage, other.id)).status).toBe('ACTIVE')
  })
  test('can be entered on Stripe’s own page, and the returning user sees that it is saved', async () => {
    const { stage, id, setup } = await pending()
    const get = async (address: string) => {
      const page = await fetch(address, { headers: { accept: 'text/html' } })
      return {
        status: page.status,
        text: await page.text(),
        policy: page.headers.get('content-security-policy'),
      }
    }
    const address = `${server.url}/c/${tokenOf(setup.cardUrl)}`
    const urlOn = ({ text }: { text: string }) => captured(/href="(https:[^"]+)"/, text)
    const [page, again] = [await get(address), await get(address)]
    expect(page.text).toContain('Cómo cancelarla')
    expect(page.text).not.toContain('<input')
    expect(page.policy).toContain("default-src 'none'")
    expect(urlOn(again)).toBe(urlOn(page))
    expect((await type(setup.cardUrl, good)).status).toBe(404)
    // a user who returned without a card
    expect(urlOn(await get(`${address}?back=1`))).toBe(urlOn(page))
    const back = new URL(double.givesCardOnPage(urlOn(page), '4242424242424242'))
    expect(`${back.pathname}${back.search}`).toBe(`/c/${tokenOf(setup.cardUrl)}?back=1`)
    for (let time = 0; time < 2; time++)
      expect((await get(`${address}${back.search}`)).text).toContain('La tarjeta está guardada')
    expect((await get(address)).status).toBe(404)
    expect(await read(stage, id)).toMatchObject({ status: 'ACTIVE', paymentMethodId: expect.any(String) })
  })
  test('cannot be requested while the gateway does not answer', async () => {
    const { setup } = await pending()
    for (const operation of ['listSetups', 'openCardPage'] as const) {
      double.fails(operation, '500 before')
      expect((await fetch(`${server.url}/c/${tokenOf(setup.cardUrl)}`)).status).toBe(502)
      double.heals()
    }
    expect((await fetch(`${server.url}/c/${tokenOf(setup.cardUrl)}`)).status).toBe(200)
  })
  test('stays pending while the gateway does not answer, and is not saved after a revocation', async () => {
    const { stage, id, setupId } = await pending()
    const { payment_method } = double.givesCard(setupId, '4242424242424242')
    double.fails('listSetups', '500 before')
    expect((await read(stage, id)).status).toBe('PENDING')
    double.heals()
    await stage.app.client.call(revokeAuthorization, { params: { id }, body: {} })
    expect(await read(stage, id)).toMatchObject({ status: 'REVOKED', paymentMethodId: null })
    await detachCards(server.api.services)
    expect(double.method(String(payment_method)).customer).toBeNull()
  })

  const pollStateOf = (methodId: string) =>
    server.sql<{ status: string; poll_count: number; isDue: boolean }>(
      `select status, poll_count, next_poll_at is not null as "isDue" from payment_method where gateway_method_id = $1`,
      [methodId],
    )
  async function active() {
    const { stage, id, userId, setupId } = await pending()
    const methodId = String(double.givesCard(setupId, '4242424242424242').payment_method)
    const { paymentMethodId } = await read(stage, id)
    const revoke = (each = id) =>
      stage.app.client.call(revokeAuthorization, { params: { id: each }, body: {} })
    const other = await create(stage, given(userId))
    return { stage, id, other: other.id, methodId, paymentMethodId, revoke }
  }
  test.each(['500 before', 'drop after', 'delay'] as const)(
    'is detached after a revocation, even if the gateway is silent: %s',
    async fault => {
      const { methodId, revoke } = await active()
      await revoke()
      double.fails('detachMethod', fault)
      expect(await detachCards(server.api.services)).toBe(1)
      double.heals()
      expect(await pollStateOf(methodId)).toEqual([{ status: 'INACTIVE', poll_count: 1, isDue: true }])
      // not before a minute
      expect(await detachCards(server.api.services)).toBe(0)
      await server.sql(
        `update payment_method set next_poll_at = now() - interval '1 second' where gateway_method_id = $1`,
        [methodId],
      )
      expect(await detachCards(server.api.services)).toBe(1)
      expect(double.method(methodId).customer).toBeNull()
      expect(await pollStateOf(methodId)).toEqual([{ status: 'INACTIVE', poll_count: 2, isDue: false }])
      const keys = double.requests
        .filter(({ operation, key }) => operation === 'detachMethod' && key !== undefined)
        .map(({ key }) => key)
      expect(new Set(keys.slice(-3)).size).toBeGreaterThan(1)
    },
  )
  test('stays attached while an unexpired authorization uses it', async () => {
    const { id, other, methodId, paymentMethodId, revoke } = await active()
    await server.sql(
      `update payment_authorization set status = 'ACTIVE', payment_method_id = $2 where id = $1`,
      [other, paymentMethodId],
    )
    await revoke(id)
    expect(await detachCards(server.api.services)).toBe(0)
    expect(double.method(methodId).customer).not.toBeNull()
    await server.sql(
      `update payment_authorization set status = 'ACTIVE', expires_at = now() - make_interval(secs => 0.001) where id = $1`,
      [other],
    )
    await server.sql(`update payment_authorization set status = 'ACTIVE' where id = $1`, [id])
    await revoke(id)
    expect(await detachCards(server.api.services)).toBe(1)
    expect(double.method(methodId).customer).toBeNull()
  })
  test('is either saved or detached when both happen simultaneously', async () => {
    const { stage, other, methodId, revoke } = await active()
    // the user gives another authorization with the same card
    const row = only(
      await server.sql<{ setup_id: string }>('select setup_id from payment_authorization where id = $1', [
        other,
      ]),
    )
    Object.assign(double.setup(row.setup_id), { status: 'succeeded', payment_method: methodId })
    const [seen] = await Promise.all([read(stage, other), revoke()])
    await detachCards(server.api.services)
    expect(['ACTIVE', 'PENDING']).toContain(seen.status)
    // the worker may be detaching it in this moment
    await expect.poll(() => double.method(methodId).customer === null).toBe(seen.status === 'PENDING')
    expect((await read(stage, other)).status).toBe(seen.status)
  })
  test.each([
    ['stays when it is given to another while its first one is revoked', false, 'ACTIVE'],
    ['is taken away when its only one is revoked while it is given', true, 'INACTIVE'],
  ])('%s', async (_what, isOnly, status) => {
    const { stage, id, other, methodId, revoke } = await active()
    await server.sql(
      `update payment_authorization set status = 'PENDING', payment_method_id = null where id = $1 and $2`,
      [id, isOnly],
    )
    const input = isOnly ? id : other
    let revoked: ReturnType<typeof revoke> | undefined
    await server.api.services.database.transact(stage.organization.id, async tx => {
      const { external_user_id, gateway_account_id } = defined(await lockAuthorizationById(tx, input))
      const card = { id: methodId, brand: 'visa', last4: '4242', expiresMonth: 12, expiresYear: 2999 }
      const cardId = await upsertCard(
        tx,
        { applicationId: stage.app.id, userId: external_user_id },
        gateway_account_id,
        card,
      )
      revoked = revoke()
      await blocked(server)
      await setActive(tx, input, defined(cardId))
    })
    await revoked
    expect(await pollStateOf(methodId)).toMatchObject([{ status, isDue: isOnly }])
  })
})

test('a refused card can be replaced, and a card that needs authentication is saved after it', async () => {
  const stage = await openStage()
  const { userId } = await plantInvoice(server, stage.app)
  const { id, setup } = await create(stage, given(userId))
  const refused = await type(setup.cardUrl, { ...good, number: '4000 0000 0000 0002' })
  expect([refused.status, await refused.json()]).toMatchObject([
    422,
    { errorCode: 'GATEWAY_REFUSED', details: [{ path: 'number', code: 'card_declined' }] },
  ])
  for (const fields of [{ ...good, expires: '13/30' }, { ...good, number: '' }, {}])
    expect((await type(setup.cardUrl, fields as Record<string, string>)).status).toBe(400)
  expect(await (await type(setup.cardUrl, { ...good, number: '4000002500003155' })).json()).toEqual({
    status: 'REQUIRES_ACTION',
  })
  expect((await type(setup.cardUrl, { answer: 'NO' }, '/bank')).status).toBe(422)
  expect((await read(stage, id)).status).toBe('PENDING')
  await type(setup.cardUrl, { ...good, number: '4000002500003155', expires: '12/2039' })
  expect(await (await type(setup.cardUrl, { answer: 'YES' }, '/bank')).json()).toEqual({ status: 'ACTIVE' })
  expect((await read(stage, id)).status).toBe('ACTIVE')
  // the page is no longer valid
  expect((await type(setup.cardUrl, good)).status).toBe(404)
})

describe('the card page', () => {
  const get = (cardUrl: string | null, language = 'es') =>
    fetch(`${server.url}/c/${tokenOf(cardUrl)}`, {
      headers: { accept: 'text/html', 'accept-language': language },
    })
  test('shows the consent text in Spanish or English, and is not cached or indexed', async () => {
    const stage = await openStage()
    const { userId } = await plantInvoice(server, stage.app)
    await server.sql('update organization set name = $2 where id = $1', [
      stage.organization.id,
      'Álamo <b> & Co',
    ])
    const { setup } = await create(stage, given(userId))
    const page = await get(setup.cardUrl)
    const text = await page.text()
    expect(page.status).toBe(200)
    expect(text).toContain('Álamo &#60;b&#62; &#38; Co')
    expect(text).toContain('Cómo cancelarla')
    expect(text).not.toContain('<script')
    expect(Object.fromEntries(page.headers)).toMatchObject({
      'content-language': 'es',
      'referrer-policy': 'same-origin',
      'x-robots-tag': 'noindex, nofollow',
      'cache-control': 'no-store',
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
    })
    expect(await (await get(setup.cardUrl, 'en')).text()).toContain('Save the card')
    const declined = await type(setup.cardUrl, { ...good, number: '4000000000000069' }, '', 'text/html')
    expect([declined.status, await declined.text()]).toEqual([
      422,
      expect.stringContaining('La tarjeta ha caducado'),
    ])
    const bank = await type(setup.cardUrl, { ...good, number: '4000002500003155' }, '', 'text/html')
    expect(await bank.text()).toContain('Sí, soy yo')
    const done = await type(setup.cardUrl, { answer: 'YES' }, '/bank', 'text/html')
    expect(await done.text()).toContain('La tarjeta está guardada')
    const over = await get(setup.cardUrl)
    expect([over.status, await over.text()]).toEqual([404, expect.stringContaining('ya no es válido')])
  })
  test('is the same for every invalid address', async () => {
    const stage = await openStage()
    const { userId } = await plantInvoice(server, stage.app)
    const [a, b] = [await create(stage, given(userId)), await create(stage, given(userId))]
    const [org, , seal] = tokenOf(a.setup.cardUrl).split('.')
    const answers = []
    for (const token of ['nothing', `${org}.${b.id}.${seal}`, `${tokenOf(a.setup.cardUrl)}x`, 'a.b.c'])
      answers.push(await get(`/c/${token}`).then(async page => [page.status, await page.text()]))
    await server.sql(
      `update payment_authorization set created_at = now() - interval '25 hours' where id = $1`,
      [a.id],
    )
    answers.push(await get(a.setup.cardUrl).then(async page => [page.status, await page.text()]))
    await stage.app.client.call(revokeAuthorization, { params: { id: b.id } })
    answers.push(await get(b.setup.cardUrl).then(async page => [page.status, await page.text()]))
    for (const answer of answers) expect(answer).toEqual(answers[0])
    expect(firstOf(answers)[0]).toBe(404)
  })
})

test('needs an invoice with SINGLE, and none with RECURRING', async () => {
  const stage = await openStage()
  const invoice = await plantInvoice(server, stage.app, { currency: 'usd' })
  const { userId } = invoice
  const single = await create(stage, given(userId, { scope: 'SINGLE', invoiceId: invoice.id }))
  expect(single).toMatchObject({ scope: 'SINGLE', invoiceId: invoice.id, currency: 'usd' })
  const refusal = async (more: Partial<Body>) => refusalOf(await send(stage, given(userId, more)))
  expect(await refusal({ scope: 'SINGLE' })).toEqual([400, 'VALIDATION_ERROR'])
  expect(await refusal({ invoiceId: invoice.id })).toEqual([400, 'VALIDATION_ERROR'])
  const elsewhere = await plantInvoice(server, stage.app)
  for (const invoiceId of ['cunknown', elsewhere.id])
    expect(await refusal({ scope: 'SINGLE', invoiceId })).toEqual([404, 'INVOICE_NOT_ACCESSIBLE'])
  for (const lifecycle of ['DRAFT', 'VOIDED'] as const) {
    const { id: invoiceId } = await plantInvoice(server, stage.app, { userId, lifecycle })
    expect(await refusal({ scope: 'SINGLE', invoiceId })).toEqual([409, 'INVOICE_STATE_INVALID'])
  }
  await server.sql('update invoice set paid_cents = total_cents where id = $1', [invoice.id])
  expect(await refusal({ scope: 'SINGLE', invoiceId: invoice.id })).toEqual([409, 'INVOICE_ALREADY_PAID'])
  await server.sql('update invoice set paid_cents = 0, rectified_cents = total_cents where id = $1', [
    invoice.id,
  ])
  expect(await refusal({ scope: 'SINGLE', invoiceId: invoice.id })).toEqual([409, 'INVOICE_RECTIFIED'])
})

test.each([
  ['ip', { ip: 'nowhere' }],
  ['ip', { ip: 'fe80::1%eth0' }],
  ['expiresAt', { expiresAt: '2020-01-01T00:00:00.000Z' }],
  ['limitCents', { limitCents: 0 }],
  ['limitCents', { limitCents: limits.invoiceCents + 1 }],
  ['userAgent', { userAgent: 'x'.repeat(limits.userAgent + 1) }],
  ['userAgent', { userAgent: '' }],
  ['locale', { locale: 'Spanish' }],
  ['currency', { currency: 'EUR' }],
  ['version', { version: 0 }],
])('rejects an invalid %s', async (path, more) => {
  const stage = await openStage()
  expect(await send(stage, given('user-1', more))).toMatchObject({
    status: 400,
    body: { details: expect.arrayContaining([expect.objectContaining({ path })]) },
  })
})

test('needs the current text, a ready account that supports the currency, and a known user', async () => {
  const stage = await openStage()
  const { id: invoiceId, userId } = await plantInvoice(server, stage.app)
  const refusal = async (body: Body) => refusalOf(await send(stage, body))
  expect(await refusal(given(userId, { scope: 'SINGLE', invoiceId, currency: 'usd' }))).toEqual([
    400,
    'VALIDATION_ERROR',
  ])
  expect(await refusal(given('nobody'))).toEqual([404, 'EXTERNAL_USER_NOT_FOUND'])
  for (const more of [{ version: 2 }, { locale: 'fr' }, { locale: 'es-MX' }])
    expect(await refusal(given(userId, more))).toEqual([409, 'CONSENT_OUTDATED'])
  expect(await refusal(given(userId, { currency: 'jpy' }))).toEqual([409, 'BILLING_CURRENCY_NOT_SUPPORTED'])
  await stage.owner.call(writeConsentText, { body: { locale: 'es', text: 'Otra cosa' } })
  expect(await refusal(given(userId))).toEqual([409, 'CONSENT_OUTDATED'])
  expect((await send(stage, given(userId, { version: 2 }))).status).toBe(201)
  await server.sql(`update gateway_account set status = 'PENDING' where id = $1`, [stage.account.id])
  expect(await refusal(given(userId, { version: 2 }))).toEqual([409, 'GATEWAY_ACCOUNT_NOT_READY'])
})

test('a gateway that does not answer, and a gateway that refuses', async () => {
  const stage = await openStage('stripe')
  const { userId } = await plantInvoice(server, stage.app)
  double.fails('createCustomer', '500 before')
  expect(refusalOf(await send(stage, given(userId)))).toEqual([502, 'GATEWAY_NOT_REACHED'])
  double.heals()
  const { setup } = await create(stage, given(userId))
  const wrong = server.api.services.cipher.hide('gateway key', 'sk_test_wrong', stage.organization.id)
  await server.sql('update gateway_account set secret_key = $2 where id = $1', [stage.account.id, wrong])
  expect(refusalOf(await send(stage, given(userId)))).toEqual([422, 'GATEWAY_REFUSED'])
  expect((await fetch(`${server.url}/c/${tokenOf(setup.cardUrl)}`)).status).toBe(422)
})

describe('a user has a limited number of authorizations', () => {
  const plant = async (stage: Stage, userId: string, many: number) => {
    await insertRows(server, 'consent_text', [{ organization_id: stage.organization.id }])
    await insertMany(server, 'payment_authorization', many, () => ({
      organization_id: stage.organization.id,
      application_id: stage.app.id,
      external_user_id: userId,
      gateway_account_id: stage.account.id,
      status: 'PENDING',
    }))
  }
  test('also when they are requested simultaneously', async () => {
    const stage = await openStage()
    const { userId } = await plantInvoice(server, stage.app)
    await plant(stage, userId, limits.authorizationsPerUser - 2)
    const answers = await Promise.all(Array.from({ length: 5 }, () => send(stage, given(userId))))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 409, 409, 409])
    // abandoned pending authorizations stop counting
    await server.sql(
      `update payment_authorization set created_at = now() - interval '25 hours' where organization_id = $1`,
      [stage.organization.id],
    )
    expect((await send(stage, given(userId))).status).toBe(201)
  })
  test('a pending authorization counts', async () => {
    const stage = await openStage()
    const { userId } = await plantInvoice(server, stage.app)
    await plant(stage, userId, limits.authorizationsPerUser - 1)
    let second: ReturnType<typeof send> | undefined
    await server.api.services.database.transact(stage.organization.id, async tx => {
      await lockUserAndCount(tx, { applicationId: stage.app.id, userId })
      second = send(stage, given(userId))
      await blocked(server)
      await insertAuthorization(tx, {
        id: newId(),
        application_id: stage.app.id,
        external_user_id: userId,
        scope: 'RECURRING',
        gateway_account_id: stage.account.id,
        invoice_id: null,
        currency: 'eur',
        limit_cents: null,
        consent_locale: 'es',
        consent_version: 1,
        consent_sha256: 'x',
        expires_at: null,
        ip: '::1',
        user_agent: 'Test',
      })
    })
    expect(refusalOf(await defined(second))).toEqual([409, 'TOO_MANY_AUTHORIZATIONS'])
  })
})

test('is revoked for good, and its card can be charged only through another authorization', async () => {
  const stage = await openStage()
  const { id: invoiceId, userId } = await plantInvoice(server, stage.app)
  const created: PaymentAuthorization[] = []
  for (let n = 0; n < 2; n++) {
    const { setup, ...authorization } = await create(stage, given(userId))
    await type(setup.cardUrl, good)
    created.push(await read(stage, authorization.id))
  }
  const [first, second] = created as [PaymentAuthorization, PaymentAuthorization]
  // both with one card
  await server.sql('update payment_authorization set payment_method_id = $2 where id = $1', [
    first.id,
    second.paymentMethodId,
  ])
  const revoke = (id: string) =>
    stage.app.client.call(revokeAuthorization, { params: { id }, body: { userId } })
  const status = async () =>
    (await stage.app.client.call(listPaymentMethods, { query: { userId } })).data.find(
      ({ id }) => id === second.paymentMethodId,
    )?.status
  const revoked = await revoke(first.id)
  expect(revoked).toMatchObject({ status: 'REVOKED', revokedAt: expect.any(String) })
  expect(await revoke(first.id)).toEqual(revoked)
  expect(await status()).toBe('ACTIVE')
  await revoke(second.id)
  expect(await status()).toBe('INACTIVE')
  // a charge does not read ended authorizations
  const request = { invoiceId, authorizationId: undefined, methodId: undefined }
  const payer = await server.api.services.database.transact(stage.organization.id, tx =>
    loadPayer(tx, request),
  )
  expect([payer.authorizations, payer.cards]).toMatchObject([[], [{ status: 'ACTIVE' }]])
})

test('an authorization past its expiry is EXPIRED', async () => {
  const stage = await openStage()
  const { userId } = await plantInvoice(server, stage.app)
  const expiresAt = new Date(Date.now() + 3_600_000).toISOString()
  const { id, setup } = await create(stage, given(userId, { expiresAt }))
  await type(setup.cardUrl, good)
  expect(await read(stage, id)).toMatchObject({ status: 'ACTIVE', expiresAt })
  await server.sql(
    `update payment_authorization set expires_at = now() - make_interval(secs => 0.001) where id = $1`,
    [id],
  )
  expect((await read(stage, id)).status).toBe('EXPIRED')
})

test('belongs to a user of one application; members see all', async () => {
  const stage = await openStage()
  const other = await makeApplication(server, stage.organization, { scopes })
  const elsewhere = await openStage()
  const { userId } = await plantInvoice(server, stage.app)
  await plantInvoice(server, other, { userId })
  const { id, setup } = await create(stage, given(userId))
  await type(setup.cardUrl, good)
  const params = { id }
  const unknown = await stage.app.client.send(readAuthorization, { params: { id: 'cunknown' }, query: {} })
  expect(refusalOf(unknown)).toEqual([404, 'AUTHORIZATION_NOT_FOUND'])
  for (const client of [other.client, elsewhere.app.client]) {
    expect((await client.send(readAuthorization, { params, query: {} })).body).toEqual(unknown.body)
    expect((await client.send(revokeAuthorization, { params, body: {} })).body).toEqual(unknown.body)
  }
  const asOther = await stage.app.client.send(readAuthorization, { params, query: { userId: 'another' } })
  expect(asOther.body).toEqual(unknown.body)
  expect((await elsewhere.owner.send(readAuthorization, { params, query: {} })).body).toEqual(unknown.body)
  expect((await other.client.call(listAuthorizations, { query: { userId } })).data).toEqual([])
  expect((await other.client.call(listPaymentMethods, { query: { userId } })).data).toEqual([])
  const query = { userId, applicationId: stage.app.id }
  expect((await stage.owner.call(listAuthorizations, { query })).data).toMatchObject([{ id }])
  expect((await stage.owner.call(listPaymentMethods, { query })).data).toHaveLength(1)
  const alone = { query: { userId } }
  expect((await stage.owner.send(listAuthorizations, alone)).status).toBe(400)
  expect((await stage.owner.send(listPaymentMethods, alone)).status).toBe(400)
  const viewer = await stage.organization.person({ permissions: ['BILLING_VIEW'] })
  expect((await viewer.send(readAuthorization, { params, query: {} })).status).toBe(200)
  expect(refusalOf(await viewer.send(revokeAuthorization, { params, body: {} }))).toEqual([
    403,
    'PERMISSION_DENIED',
  ])
  expect((await stage.owner.call(revokeAuthorization, { params, body: {} })).status).toBe('REVOKED')
})

test('are listed newest first, with pages', async () => {
  const stage = await openStage()
  const { userId } = await plantInvoice(server, stage.app)
  const ids = []
  for (let n = 0; n < 3; n++) ids.unshift((await create(stage, given(userId))).id)
  const first = await stage.app.client.call(listAuthorizations, { query: { userId, limit: 2 } })
  expect(first.data.map(({ id }) => id)).toEqual(ids.slice(0, 2))
  expect(first.pagination).toMatchObject({ total: 3, totalPages: 2, hasNextPage: true })
  const second = await stage.app.client.call(listAuthorizations, { query: { userId, limit: 2, page: 2 } })
  expect(second.data.map(({ id }) => id)).toEqual(ids.slice(2))
})

test('needs its scope and a plan with card payments', async () => {
  const stage = await openStage()
  const [reader, writer] = [
    await makeApplication(server, stage.organization, { scopes: ['crm:invoices:read'] }),
    await makeApplication(server, stage.organization, { scopes: ['crm:invoices:write'] }),
  ]
  const params = { id: 'cunknown' }
  const lacks = [403, 'INSUFFICIENT_SCOPE']
  expect(refusalOf(await reader.client.send(createAuthorization, { body: given('u') }))).toEqual(lacks)
  expect(refusalOf(await reader.client.send(revokeAuthorization, { params, body: {} }))).toEqual(lacks)
  expect(refusalOf(await writer.client.send(readAuthorization, { params, query: {} }))).toEqual(lacks)
  expect(refusalOf(await writer.client.send(listPaymentMethods, { query: { userId: 'u' } }))).toEqual(lacks)
  expect(refusalOf(await writer.client.send(readConsentText))).toEqual(lacks)
  const business = await server.organization({ plan: 'BUSINESS' })
  const poor = await makeApplication(server, business, { scopes })
  const answer = await poor.client.send(createAuthorization, { body: given('u') })
  expect(answer.body).toMatchObject({ errorCode: 'MODULE_NOT_ENABLED', moduleKey: 'card_payments' })
})
