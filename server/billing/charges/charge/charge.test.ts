import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { chargeInvoice, chargeInvoiceByHand, listCharges } from '#contract/billing/charges.ts'
import type { Scope } from '#contract/permissions.ts'
import { cards, plantAccount, sandboxPayer } from '#tests/support/billing/charges.ts'
import { type PlantedInvoice, plantInvoice } from '#tests/support/billing/invoices.ts'
import { plantCharge } from '#tests/support/billing/payments.ts'
import { blocked } from '#tests/support/blocked.ts'
import { earlier } from '#tests/support/earlier.ts'
import { firstOf, itemAt, lastOf, only } from '#tests/support/elements.ts'
import { makeApplication, type TestApplication } from '#tests/support/integrations/applications.ts'
import {
  type Organization,
  type Person,
  startTestServer,
  type TestServer,
} from '#tests/support/test-server.ts'
import { setRevoked } from '../../authorizations/authorization.sql.ts'
import { settleAttempt } from '../settle.ts'

let server: TestServer
let organization: Organization
let owner: Person
let app: TestApplication
let accountId: string
const scopes: Scope[] = ['billing:charge']
beforeAll(async () => {
  server = await startTestServer()
  organization = await server.organization()
  owner = await organization.person({ role: 'OWNER' })
  app = await makeApplication(server, organization, { scopes })
  accountId = await plantAccount(server, organization.id)
})
afterAll(() => server.close())
beforeEach(() => server.sql('delete from rate_window'))

/** An invoice whose user has a saved card. */
async function chargeable(card: string = cards.good, given: Parameters<typeof plantInvoice>[2] = {}) {
  const invoice = await plantInvoice(server, app, given)
  const payer = await sandboxPayer(server, app, accountId, invoice.userId, { card })
  return { invoice, payer }
}
function send(invoice: Pick<PlantedInvoice, 'id' | 'userId'>, body: Record<string, string> = {}, by = app) {
  return by.client.send(chargeInvoice, {
    params: { id: invoice.id },
    body: { userId: invoice.userId, ...body },
  })
}

async function eventsOf(invoiceId: string): Promise<{ name: string; data: Record<string, unknown> }[]> {
  await server.relayed()
  return server.sql(
    `select name, data from event where organization_id = $1 and data ->> 'invoiceId' = $2
     order by (data ->> 'sequence')::int`,
    [organization.id, invoiceId],
  )
}
const names = async (invoiceId: string) => (await eventsOf(invoiceId)).map(({ name }) => name)

/** How often the gateway collected money. */
async function captures(invoiceId: string): Promise<number> {
  const row = only(
    await server.sql<{ n: number }>(
      `select count(*)::int as n from sandbox_object where organization_id = $1 and kind = 'intent'
     and body -> 'metadata' ->> 'invoiceId' = $2 and body ->> 'status' = 'succeeded'`,
      [organization.id, invoiceId],
    ),
  )
  return row.n
}

test('a charge collects the amount due, and its reply has every field of CHG-2', async () => {
  const { invoice, payer } = await chargeable()
  const { status, body } = await send(invoice, { idempotencyKey: 'first' })
  expect(status).toBe(200)
  expect(body).toEqual({
    status: 'SUCCEEDED',
    paymentIntentId: expect.stringMatching(/^pi_/),
    invoiceId: invoice.id,
    amountCents: 12_100,
    currency: 'eur',
    publicUrl: null,
    clientSecret: null,
    failureCode: null,
    failureMessage: null,
  })
  const events = await eventsOf(invoice.id)
  expect(events.map(({ name }) => name)).toEqual(['CHARGE_STARTED', 'CHARGE_SUCCEEDED'])
  expect(itemAt(events, 1).data).toMatchObject({
    invoiceFullyPaid: true,
    paymentAuthorizationId: payer.authorizationId,
    status: 'PAID',
    dueCents: 0,
  })
  const repeated = await send(invoice, { idempotencyKey: 'first' })
  expect(repeated.body).toEqual(body)
  expect(await send(invoice, { idempotencyKey: 'second' })).toMatchObject({
    status: 409,
    body: { errorCode: 'INVOICE_ALREADY_PAID' },
  })
  const [intent] = await server.sql(
    `select body ->> 'customerId' as "customerId" from sandbox_object where organization_id = $1 and id = $2`,
    [organization.id, body.paymentIntentId],
  )
  expect(intent).toEqual({ customerId: payer.customerId })
  const audit = await server.sql(`select 1 from audit where organization_id = $1 and subject = $2`, [
    organization.id,
    invoice.id,
  ])
  expect(audit).toHaveLength(1)
})

