import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { readInvoice } from '#contract/billing/invoices.ts'
import { markInvoicePaid, registerPayment } from '#contract/billing/payments.ts'
import { manualMethods } from '#contract/billing/shapes.ts'
import { limits } from '#contract/limits.ts'
import { Refusal } from '#platform/fail.ts'
import { newId } from '#platform/ids.ts'
import type { AttemptState } from '#server/billing/charges/charge.row.ts'
import { plantAccount } from '#tests/support/billing/charges.ts'
import { plantInvoice } from '#tests/support/billing/invoices.ts'
import { plantCharge } from '#tests/support/billing/payments.ts'
import { firstOf, only } from '#tests/support/elements.ts'
import { makeApplication, type TestApplication } from '#tests/support/integrations/applications.ts'
import { plantUsed } from '#tests/support/rates.ts'
import { refusalOf } from '#tests/support/refusals.ts'
import {
  type Organization,
  type Person,
  startTestServer,
  type TestServer,
} from '#tests/support/test-server.ts'
import { centsOf } from './payment.rules.ts'

let server: TestServer
let organization: Organization
let owner: Person
let shop: TestApplication
beforeAll(async () => {
  server = await startTestServer()
})
beforeEach(async () => {
  organization = await server.organization()
  owner = await organization.person({ role: 'OWNER' })
  shop = await makeApplication(server, organization, { scopes: ['crm:invoices:write'] })
})
afterAll(() => server?.close())

const plant = (given: Parameters<typeof plantInvoice>[2] = {}) =>
  plantInvoice(server, shop, { userId: 'u-1', ...given })
const pay = (id: string, body: object = {}, headers: Record<string, string> = {}) =>
  shop.client.send(markInvoicePaid, {
    params: { id },
    body: { userId: 'u-1', method: 'TRANSFER', ...body } as never,
    headers,
  })
const read = (id: string) => owner.call(readInvoice, { params: { id } })
async function eventsOf(id: string) {
  await server.relayed()
  return server.sql<{ name: string; data: Record<string, unknown>; about: object }>(
    `select name, data, about from event where data ->> 'invoiceId' = $1 order by seq`,
    [id],
  )
}

