import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { chargeInvoiceByHand } from '#contract/billing/charges.ts'
import { issueInvoice, listInvoices, readInvoice, rectifyInvoice } from '#contract/billing/invoices.ts'
import { listLedger } from '#contract/billing/ledger.ts'
import { registerPayment, reversePayment } from '#contract/billing/payments.ts'
import { refundInvoiceByHand } from '#contract/billing/refunds.ts'
import { newId } from '#platform/ids.ts'
import { cards, currentAccount, plantAccount, sandboxPayer } from '#tests/support/billing/charges.ts'
import { plantInvoice, plantIssuer, whereabouts } from '#tests/support/billing/invoices.ts'
import { plantCharge } from '#tests/support/billing/payments.ts'
import { makeClient } from '#tests/support/crm/leads-and-clients.ts'
import { defined, findIn, only } from '#tests/support/elements.ts'
import { makeApplication, type TestApplication } from '#tests/support/integrations/applications.ts'
import { refusalOf } from '#tests/support/refusals.ts'
import {
  type Organization,
  type Person,
  startTestServer,
  type TestServer,
} from '#tests/support/test-server.ts'

let server: TestServer
let organization: Organization
let owner: Person
let shop: TestApplication
let clientId: string
beforeAll(async () => {
  server = await startTestServer()
  organization = await server.organization()
  owner = await organization.person({ role: 'OWNER' })
  shop = await makeApplication(server, organization, { scopes: ['crm:invoices:write'] })
  await plantIssuer(server, organization.id)
  await plantAccount(server, organization.id)
  clientId = (await makeClient(owner, whereabouts)).id
})
beforeEach(() => server.sql('delete from rate_window'))
afterAll(() => server?.close())

const read = (id: string) => owner.call(readInvoice, { params: { id } })
const ledger = (invoiceId: string) => owner.call(listLedger, { query: { invoiceId } })
const send = (
  id: string,
  paymentId: string,
  { by = owner, headers = {}, reason = 'Booked on the wrong invoice' } = {},
) => by.send(reversePayment, { params: { id, paymentId }, body: { reason }, headers })

/** Registers a payment of this many euros, and returns its id. */
async function paid(id: string, amount: number): Promise<string> {
  await owner.call(registerPayment, { params: { id }, body: { method: 'TRANSFER', amount } })
  const { payments } = await read(id)
  return defined(payments.findLast(({ method }) => method === 'TRANSFER')).id
}
async function collectedByCard(id: string, userId: string): Promise<void> {
  const account = only(
    await server.sql<{ id: string }>('select id from gateway_account where organization_id = $1', [
      organization.id,
    ]),
  )
  await sandboxPayer(server, shop, account.id, userId, { card: cards.good })
  await owner.call(chargeInvoiceByHand, { params: { id }, body: {} })
}
async function rectified(id: string, cents?: number): Promise<void> {
  const lines = cents === undefined ? {} : { lines: [{ description: 'Less', unitPriceCents: -cents }] }
  const draft = await owner.call(rectifyInvoice, { params: { id }, body: { reason: 'Wrong', ...lines } })
  await owner.call(issueInvoice, { params: { id: draft.id }, body: {} })
}
async function eventsOf(id: string) {
  await server.relayed()
  return server.sql<{ name: string; data: Record<string, unknown>; about: object }>(
    `select name, data, about from event where data ->> 'invoiceId' = $1 order by seq`,
    [id],
  )
}