test('a declined card fails the charge, with both texts', async () => {
  const { invoice } = await chargeable(cards.poor)
  const { status, body } = await send(invoice, { idempotencyKey: 'poor' })
  expect(status).toBe(200)
  expect(body).toMatchObject({
    status: 'FAILED',
    failureCode: 'card_declined',
    failureMessage: expect.stringMatching(/funds/),
    clientSecret: null,
    publicUrl: null,
  })
  const events = await eventsOf(invoice.id)
  expect(events.map(({ name }) => name)).toEqual(['CHARGE_STARTED', 'CHARGE_FAILED'])
  expect(itemAt(events, 1).data).toMatchObject({
    declineCode: 'insufficient_funds',
    failureCode: 'card_declined',
  })
  expect((await send(invoice, { idempotencyKey: 'poor' })).body).toEqual(body)
  // a new key is a new charge
  expect((await send(invoice, { idempotencyKey: 'poor again' })).body).toMatchObject({ status: 'FAILED' })
  expect(await names(invoice.id)).toHaveLength(4)
})

test('a bank that asks for authentication produces a link and a secret, the same for every repeated call', async () => {
  const { invoice } = await chargeable(cards.asks)
  const { status, body } = await send(invoice, { idempotencyKey: 'asks' })
  expect(status).toBe(200)
  expect(body).toMatchObject({
    status: 'REQUIRES_ACTION',
    publicUrl: expect.stringMatching(/^http:\/\/localhost:4000\/p\/.{40,}/),
    clientSecret: expect.stringContaining('_secret_'),
    failureCode: null,
  })
  expect((await send(invoice, { idempotencyKey: 'asks' })).body).toEqual(body)
  const [, event] = await eventsOf(invoice.id)
  expect(event).toMatchObject({ name: 'CHARGE_REQUIRES_ACTION', data: { publicUrl: expect.any(String) } })
  expect(JSON.stringify(event)).not.toContain('_secret_')
  const stored = JSON.stringify(
    await server.sql('select * from invoice_link where invoice_id = $1', [invoice.id]),
  )
  const { publicUrl } = body as { publicUrl: string }
  expect(stored).not.toContain(lastOf(publicUrl.split('/')).slice(-43))
})

test('a new key while the bank asks cancels the first charge and starts another', async () => {
  const { invoice } = await chargeable(cards.asks)
  const first = await send(invoice, { idempotencyKey: 'a' })
  const second = await send(invoice, { idempotencyKey: 'b' })
  expect(second.body).toMatchObject({ status: 'REQUIRES_ACTION' })
  expect((second.body as { paymentIntentId: string }).paymentIntentId).not.toBe(
    (first.body as { paymentIntentId: string }).paymentIntentId,
  )
  expect((await send(invoice, { idempotencyKey: 'a' })).body).toMatchObject({
    status: 'FAILED',
    failureCode: 'canceled',
  })
  expect(await names(invoice.id)).toEqual([
    'CHARGE_STARTED',
    'CHARGE_REQUIRES_ACTION',
    'CHARGE_FAILED',
    'CHARGE_STARTED',
    'CHARGE_REQUIRES_ACTION',
  ])
})

