import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { chargeInvoice } from '#contract/billing/charges.ts'
import { markInvoicePaid } from '#contract/billing/payments.ts'
import { newId } from '#platform/ids.ts'
import { pollCharges } from '#server/billing/charges/charge-poller.ts'
import { gatewayOf } from '#server/billing/charges/payment-context.ts'
import { cards, plantAccount, plantPayer } from '#tests/support/billing/charges.ts'
import { type GatewayDouble, openDouble } from '#tests/support/billing/gateway/double.ts'
import { type PlantedInvoice, plantInvoice } from '#tests/support/billing/invoices.ts'
import { collectedInvoice, refundedAtGateway, refundTotals } from '#tests/support/billing/refunds.ts'
import { defined, firstOf, only } from '#tests/support/elements.ts'
import { makeApplication, type TestApplication } from '#tests/support/integrations/applications.ts'
import { until } from '#tests/support/processes.ts'
import { startTestServer, type TestServer } from '#tests/support/test-server.ts'

// end to end: the application calls over HTTP, and the gateway is called and sends notices over HTTP

let double: GatewayDouble
let server: TestServer
let app: TestApplication
let accountId: string
let noticesUrl: string
beforeAll(async () => {
  double = await openDouble()
  double.delayMs = 800
  server = await startTestServer({ stripe: { url: double.url, timeoutMs: 60_000 } })
  const organization = await server.organization()
  app = await makeApplication(server, organization, { scopes: ['billing:charge', 'crm:invoices:write'] })
  const { cipher } = server.api.services
  accountId = await plantAccount(server, organization.id, { stripe: { cipher, ...double } })
  noticesUrl = `${server.url}/api/billing/gateway/notices/${organization.id}/${accountId}`
})
afterAll(async () => {
  await server?.close()
  await double?.close()
})
beforeEach(async () => {
  double.heals()
  await server.sql('delete from rate_window')
})

/** An invoice of 121.00 whose user has a saved card of this number. */
async function chargeable(card: string): Promise<PlantedInvoice> {
  const invoice = await plantInvoice(server, app)
  const gateway = await gatewayOf(server.api.services, app.organizationId, accountId)
  const { id: customerId } = await gateway.createCustomer({ name: null, email: null, metadata: {} }, newId())
  await plantPayer(server, app, accountId, invoice.userId, {
    gatewayMethodId: double.addMethod(card),
    customerId,
  })
  return invoice
}
const charge = ({ id, userId }: PlantedInvoice, idempotencyKey: string) =>
  app.client.send(chargeInvoice, { params: { id }, body: { userId, idempotencyKey } })
const intentsOf = ({ id }: PlantedInvoice) =>
  double.intents().filter(({ metadata }) => metadata.invoiceId === id)
const captures = (invoice: PlantedInvoice) =>
  intentsOf(invoice).filter(({ amount_received }) => amount_received > 0).length

async function eventsOf({ id }: PlantedInvoice): Promise<string[]> {
  await server.relayed()
  const rows = await server.sql<{ name: string }>(
    `select name from event where data ->> 'invoiceId' = $1 order by (data ->> 'sequence')::int`,
    [id],
  )
  return rows.map(({ name }) => name)
}
async function books({ id }: PlantedInvoice) {
  const row = only(
    await server.sql<{ paid: number; payments: number; ledger: number }>(
      `select i.paid_cents::int as paid, (select count(*)::int from payment where invoice_id = i.id) as payments,
       (select coalesce(sum(amount_cents), 0)::int from ledger_entry where invoice_id = i.id) as ledger
     from invoice i where i.id = $1`,
      [id],
    ),
  )
  return row
}
const once = { paid: 12_100, payments: 1, ledger: 12_100 }
const nothing = { paid: 0, payments: 0, ledger: 0 }