describe('a manual payment', () => {
  test('pays the amount due, and emits an event', async () => {
    const { id, number } = await plant()
    const body = { reference: 'BX-7', paidAt: '2026-11-20T10:00:00+02:00', method: 'CHECK' }
    const { status, body: summary } = await pay(id, body)
    expect(status).toBe(200)
    const paidAt = '2026-11-20T08:00:00.000Z'
    expect(summary).toMatchObject({
      id,
      number,
      status: 'PAID',
      paidCents: 12_100,
      dueCents: 0,
      lastPaymentAt: paidAt,
      isOverdue: false,
    })
    const invoice = await read(id)
    expect(invoice).toMatchObject({ ...summary, internalNotes: '2026-11-20 CHECK: BX-7' })
    const payment = only(invoice.payments)
    expect(payment).toMatchObject({
      method: 'CHECK',
      amountCents: 12_100,
      paidAt,
      reference: 'BX-7',
      paymentIntentId: null,
      refundedCents: 0,
    })
    expect(await eventsOf(id)).toEqual([
      {
        name: 'INVOICE_PAID',
        about: { applicationId: shop.id },
        data: {
          invoiceId: id,
          number,
          userId: 'u-1',
          status: 'PAID',
          currency: 'eur',
          totalCents: 12_100,
          paidCents: 12_100,
          dueCents: 0,
          sequence: 1,
          source: 'manual',
          paymentId: payment.id,
          method: 'CHECK',
          amountCents: 12_100,
          paidAt,
          reference: 'BX-7',
          paymentIntentId: null,
        },
      },
    ])
    const [audit] = await server.sql('select changed, detail, ip from audit where subject = $1', [id])
    expect(audit).toMatchObject({
      changed: ['paidCents'],
      detail: { paymentId: payment.id, method: 'CHECK', amountCents: 12_100, reference: 'BX-7' },
    })
    expect(
      await server.sql('select kind, amount_cents from ledger_entry where invoice_id = $1', [id]),
    ).toEqual([{ kind: 'PAYMENT', amount_cents: 12_100 }])
    expect(refusalOf(await pay(id))).toEqual([409, 'INVOICE_ALREADY_PAID'])
  })

  test('pays a part, and the rest later', async () => {
    const { id } = await plant()
    expect((await pay(id, { amount: 21.01 })).body).toMatchObject({
      status: 'PARTIALLY_PAID',
      paidCents: 2_101,
      dueCents: 9_999,
    })
    const more = await pay(id, { amount: 100 })
    expect(refusalOf(more)).toEqual([422, 'PAYMENT_AMOUNT_EXCEEDS_DUE'])
    expect(more.body).toMatchObject({ dueCents: 9_999 })
    expect((await pay(id, { amount: 99.99, method: 'CASH' })).body).toMatchObject({ status: 'PAID' })
    const events = await eventsOf(id)
    expect(events.map(({ name, data }) => [name, data.amountCents, data.sequence])).toEqual([
      ['INVOICE_PARTIALLY_PAID', 2_101, 1],
      ['INVOICE_PAID', 9_999, 2],
    ])
    expect((await read(id)).payments.map(({ method }) => method)).toEqual(['TRANSFER', 'CASH'])
  })

  test('is booked once from simultaneous requests', async () => {
    const { id } = await plant()
    await server.sql('delete from rate_window')
    const answers = await Promise.all(
      Array.from({ length: 100 }, () =>
        owner.send(registerPayment, { params: { id }, body: { method: 'TRANSFER' } }),
      ),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    const refused = answers.filter(({ status }) => status !== 200).map(answer => refusalOf(answer)[1])
    expect(new Set(refused)).toEqual(new Set(['INVOICE_ALREADY_PAID']))
    expect((await read(id)).payments).toHaveLength(1)
    expect(await eventsOf(id)).toHaveLength(1)
  })

  test('is registered once for each Idempotency-Key, also when it pays the invoice', async () => {
    const { id } = await plant()
    const key = { 'idempotency-key': 'k' }
    const answers = await Promise.all(Array.from({ length: 5 }, () => pay(id, { amount: 121 }, key)))
    for (const answer of answers) expect(answer).toEqual({ ...answers[0], headers: answer.headers })
    expect(firstOf(answers).status).toBe(200)
    expect((await read(id)).payments).toHaveLength(1)
    expect(refusalOf(await pay(id, { amount: 120 }, key))).toEqual([422, 'IDEMPOTENCY_KEY_REUSED'])
    const other = await plant()
    expect(refusalOf(await pay(other.id, { amount: 121 }, key))).toEqual([422, 'IDEMPOTENCY_KEY_REUSED'])
    expect(await server.sql('select from audit where subject = $1', [id])).toHaveLength(1)
  })

  test.each(manualMethods)('can have the method %s', async method => {
    const { id } = await plant()
    expect((await pay(id, { method })).status).toBe(200)
  })

  test.each([
    ['method', 'GATEWAY_CARD', /gateway/],
    ['method', 'GATEWAY_SEPA_DEBIT', /gateway/],
    ['method', 'BARTER', /./],
    ['method', undefined, /./],
    ['amount', 0.1 + 0.2, /decimals/],
    ['amount', 10.005, /decimals/],
    ['amount', 0.01 - 1e-12, /./],
    ['amount', 0, /./],
    ['amount', -1, /./],
    ['amount', '12.10', /./],
    ['amount', 1e300, /./],
    ['paidAt', new Date(Date.now() + 6 * 60_000).toISOString(), /future/],
    ['paidAt', '2026-11-20', /./],
    ['reference', 'x'.repeat(limits.paymentReference + 1), /./],
    ['userId', undefined, /./],
  ])('cannot have as its %s %s', async (field, value, message) => {
    const { id } = await plant()
    const answer = await pay(id, { [field]: value })
    expect(answer).toMatchObject({ status: 400, body: { details: [{ path: field }] } })
    expect(JSON.stringify(answer.body)).toMatch(message)
    expect((await read(id)).paidCents).toBe(0)
  })

  test('tolerates a small clock difference', async () => {
    const { id } = await plant()
    expect((await pay(id, { paidAt: new Date(Date.now() + 4 * 60_000).toISOString() })).status).toBe(200)
  })

  test('follows the decimals of the currency', async () => {
    const { id } = await plant({ currency: 'jpy', totalCents: 500 })
    expect(refusalOf(await pay(id, { amount: 4.5 }))).toEqual([400, 'VALIDATION_ERROR'])
    expect((await pay(id, { amount: 400 })).body).toMatchObject({ paidCents: 400, dueCents: 100 })
    const { id: dinar } = await plant({ currency: 'kwd', totalCents: 5_000 })
    expect((await pay(dinar, { amount: 1.25 })).body).toMatchObject({ paidCents: 1_250 })
  })

  test('belongs to an invoice of the application, for its user', async () => {
    const { id } = await plant()
    const unknown = await pay(newId())
    expect(refusalOf(unknown)).toEqual([404, 'INVOICE_NOT_ACCESSIBLE'])
    const other = await makeApplication(server, organization, { scopes: ['crm:invoices:write'] })
    const elsewhere = await makeApplication(server, await server.organization(), {
      scopes: ['crm:invoices:write'],
    })
    const input = { params: { id }, body: { userId: 'u-1', method: 'CASH' as const } }
    for (const answer of [
      await pay(id, { userId: 'u-2' }),
      await other.client.send(markInvoicePaid, input),
      await elsewhere.client.send(markInvoicePaid, input),
    ])
      expect([answer.status, answer.body]).toEqual([404, unknown.body])
    const bare = await makeApplication(server, organization, { scopes: ['crm:invoices:read'] })
    expect(refusalOf(await bare.client.send(markInvoicePaid, input))).toEqual([403, 'INSUFFICIENT_SCOPE'])
    const viewer = await organization.person({ permissions: ['BILLING_VIEW'] })
    const byHand = { params: { id }, body: { method: 'CASH' as const } }
    expect(refusalOf(await viewer.send(registerPayment, byHand))).toEqual([403, 'PERMISSION_DENIED'])
    expect((await owner.send(registerPayment, byHand)).status).toBe(200)
  })

  test('needs the finance module', async () => {
    const team = await server.organization({ plan: 'TEAM' })
    const app = await makeApplication(server, team, { scopes: [] })
    const input = { params: { id: newId() }, body: { userId: 'u', method: 'CASH' as const } }
    const answer = await app.client.send(markInvoicePaid, input)
    expect(refusalOf(answer)).toEqual([403, 'MODULE_NOT_ENABLED'])
    expect(answer.body).toMatchObject({ moduleKey: 'finance' })
  })

  test('counts toward the sixty actions a minute of a key', async () => {
    const { id } = await plant()
    await plantUsed(server, { bucket: 'invoice-actions', caller: shop.keyId, used: 60, windowSeconds: 60 })
    const answer = await pay(id)
    expect(refusalOf(answer)).toEqual([429, 'RATE_LIMIT_EXCEEDED'])
    expect(answer.headers.get('retry-after')).toBe(
      String((answer.body as unknown as { retryAfterSeconds: number }).retryAfterSeconds),
    )
  })
})

describe('while the gateway collects', () => {
  async function attempt(invoiceId: string, state: AttemptState) {
    const accountId = await plantAccount(server, organization.id)
    const account = { organizationId: organization.id, id: accountId, secretKey: null, webhookSecret: null }
    const gateway = server.api.services.gateways.of({ ...account, adapter: 'sandbox' })
    const { id: intentId } = await gateway.createIntent(
      { amountCents: 12_100, currency: 'eur', customerId: null, methodId: null, metadata: {} },
      newId(),
    )
    await plantCharge(server, {
      organizationId: organization.id,
      invoiceId,
      applicationId: shop.id,
      accountId,
      state,
      paymentIntentId: intentId,
      linkId: 'l',
    })
    return { gateway, intentId }
  }

  test.each(['CREATED', 'CONFIRMING', 'PROCESSING', 'CANCELING'] as const)(
    'an attempt that is %s refuses it for a while',
    async state => {
      const { id } = await plant()
      await attempt(id, state)
      const answer = await pay(id)
      expect(refusalOf(answer)).toEqual([409, 'INVOICE_PAYMENT_IN_PROGRESS'])
      expect(answer.headers.get('retry-after')).toBe('5')
      expect((await read(id)).paidCents).toBe(0)
    },
  )

  test('a payment that waits for its payer is cancelled first', async () => {
    const { id } = await plant()
    const { gateway, intentId } = await attempt(id, 'REQUIRES_ACTION')
    // a refused request does not cancel the waiting payment
    expect(refusalOf(await pay(id, { amount: 121.01 }))).toEqual([422, 'PAYMENT_AMOUNT_EXCEEDS_DUE'])
    expect((await gateway.readIntent(intentId)).status).not.toBe('canceled')
    expect((await pay(id)).body).toMatchObject({ status: 'PAID', paidCents: 12_100 })
    expect((await gateway.readIntent(intentId)).status).toBe('canceled')
    expect(await server.sql('select state from charge_attempt where invoice_id = $1', [id])).toEqual([
      { state: 'FAILED' },
    ])
    expect((await eventsOf(id)).map(({ name }) => name)).toEqual(['CHARGE_FAILED', 'INVOICE_PAID'])
  })
})

test('every amount with two decimals is parsed exactly', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: limits.invoiceCents }), cents => {
      const written = `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`
      expect(centsOf(JSON.parse(written) as number, 'eur')).toBe(cents)
    }),
  )
  const least = fc.integer({ min: 1, max: 999 })
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 10 ** 6 }), least, (whole, thousandths) => {
      fc.pre(thousandths % 10 !== 0)
      const amount = JSON.parse(`${whole}.${String(thousandths).padStart(3, '0')}`) as number
      expect(() => centsOf(amount, 'eur')).toThrow(Refusal)
    }),
  )
})