test('a charge in progress refuses another one and names its intent', async () => {
  const { invoice } = await chargeable(cards.slow)
  const first = await send(invoice, { idempotencyKey: 'slow' })
  expect(first.body).toMatchObject({ status: 'PROCESSING', publicUrl: null })
  expect(await send(invoice, { idempotencyKey: 'impatient' })).toMatchObject({
    status: 409,
    body: {
      errorCode: 'CHARGE_IN_PROGRESS',
      paymentIntentId: (first.body as { paymentIntentId: string }).paymentIntentId,
    },
  })
  expect((await send(invoice, { idempotencyKey: 'slow' })).body).toEqual(first.body)
  await endSlow(invoice.id)
  const { items } = await owner.call(listCharges, { params: { id: invoice.id } })
  await settleAttempt(server.api.services, { organizationId: organization.id, id: only(items).id })
  expect((await send(invoice, { idempotencyKey: 'slow' })).body).toMatchObject({ status: 'SUCCEEDED' })
  expect(await names(invoice.id)).toEqual(['CHARGE_STARTED', 'CHARGE_SUCCEEDED'])
})

test.each(['CREATED', 'CONFIRMING', 'PROCESSING', 'CANCELING'] as const)(
  'a charge that is %s refuses another one and names its intent',
  async state => {
    const { invoice } = await chargeable()
    const of = { organizationId: organization.id, invoiceId: invoice.id, accountId }
    await plantCharge(server, { ...of, state, paymentIntentId: `pi_${state}` })
    expect((await send(invoice)).body).toMatchObject({
      errorCode: 'CHARGE_IN_PROGRESS',
      paymentIntentId: `pi_${state}`,
    })
  },
)

test('a lost answer of the gateway does not lose the charge', async () => {
  const { invoice } = await chargeable(cards.silent)
  expect((await send(invoice)).body).toMatchObject({ status: 'SUCCEEDED' })
  expect(await captures(invoice.id)).toBe(1)
})

test.each([30, 50])('%d simultaneous calls with one key collect once and get the same reply', async times => {
  const { invoice } = await chargeable()
  const answers = await Promise.all(
    Array.from({ length: times }, () => send(invoice, { idempotencyKey: `key of ${times}` })),
  )
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1)
  expect(firstOf(answers).body).toMatchObject({ status: 'SUCCEEDED' })
  expect(await captures(invoice.id)).toBe(1)
  expect(await names(invoice.id)).toEqual(['CHARGE_STARTED', 'CHARGE_SUCCEEDED'])
})

test('thirty simultaneous calls with different keys collect once; the others are refused', async () => {
  const { invoice } = await chargeable()
  const answers = await Promise.all(
    Array.from({ length: 30 }, (_, n) => send(invoice, { idempotencyKey: `own ${n}` })),
  )
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(answers.filter(({ status }) => status === 409)).toHaveLength(29)
  expect(await captures(invoice.id)).toBe(1)
})

test('a key identifies one request', async () => {
  const [{ invoice, payer }, other] = await Promise.all([chargeable(), chargeable()])
  await send(invoice, { idempotencyKey: 'one call' })
  const reused = { status: 422, body: { errorCode: 'IDEMPOTENCY_KEY_REUSED' } }
  expect(await send(invoice, { idempotencyKey: 'one call', paymentMethodId: payer.methodId })).toMatchObject(
    reused,
  )
  expect(await send(other.invoice, { idempotencyKey: 'one call' })).toMatchObject(reused)
  // a missing invoice is refused first
  expect(
    await send({ id: other.invoice.id, userId: 'somebody else' }, { idempotencyKey: 'one call' }),
  ).toMatchObject({ status: 404 })
})

test('two simultaneous charges of different invoices with one key: one invoice is charged', async () => {
  const [one, two] = await Promise.all([chargeable(), chargeable()])
  const answers = await Promise.all([one, two].map(each => send(each.invoice, { idempotencyKey: 'both' })))
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 422])
})