describe('thirty simultaneous charges', () => {
  test('with one key: one capture and identical replies', async () => {
    const invoice = await chargeable(cards.good)
    const answers = await Promise.all(Array.from({ length: 30 }, () => charge(invoice, 'one key')))
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    expect(firstOf(answers).body).toMatchObject({ status: 'SUCCEEDED', amountCents: 12_100 })
    expect([intentsOf(invoice).length, captures(invoice)]).toEqual([1, 1])
    expect(await books(invoice)).toEqual(once)
    expect(await eventsOf(invoice)).toEqual(['CHARGE_STARTED', 'CHARGE_SUCCEEDED'])
  })

  test('with different keys: one capture; the others are refused without a gateway call', async () => {
    const invoice = await chargeable(cards.good)
    const answers = await Promise.all(Array.from({ length: 30 }, (_, n) => charge(invoice, `own key ${n}`)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    const codes = new Set(
      answers
        .filter(({ status }) => status === 409)
        .map(({ body }) => (body as { errorCode?: string }).errorCode),
    )
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(29)
    expect(['CHARGE_IN_PROGRESS', 'INVOICE_ALREADY_PAID']).toEqual(expect.arrayContaining([...codes]))
    expect([intentsOf(invoice).length, captures(invoice)]).toEqual([1, 1])
    expect(await books(invoice)).toEqual(once)
  })
})

test('an answer to the bank after a manual payment collects nothing at the gateway', async () => {
  const invoice = await chargeable(cards.asks)
  const { paymentIntentId } = (await charge(invoice, 'asks')).body
  await app.client.call(markInvoicePaid, {
    params: { id: invoice.id },
    body: { userId: invoice.userId, method: 'TRANSFER' },
  })
  expect(() => double.pays(defined(paymentIntentId), cards.good)).toThrow(/canceled/)
  await notify('payment_intent.succeeded', {
    ...double.intent(defined(paymentIntentId)),
    status: 'succeeded',
  })
  expect(captures(invoice)).toBe(0)
  expect(await books(invoice)).toEqual(once)
  expect(await eventsOf(invoice)).toEqual([
    'CHARGE_STARTED',
    'CHARGE_REQUIRES_ACTION',
    'CHARGE_FAILED',
    'INVOICE_PAID',
  ])
})

/** Sends a notice about an object, this many times simultaneously. */
function notify(
  type: string,
  object: object,
  options: { secret?: string; ageMs?: number; times?: number } = {},
) {
  const notice = double.notice(type, object, options)
  const send = () => fetch(noticesUrl, { method: 'POST', ...notice }).then(({ status }) => status)
  return Promise.all(Array.from({ length: options.times ?? 1 }, send))
}
/** A slow charge that has ended at the gateway. */
async function collectedLate() {
  const invoice = await chargeable(cards.slow)
  const { body } = await charge(invoice, `slow ${invoice.id}`)
  expect(body.status).toBe('PROCESSING')
  const seen = { ...double.intent(defined(body.paymentIntentId)) }
  double.later(11_000)
  return { invoice, seen, now: double.intent(defined(body.paymentIntentId)) }
}

describe('a gateway notice', () => {
  test('before the answer books the payment, and the reply shows it', async () => {
    const invoice = await chargeable(cards.good)
    double.fails('confirmIntent', 'delay', 1)
    const answer = charge(invoice, 'early')
    await until('the gateway has collected', () => captures(invoice) === 1)
    expect(await notify('payment_intent.succeeded', firstOf(intentsOf(invoice)))).toEqual([200])
    expect(await books(invoice)).toEqual(once)
    expect((await answer).body).toMatchObject({ status: 'SUCCEEDED' })
    expect([await books(invoice), captures(invoice)]).toEqual([once, 1])
    expect(await eventsOf(invoice)).toEqual(['CHARGE_STARTED', 'CHARGE_SUCCEEDED'])
  })

  test('that is repeated, also simultaneously, books one payment', async () => {
    const { invoice, now } = await collectedLate()
    expect(await notify('payment_intent.succeeded', now, { times: 8 })).toEqual(Array(8).fill(200))
    expect(await notify('payment_intent.succeeded', now)).toEqual([200])
    expect([await books(invoice), captures(invoice)]).toEqual([once, 1])
    expect(await eventsOf(invoice)).toEqual(['CHARGE_STARTED', 'CHARGE_SUCCEEDED'])
  })

  test('that is outdated changes nothing', async () => {
    const { invoice, seen, now } = await collectedLate()
    await notify('payment_intent.succeeded', now)
    const failed = { ...seen, status: 'requires_payment_method' }
    for (const [type, object] of [
      ['payment_intent.created', seen] as const,
      ['payment_intent.processing', seen] as const,
      ['payment_intent.payment_failed', failed] as const,
      ['payment_intent.canceled', failed] as const,
    ])
      expect(await notify(type, object)).toEqual([200])
    expect([await books(invoice), captures(invoice)]).toEqual([once, 1])
    expect(await eventsOf(invoice)).toEqual(['CHARGE_STARTED', 'CHARGE_SUCCEEDED'])
  })

  test('that never arrives is not needed', async () => {
    const { invoice } = await collectedLate()
    await server.sql('update charge_attempt set next_poll_at = now() where invoice_id = $1', [invoice.id])
    await pollCharges(server.api.services)
    expect([await books(invoice), captures(invoice)]).toEqual([once, 1])
    expect(await eventsOf(invoice)).toEqual(['CHARGE_STARTED', 'CHARGE_SUCCEEDED'])
  })

  test.each([
    ['signed with another secret', { secret: 'whsec_other' }],
    ['signed too long ago', { ageMs: 301_000 }],
  ])('that is %s is refused and changes nothing', async (_what, options) => {
    const { invoice, now } = await collectedLate()
    const before = double.requests.length
    expect(await notify('payment_intent.succeeded', now, options)).toEqual([400])
    expect(await books(invoice)).toEqual(nothing)
    expect(await eventsOf(invoice)).toEqual(['CHARGE_STARTED'])
    expect(double.requests).toHaveLength(before)
  })

  test('with false content only triggers reading the object', async () => {
    const invoice = await chargeable(cards.slow)
    const { body } = await charge(invoice, 'lie')
    const intent = double.intent(defined(body.paymentIntentId))
    const lie = { ...intent, status: 'succeeded', amount_received: intent.amount }
    expect(await notify('payment_intent.succeeded', lie)).toEqual([200])
    expect([await books(invoice), captures(invoice)]).toEqual([nothing, 0])
  })

  test('about a dashboard refund, repeated and late, books it once', async () => {
    const context = { sql: server.sql, context: server.api.services, double }
    const invoice = await collectedInvoice(context, app, accountId)
    const refund = double.refundsInPanel(firstOf(invoice.intents), 2_000)
    expect(await notify('refund.created', refund, { secret: 'whsec_other' })).toEqual([400])
    expect(await refundTotals(server.sql, invoice.id)).toMatchObject({ refunded: 0, reserved: 0 })
    expect(await notify('refund.updated', refund, { times: 5 })).toEqual(Array(5).fill(200))
    expect(await notify('refund.created', { ...refund, status: 'pending' })).toEqual([200])
    expect(refundedAtGateway(double, invoice.intents)).toBe(2_000)
    expect(await refundTotals(server.sql, invoice.id)).toEqual({
      refunded: 2_000,
      reserved: 2_000,
      ledger: 10_100,
      paid: 12_100,
    })
    expect(await eventsOf(invoice)).toEqual(['INVOICE_REFUNDED'])
  })
})
