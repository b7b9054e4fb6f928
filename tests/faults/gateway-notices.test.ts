import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { chargeInvoice } from '#contract/billing/charges.ts'
import { markInvoicePaid } from '#contract/billing/payments.ts'
import { newId } from '#platform/ids.ts'
import { gatewayOf } from '#server/billing/charges/till.ts'
import { recoverCharges } from '#server/billing/index.ts'
import { cards, plantAccount, plantPayer } from '#tests/support/billing/charges.ts'
import { type GatewayDouble, openDouble } from '#tests/support/billing/gateway/double.ts'
import { type PlantedInvoice, plantInvoice } from '#tests/support/billing/invoices.ts'
import { collectedInvoice, givenBack, refundBooks } from '#tests/support/billing/refunds.ts'
import { makeApplication, type TestApplication } from '#tests/support/integrations/applications.ts'
import { until } from '#tests/support/processes.ts'
import { startTestServer, type TestServer } from '#tests/support/test-server.ts'

// from door to door: an application asks over HTTP, and the gateway is asked and tells over HTTP

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

/** An invoice of 121.00 whose user has given a card of this number. */
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

async function told({ id }: PlantedInvoice): Promise<string[]> {
  await server.relayed()
  const rows = await server.sql<{ name: string }>(
    `select name from event where data ->> 'invoiceId' = $1 order by (data ->> 'sequence')::int`,
    [id],
  )
  return rows.map(({ name }) => name)
}
async function books({ id }: PlantedInvoice) {
  const [row] = await server.sql<{ paid: number; payments: number; ledger: number }>(
    `select i.paid_cents::int as paid, (select count(*)::int from payment where invoice_id = i.id) as payments,
       (select coalesce(sum(amount_cents), 0)::int from ledger_entry where invoice_id = i.id) as ledger
     from invoice i where i.id = $1`,
    [id],
  )
  return row!
}
const once = { paid: 12_100, payments: 1, ledger: 12_100 }
const nothing = { paid: 0, payments: 0, ledger: 0 }