test('a key is free after a day, unless its charge is still open', async () => {
  const { invoice } = await chargeable(cards.poor)
  const aDayAgo = () =>
    server.sql(
      `update charge_attempt set created_at = ${earlier('created_at', "interval '25 hours'")} where invoice_id = $1`,
      [invoice.id],
    )
  await send(invoice, { idempotencyKey: 'old' })
  await aDayAgo()
  await send(invoice, { idempotencyKey: 'old' })
  expect(await names(invoice.id)).toHaveLength(4)

  const slow = await chargeable(cards.slow)
  const first = await send(slow.invoice, { idempotencyKey: 'old and slow' })
  await server.sql(
    `update charge_attempt set created_at = ${earlier('created_at', "interval '25 hours'")} where invoice_id = $1`,
    [slow.invoice.id],
  )
  expect((await send(slow.invoice, { idempotencyKey: 'old and slow' })).body).toEqual(first.body)
})

test('the header is the key when the body has none, and each application has its own keys', async () => {
  const { invoice } = await chargeable(cards.poor)
  const byHeader = () =>
    fetch(`${server.url}/api/external/v1/invoices/${invoice.id}/charge`, {
      method: 'POST',
      headers: {
        'X-Api-Key': app.key,
        'Content-Type': 'application/json',
        'Idempotency-Key': 'by header',
      },
      body: JSON.stringify({ userId: invoice.userId }),
    }).then(answer => answer.json())
  expect(await byHeader()).toEqual(await byHeader())
  expect((await send(invoice, { idempotencyKey: 'by header' })).body).toMatchObject({ status: 'FAILED' })
  expect(await names(invoice.id)).toHaveLength(2)

  const other = await makeApplication(server, organization, { scopes })
  const theirs = await plantInvoice(server, other)
  await sandboxPayer(server, other, accountId, theirs.userId)
  expect((await send(theirs, { idempotencyKey: 'by header' }, other)).body).toMatchObject({
    status: 'SUCCEEDED',
  })
})

test('an application reaches only its own invoices, for their user', async () => {
  const { invoice } = await chargeable()
  const elsewhere = await makeApplication(server, await server.organization(), { scopes })
  const other = await makeApplication(server, organization, { scopes })
  const unknown = await send({ id: 'cunknown', userId: invoice.userId })
  expect(unknown).toMatchObject({ status: 404, body: { errorCode: 'INVOICE_NOT_ACCESSIBLE' } })
  const foreign = await Promise.all([
    send(invoice, {}, other),
    send(invoice, {}, elsewhere),
    send({ id: invoice.id, userId: 'somebody else' }),
  ])
  for (const answer of foreign) expect(answer.body).toEqual(unknown.body)
})

test('plan, capability and scope are checked in this order', async () => {
  const business = await server.organization({ plan: 'BUSINESS' })
  const poor = await makeApplication(server, business, { scopes })
  const team = await makeApplication(server, await server.organization({ plan: 'TEAM' }), { scopes })
  const invoice = { id: 'cunknown', userId: 'u' }
  expect((await send(invoice, {}, team)).body).toMatchObject({
    errorCode: 'MODULE_NOT_ENABLED',
    moduleKey: 'finance',
  })
  expect((await send(invoice, {}, poor)).body).toMatchObject({
    errorCode: 'MODULE_NOT_ENABLED',
    moduleKey: 'card_payments',
  })
  expect((await send(invoice, {}, await makeApplication(server, organization))).body).toMatchObject({
    errorCode: 'INSUFFICIENT_SCOPE',
  })
})