describe('a payment that was registered by mistake', () => {
  test('cannot be reversed while a card of the same invoice is being charged', async () => {
    const { id } = await plantInvoice(server, shop, { clientId })
    const paymentId = await paid(id, 21)
    await plantCharge(server, {
      organizationId: organization.id,
      invoiceId: id,
      applicationId: shop.id,
      accountId: await currentAccount(server, organization.id),
      state: 'CREATED',
      linkId: 'l',
    })
    const answer = await send(id, paymentId)
    expect(refusalOf(answer)).toEqual([409, 'INVOICE_PAYMENT_IN_PROGRESS'])
    expect(answer.headers.get('retry-after')).toBe('5')
    expect((await read(id)).paidCents).toBe(2_100)
  })

  test('makes its amount due again, stays visible, and has its own ledger entry, event and audit entry', async () => {
    const { id } = await plantInvoice(server, shop, { clientId })
    const paymentId = await paid(id, 121)
    const { status, body } = await send(id, paymentId)
    expect(status).toBe(200)
    expect(body).toMatchObject({ id, status: 'ISSUED', paidCents: 0, dueCents: 12_100, lastPaymentAt: null })
    const invoice = await read(id)
    expect(invoice.payments).toMatchObject([{ id: paymentId, reversedAt: expect.any(String) }])
    expect(invoice.internalNotes).toContain('TRANSFER reversed: Booked on the wrong invoice')
    const { items, balanceCents } = await ledger(id)
    expect(items.map(({ kind, amountCents }) => [kind, amountCents])).toEqual([
      ['PAYMENT', 12_100],
      ['PAYMENT_REVERSAL', -12_100],
    ])
    expect(balanceCents).toBe(0)
    const [, event] = await eventsOf(id)
    expect(event).toMatchObject({
      name: 'INVOICE_PAYMENT_REVERSED',
      about: { applicationId: shop.id },
      data: {
        status: 'ISSUED',
        dueCents: 12_100,
        sequence: 2,
        source: 'manual',
        paymentId,
        method: 'TRANSFER',
        amountCents: 12_100,
        reversedAt: only(invoice.payments).reversedAt,
      },
    })
    const [audit] = await server.sql(
      `select actor_id, changed, detail from audit where subject = $1 order by seq desc limit 1`,
      [id],
    )
    expect(audit).toMatchObject({
      actor_id: owner.id,
      changed: ['paidCents'],
      detail: { reversedPaymentId: paymentId, reason: 'Booked on the wrong invoice' },
    })
    // a reversed payment can be registered again
    await paid(id, 121)
    expect(await read(id)).toMatchObject({ status: 'PAID', dueCents: 0 })
  })

  test('is reversed once from simultaneous requests, and once for each Idempotency-Key', async () => {
    const { id } = await plantInvoice(server, shop, { clientId })
    const [first, second] = [await paid(id, 60), await paid(id, 61)]
    const answers = await Promise.all(Array.from({ length: 20 }, () => send(id, first)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    const refused = answers.filter(({ status }) => status !== 200).map(answer => refusalOf(answer)[1])
    expect(new Set(refused)).toEqual(new Set(['PAYMENT_ALREADY_REVERSED']))
    const headers = { 'idempotency-key': 'once' }
    const repeated = await Promise.all(Array.from({ length: 5 }, () => send(id, second, { headers })))
    expect(repeated.map(({ status }) => status)).toEqual(Array(5).fill(200))
    expect(new Set(repeated.map(({ body }) => JSON.stringify(body))).size).toBe(1)
    expect(refusalOf(await send(id, second, { headers, reason: 'Another' }))[1]).toBe(
      'IDEMPOTENCY_KEY_REUSED',
    )
    expect((await ledger(id)).balanceCents).toBe(0)
    expect(await eventsOf(id)).toHaveLength(4)
  })

  test('leaves the other payments of the invoice unchanged', async () => {
    const { id, userId } = await plantInvoice(server, shop, { clientId })
    const [correct, mistake] = [await paid(id, 21), await paid(id, 40)]
    await collectedByCard(id, userId)
    expect(await read(id)).toMatchObject({ status: 'PAID', paidCents: 12_100 })
    expect((await send(id, mistake)).body).toMatchObject({
      status: 'PARTIALLY_PAID',
      paidCents: 8_100,
      dueCents: 4_000,
    })
    // collected payments are refunded as before
    const { amountCents } = await owner.call(refundInvoiceByHand, { params: { id }, body: {} })
    expect(amountCents).toBe(6_000)
    expect((await send(id, correct)).body).toMatchObject({
      paidCents: 6_000,
      dueCents: 6_100,
      refundStatus: 'FULL',
    })
    expect((await ledger(id)).balanceCents).toBe(0)
    const byCard = findIn((await read(id)).payments, ({ method }) => method === 'GATEWAY_CARD')
    expect(refusalOf(await send(id, byCard.id))).toEqual([409, 'PAYMENT_NOT_REVERSIBLE'])
  })

  test('on a rectified invoice, no longer counts as overpaid', async () => {
    const { id } = await plantInvoice(server, shop, { clientId })
    const payment = await paid(id, 121)
    await rectified(id, 2_100)
    expect(await read(id)).toMatchObject({ status: 'PAID', overpaidCents: 2_100 })
    expect((await send(id, payment)).body).toMatchObject({ status: 'ISSUED', dueCents: 10_000 })
    expect(await read(id)).toMatchObject({ overpaidCents: 0 })
  })

  test('needs a permission of its own', async () => {
    const { id } = await plantInvoice(server, shop, { clientId })
    const payment = await paid(id, 121)
    const clerk = await organization.person({
      permissions: ['BILLING_VIEW', 'BILLING_EDIT', 'BILLING_REFUND'],
    })
    expect((await send(id, payment, { by: clerk })).status).toBe(403)
    const keeper = await organization.person({ permissions: ['BILLING_REVERSE'] })
    expect((await send(id, payment, { by: keeper })).status).toBe(200)
  })

  test('belongs to this invoice and organization', async () => {
    const [mine, other] = [
      await plantInvoice(server, shop, { clientId }),
      await plantInvoice(server, shop, { clientId }),
    ]
    const payment = await paid(other.id, 121)
    expect(refusalOf(await send(mine.id, payment))).toEqual([404, 'PAYMENT_NOT_FOUND'])
    const stranger = await (await server.organization()).person({ role: 'OWNER' })
    expect(refusalOf(await send(other.id, payment, { by: stranger }))).toEqual([
      404,
      'INVOICE_NOT_ACCESSIBLE',
    ])
    expect(refusalOf(await send(newId(), payment))).toEqual([404, 'INVOICE_NOT_ACCESSIBLE'])
  })
})

test('a rectified invoice without payments is not shown as paid', async () => {
  const [unpaid, settled] = [
    await plantInvoice(server, shop, { clientId }),
    await plantInvoice(server, shop, { clientId }),
  ]
  await paid(settled.id, 121)
  await rectified(unpaid.id)
  await rectified(settled.id)
  expect(await read(unpaid.id)).toMatchObject({ status: 'RECTIFIED', dueCents: 0, isOverdue: false })
  expect(await read(settled.id)).toMatchObject({ status: 'PAID', dueCents: 0 })
  const listed = async (status: 'RECTIFIED' | 'PAID') =>
    (await owner.call(listInvoices, { query: { status, clientId, limit: 100 } })).data.map(({ id }) => id)
  expect(await listed('RECTIFIED')).toContain(unpaid.id)
  expect(await listed('RECTIFIED')).not.toContain(settled.id)
  expect(await listed('PAID')).not.toContain(unpaid.id)
  expect(
    refusalOf(await owner.send(registerPayment, { params: { id: unpaid.id }, body: { method: 'CASH' } })),
  ).toEqual([409, 'INVOICE_RECTIFIED'])
})