describe('thirty charges at once', () => {
  test('with one key: one capture, and answers that are equal byte for byte', async () => {
    const invoice = await chargeable(cards.good)
    const answers = await Promise.all(Array.from({ length: 30 }, () => charge(invoice, 'one key')))
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    expect(answers[0]!.body).toMatchObject({ status: 'SUCCEEDED', amountCents: 12_100 })
    expect([intentsOf(invoice).length, captures(invoice)]).toEqual([1, 1])
    expect(await books(invoice)).toEqual(once)
    expect(await told(invoice)).toEqual(['CHARGE_STARTED', 'CHARGE_SUCCEEDED'])
  })

  test('with keys of their own: one capture, and the others are refused without asking the gateway', async () => {
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

test('the bank asks, the invoice is paid by hand, the user answers then: the gateway collects nothing', async () => {
  const invoice = await chargeable(cards.asks)
  const { paymentIntentId } = (await charge(invoice, 'asks')).body
  await app.client.call(markInvoicePaid, {
    params: { id: invoice.id },
    body: { userId: invoice.userId, method: 'TRANSFER' },
  })
  expect(() => double.pays(paymentIntentId!, cards.good)).toThrow(/canceled/)
  await tell('payment_intent.succeeded', { ...double.intent(paymentIntentId!), status: 'succeeded' })
  expect(captures(invoice)).toBe(0)
  expect(await books(invoice)).toEqual(once)
  expect(await told(invoice)).toEqual([
    'CHARGE_STARTED',
    'CHARGE_REQUIRES_ACTION',
    'CHARGE_FAILED',
    'INVOICE_PAID',
  ])
})

/** Sends a notice about an object, as the gateway does, so often at once. */
function tell(type: string, object: object, given: { secret?: string; ageMs?: number; times?: number } = {}) {
  const notice = double.notice(type, object, given)
  const send = () => fetch(noticesUrl, { method: 'POST', ...notice }).then(({ status }) => status)
  return Promise.all(Array.from({ length: given.times ?? 1 }, send))
}
/** A charge that takes its time at the gateway, and has ended there. */
async function collectedLate() {
  const invoice = await chargeable(cards.slow)
  const { body } = await charge(invoice, `slow ${invoice.id}`)
  expect(body.status).toBe('PROCESSING')
  const seen = { ...double.intent(body.paymentIntentId!) }
  double.later(11_000)
  return { invoice, seen, now: double.intent(body.paymentIntentId!) }
}

describe('a notice of the gateway', () => {
  test('that comes before the answer books the payment, and the answer tells of it', async () => {
    const invoice = await chargeable(cards.good)
    double.fails('confirmIntent', 'delay', 1)
    const answer = charge(invoice, 'early')
    await until('the gateway has collected', () => captures(invoice) === 1)
    expect(await tell('payment_intent.succeeded', intentsOf(invoice)[0]!)).toEqual([200])
    expect(await books(invoice)).toEqual(once)
    expect((await answer).body).toMatchObject({ status: 'SUCCEEDED' })
    expect([await books(invoice), captures(invoice)]).toEqual([once, 1])
    expect(await told(invoice)).toEqual(['CHARGE_STARTED', 'CHARGE_SUCCEEDED'])
  })

  test('that comes twice, and again, and many times at once, books one payment', async () => {
    const { invoice, now } = await collectedLate()
    expect(await tell('payment_intent.succeeded', now, { times: 8 })).toEqual(Array(8).fill(200))
    expect(await tell('payment_intent.succeeded', now)).toEqual([200])
    expect([await books(invoice), captures(invoice)]).toEqual([once, 1])
    expect(await told(invoice)).toEqual(['CHARGE_STARTED', 'CHARGE_SUCCEEDED'])
  })

  test('that is older than what is known changes nothing', async () => {
    const { invoice, seen, now } = await collectedLate()
    await tell('payment_intent.succeeded', now)
    const failed = { ...seen, status: 'requires_payment_method' }
    for (const [type, object] of [
      ['payment_intent.created', seen] as const,
      ['payment_intent.processing', seen] as const,
      ['payment_intent.payment_failed', failed] as const,
      ['payment_intent.canceled', failed] as const,
    ])
      expect(await tell(type, object)).toEqual([200])
    expect([await books(invoice), captures(invoice)]).toEqual([once, 1])
    expect(await told(invoice)).toEqual(['CHARGE_STARTED', 'CHARGE_SUCCEEDED'])
  })

  test('that never comes is not needed', async () => {
    const { invoice } = await collectedLate()
    await server.sql('update charge_attempt set look_at = now() where invoice_id = $1', [invoice.id])
    await recoverCharges(server.api.services)
    expect([await books(invoice), captures(invoice)]).toEqual([once, 1])
    expect(await told(invoice)).toEqual(['CHARGE_STARTED', 'CHARGE_SUCCEEDED'])
  })

  test.each([
    ['signed with another secret', { secret: 'whsec_other' }],
    ['signed too long ago', { ageMs: 301_000 }],
  ])('that is %s is refused, and changes nothing', async (_what, given) => {
    const { invoice, now } = await collectedLate()
    const before = double.requests.length
    expect(await tell('payment_intent.succeeded', now, given)).toEqual([400])
    expect(await books(invoice)).toEqual(nothing)
    expect(await told(invoice)).toEqual(['CHARGE_STARTED'])
    expect(double.requests).toHaveLength(before)
  })

  test('that says more than is true is a reason to look, and not believed', async () => {
    const invoice = await chargeable(cards.slow)
    const { body } = await charge(invoice, 'lie')
    const intent = double.intent(body.paymentIntentId!)
    const lie = { ...intent, status: 'succeeded', amount_received: intent.amount }
    expect(await tell('payment_intent.succeeded', lie)).toEqual([200])
    expect([await books(invoice), captures(invoice)]).toEqual([nothing, 0])
  })

  test('about a refund of the panel, that comes many times and late, books it once', async () => {
    const till = { sql: server.sql, till: server.api.services, double }
    const invoice = await collectedInvoice(till, app, accountId)
    const refund = double.refundsInPanel(invoice.intents[0]!, 2_000)
    expect(await tell('refund.created', refund, { secret: 'whsec_other' })).toEqual([400])
    expect(await refundBooks(server.sql, invoice.id)).toMatchObject({ refunded: 0, reserved: 0 })
    expect(await tell('refund.updated', refund, { times: 5 })).toEqual(Array(5).fill(200))
    expect(await tell('refund.created', { ...refund, status: 'pending' })).toEqual([200])
    expect(givenBack(double, invoice.intents)).toBe(2_000)
    expect(await refundBooks(server.sql, invoice.id)).toEqual({
      refunded: 2_000,
      reserved: 2_000,
      ledger: 10_100,
      paid: 12_100,
    })
    expect(await told(invoice)).toEqual(['INVOICE_REFUNDED'])
  })
})