test('an invoice that cannot be charged is refused with its reason', async () => {
  const refused = async (invoice: PlantedInvoice, errorCode: string, body = {}) => {
    const answer = await send(invoice, { idempotencyKey: `refused ${invoice.id}`, ...body })
    expect(answer.body).toMatchObject({ errorCode })
    return answer
  }
  for (const lifecycle of ['DRAFT', 'VOIDED'] as const)
    expect(
      (await refused(await plantInvoice(server, app, { lifecycle }), 'INVOICE_STATE_INVALID')).status,
    ).toBe(409)

  const none = await plantInvoice(server, app)
  const answer = await refused(none, 'PAYMENT_AUTHORIZATION_REQUIRED')
  expect(answer).toMatchObject({
    status: 409,
    body: {
      // refusals.test.ts covers all refusals
      nextStep: { operation: 'GET /payment-authorizations/consent-text' },
    },
  })
  // a refusal frees the key
  await sandboxPayer(server, app, accountId, none.userId)
  expect((await send(none, { idempotencyKey: `refused ${none.id}` })).body).toMatchObject({
    status: 'SUCCEEDED',
  })

  const other = await chargeable()
  const { invoice, payer } = await chargeable()
  await refused(invoice, 'PAYMENT_AUTHORIZATION_REQUIRED', { paymentAuthorizationId: 'cunknown' })
  await refused(invoice, 'PAYMENT_AUTHORIZATION_REQUIRED', {
    paymentAuthorizationId: other.payer.authorizationId,
  })
  expect(
    (await refused(invoice, 'PAYMENT_METHOD_NOT_FOUND', { paymentMethodId: other.payer.methodId })).status,
  ).toBe(404)
  await server.sql(`update payment_method set status = 'INACTIVE' where id = $1`, [payer.methodId])
  await refused(invoice, 'PAYMENT_AUTHORIZATION_REQUIRED')
  expect(
    (await refused(invoice, 'PAYMENT_METHOD_INACTIVE', { paymentMethodId: payer.methodId })).status,
  ).toBe(409)
  await refused(invoice, 'PAYMENT_METHOD_INACTIVE', { paymentAuthorizationId: payer.authorizationId })
  for (const change of [
    `status = 'REVOKED'`,
    `status = 'ACTIVE', expires_at = now() - interval '1 second'`,
  ]) {
    await server.sql(`update payment_authorization set ${change} where id = $1`, [payer.authorizationId])
    await refused(invoice, 'PAYMENT_AUTHORIZATION_NOT_ACTIVE', {
      paymentAuthorizationId: payer.authorizationId,
    })
    await refused(invoice, 'PAYMENT_AUTHORIZATION_REQUIRED')
  }

  const pounds = await plantInvoice(server, app, { currency: 'gbp' })
  expect((await refused(pounds, 'BILLING_CURRENCY_NOT_SUPPORTED')).status).toBe(409)
  await server.sql(`update gateway_account set status = 'PENDING' where id = $1`, [accountId])
  expect((await refused(pounds, 'GATEWAY_ACCOUNT_NOT_READY')).status).toBe(409)
  // the state of the invoice is checked first
  await refused(none, 'INVOICE_ALREADY_PAID', { idempotencyKey: 'another' })

  // cards of a replaced account cannot be charged
  await server.sql(`update gateway_account set status = 'DISABLED' where id = $1`, [accountId])
  const next = await plantAccount(server, organization.id)
  await refused(other.invoice, 'PAYMENT_AUTHORIZATION_REQUIRED')
  const anew = await sandboxPayer(server, app, next, other.invoice.userId)
  await refused(other.invoice, 'PAYMENT_METHOD_NOT_FOUND', { paymentMethodId: other.payer.methodId })
  expect((await send(other.invoice)).body).toMatchObject({ status: 'SUCCEEDED' })
  expect(
    await server.sql('select customer_id, gateway_account_id from charge_attempt where invoice_id = $1', [
      other.invoice.id,
    ]),
  ).toEqual([{ customer_id: anew.customerId, gateway_account_id: next }])
  await server.sql(`update gateway_account set status = 'DISABLED' where id = $1`, [next])
  await server.sql(`update gateway_account set status = 'READY' where id = $1`, [accountId])
})

test.each([
  ['a limit below what is due', { limitCents: 12_099 }],
  ['another currency', { currency: 'usd' }],
  ['another invoice only', { scope: 'SINGLE' as const, isForAnother: true }],
])(
  'an authorization with %s does not allow a charge',
  async (_what, { isForAnother, ...given }: Record<string, unknown>) => {
    const invoice = await plantInvoice(server, app)
    const other = await plantInvoice(server, app, { userId: invoice.userId, clientId: invoice.clientId })
    const payer = await sandboxPayer(server, app, accountId, invoice.userId, {
      ...given,
      ...(isForAnother === true && { invoiceId: other.id }),
    })
    for (const body of [{}, { paymentAuthorizationId: payer.authorizationId }] as Record<string, string>[])
      expect((await send(invoice, body)).body).toMatchObject({ errorCode: 'PAYMENT_AUTHORIZATION_REQUIRED' })
    if (isForAnother === true) expect((await send(other)).body).toMatchObject({ status: 'SUCCEEDED' })
  },
)

test('the newest authorization that allows the charge is used, with another card on request', async () => {
  const { invoice, payer: first } = await chargeable(cards.good)
  const newest = await sandboxPayer(server, app, accountId, invoice.userId, { card: cards.poor })
  expect((await send(invoice)).body).toMatchObject({ status: 'FAILED' })
  expect(
    (await send(invoice, { paymentAuthorizationId: newest.authorizationId, paymentMethodId: first.methodId }))
      .body,
  ).toMatchObject({ status: 'SUCCEEDED' })
  expect(lastOf(await eventsOf(invoice.id)).data).toMatchObject({
    paymentAuthorizationId: newest.authorizationId,
  })
})

test('an authorization that is revoked simultaneously is not charged', async () => {
  const { invoice, payer } = await chargeable()
  const charged = await server.api.services.database.transact(organization.id, async tx => {
    await setRevoked(tx, payer.authorizationId)
    const answer = send(invoice)
    await Promise.race([blocked(server), answer])
    return { answer }
  })
  expect(await charged.answer).toMatchObject({
    status: 409,
    body: { errorCode: 'PAYMENT_AUTHORIZATION_REQUIRED' },
  })
  expect(await captures(invoice.id)).toBe(0)
})

test('a partly paid invoice is charged for the rest, up to the limit of the authorization', async () => {
  const invoice = await plantInvoice(server, app)
  await sandboxPayer(server, app, accountId, invoice.userId, { limitCents: 10_000 })
  await server.sql('update invoice set paid_cents = 2100 where id = $1', [invoice.id])
  expect((await send(invoice)).body).toMatchObject({ status: 'SUCCEEDED', amountCents: 10_000 })
})

test('members charge by the same rules and see every attempt', async () => {
  const { invoice } = await chargeable(cards.poor)
  const params = { id: invoice.id }
  const viewer = await organization.person({ permissions: ['BILLING_VIEW'] })
  expect((await viewer.send(chargeInvoiceByHand, { params, body: {} })).status).toBe(403)
  const stranger = await (await server.organization()).person({ role: 'OWNER' })
  expect((await stranger.send(chargeInvoiceByHand, { params, body: {} })).status).toBe(404)
  const body = { idempotencyKey: 'by hand' }
  const answers = await Promise.all([1, 2, 3].map(() => owner.call(chargeInvoiceByHand, { params, body })))
  expect(answers[0]).toMatchObject({ status: 'FAILED' })
  expect(answers[1]).toEqual(answers[0])
  expect((await viewer.call(listCharges, { params })).items).toMatchObject([
    { status: 'FAILED', kind: 'OFF_SESSION', declineCode: 'insufficient_funds' },
  ])
  expect((await stranger.send(listCharges, { params })).status).toBe(404)
})

/** Ends what the sandbox is processing. */
async function endSlow(invoiceId: string): Promise<void> {
  await server.sql(
    `update sandbox_object set body = jsonb_set(body, '{ends,at}', '"2020-01-01T00:00:00.000Z"')
     where organization_id = $1 and kind = 'intent' and body -> 'metadata' ->> 'invoiceId' = $2`,
    [organization.id, invoiceId],
  )
}
