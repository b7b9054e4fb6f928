import { afterAll, beforeAll, expect, test } from 'vitest'
import { listAllCharges, listAllPayments, listAllRefunds } from '#contract/billing/movements.ts'
import { newId } from '#platform/ids.ts'
import { chargeStatusOf } from '#server/billing/charges/charge.rules.ts'
import { currentAccount } from '#tests/support/billing/charges.ts'
import { type PlantedInvoice, plantInvoice } from '#tests/support/billing/invoices.ts'
import { plantCharge, plantPayment } from '#tests/support/billing/payments.ts'
import { defined } from '#tests/support/elements.ts'
import { makeApplication } from '#tests/support/integrations/applications.ts'
import { refusalOf } from '#tests/support/refusals.ts'
import { insertRows } from '#tests/support/rows.ts'
import {
  type Organization,
  type Person,
  startTestServer,
  type TestServer,
} from '#tests/support/test-server.ts'

let server: TestServer
let organization: Organization
let owner: Person
let one: PlantedInvoice
let two: PlantedInvoice
let accountId: string
beforeAll(async () => {
  server = await startTestServer()
  organization = await server.organization()
  owner = await organization.person({ role: 'OWNER' })
  const shop = await makeApplication(server, organization)
  accountId = await currentAccount(server, organization.id)
  one = await plantInvoice(server, shop)
  two = await plantInvoice(server, shop, { currency: 'usd' })
  await server.sql(
    `update crm_client set name = 'España y hijos', search = ' espana y hijos' where id = $1`,
    [two.clientId],
  )
  await plantPayments()
  await plantCharges()
  await plantRefunds()
})
afterAll(() => server?.close())

const paymentIds: string[] = []
const day = (n: number) => `2026-03-0${n}T10:00:00.000Z`
/** From the newest on: a transfer, cash that was reversed, and three cards in other states. */
async function plantPayments(): Promise<void> {
  const rows = [
    {
      invoice: two,
      method: 'GATEWAY_CARD',
      cents: 700,
      currency: 'usd',
      intent: 'pi_Disputed',
      disputed: true,
    },
    {
      invoice: two,
      method: 'GATEWAY_CARD',
      cents: 700,
      currency: 'usd',
      intent: 'pi_Partly',
      refunded: 200,
    },
    { invoice: one, method: 'GATEWAY_CARD', cents: 500, currency: 'eur', intent: 'pi_Whole', refunded: 500 },
    { invoice: one, method: 'CASH', cents: 300, currency: 'eur', reversed: true },
    { invoice: one, method: 'TRANSFER', cents: 12_345, currency: 'eur', reference: 'Transf. n26 44' },
  ]
  for (const [n, row] of rows.entries()) {
    const id = await plantPayment(server, {
      organizationId: organization.id,
      invoiceId: row.invoice.id,
      method: row.method,
      cents: row.cents,
      currency: row.currency,
      paidAt: day(n + 1),
      reference: row.reference,
      accountId: row.intent && accountId,
      paymentIntentId: row.intent,
      refundedCents: row.refunded,
      isDisputed: row.disputed,
      isReversed: row.reversed,
    })
    paymentIds.unshift(id)
  }
}

const attempts = [
  ['SUCCEEDED', null],
  ['FAILED', 'card_declined'],
  ['CANCELING', 'card_declined'],
  ['CANCELING', null],
  ['CREATED', null],
  ['CONFIRMING', null],
  ['REQUIRES_ACTION', null],
  ['PROCESSING', null],
] as const
const chargeIds: string[] = []
/** One charge in each state, each of an invoice of its own: an invoice has one open charge. */
async function plantCharges(): Promise<void> {
  const shop = await makeApplication(server, organization)
  for (const [n, [state, failure]] of attempts.entries()) {
    const invoice = n === 0 ? two : await plantInvoice(server, shop)
    const id = await plantCharge(server, {
      organizationId: organization.id,
      invoiceId: invoice.id,
      state,
      amountCents: 1_000 + n,
      currency: n === 0 ? 'usd' : 'eur',
      accountId,
      paymentIntentId: `pi_charge_${n}`,
      failureCode: failure,
      createdAt: day(n + 1),
    })
    chargeIds.unshift(id)
  }
}

const refundIds: string[] = []
async function plantRefunds(): Promise<void> {
  for (const [n, status] of (['SUCCEEDED', 'PENDING', 'FAILED'] as const).entries()) {
    const id = newId()
    refundIds.unshift(id)
    await insertRows(server, 'refund', [
      {
        organization_id: organization.id,
        id,
        invoice_id: (n === 0 ? two : one).id,
        status,
        amount_cents: 200 + n,
        currency: n === 0 ? 'usd' : 'eur',
        created_at: day(n + 1),
      },
    ])
    await insertRows(server, 'refund_part', [
      {
        organization_id: organization.id,
        refund_id: id,
        payment_id: paymentIds[4 - n],
        amount_cents: 200 + n,
        state: status,
        gateway_account_id: accountId,
        gateway_refund_id: n === 1 ? null : `re_${n}`,
      },
    ])
  }
}

const lists = {
  payments: { contract: listAllPayments, ids: paymentIds },
  charges: { contract: listAllCharges, ids: chargeIds },
  refunds: { contract: listAllRefunds, ids: refundIds },
} as const
/** The places of the entries that a list returns, and that its total counts. */
async function found(list: keyof typeof lists, query: object = {}, by = owner): Promise<number[]> {
  const { contract, ids } = lists[list]
  const { data, pagination } = await by.call(contract as typeof listAllPayments, { query })
  expect(pagination.total).toBe(data.length)
  return data.map(({ id }) => ids.indexOf(id))
}

test('an entry names its invoice and client', async () => {
  const payments = await owner.call(listAllPayments, { query: { limit: 1 } })
  const ofOne = { invoiceId: one.id, invoiceNumber: one.number, clientId: one.clientId }
  expect(payments.data).toEqual([
    {
      id: paymentIds[0],
      method: 'TRANSFER',
      amountCents: 12_345,
      refundedCents: 0,
      paidAt: day(5),
      reference: 'Transf. n26 44',
      paymentIntentId: null,
      createdAt: expect.any(String),
      reversedAt: null,
      status: 'RECEIVED',
      currency: 'eur',
      ...ofOne,
      clientName: expect.stringMatching(/^Client \d+$/),
    },
  ])
  expect(payments.pagination).toMatchObject({ total: 5, totalPages: 5, hasNextPage: true })
  const charge = (await owner.call(listAllCharges, { query: { search: 'pi_charge_0' } })).data[0]
  const ofTwo = { invoiceId: two.id, invoiceNumber: two.number, clientName: 'España y hijos' }
  expect(charge).toMatchObject({ status: 'SUCCEEDED', amountCents: 1_000, ...ofTwo })
  const refunds = await owner.call(listAllRefunds, { query: {} })
  expect(refunds.data[2]).toMatchObject({ gatewayRefundIds: ['re_0'], isFullRefund: false, ...ofTwo })
  expect(refunds.data[1]).toMatchObject({ gatewayRefundIds: [], status: 'PENDING', ...ofOne })
})

test('payments are listed, newest first, with their filters', async () => {
  expect(await found('payments')).toEqual([0, 1, 2, 3, 4])
  expect(await found('payments', { method: 'GATEWAY_CARD' })).toEqual([2, 3, 4])
  expect(await found('payments', { currency: 'usd' })).toEqual([3, 4])
  expect(await found('payments', { currency: 'usd', method: 'CASH' })).toEqual([])
  expect(await found('payments', { from: day(2), to: day(4) })).toEqual([1, 2, 3])
  expect(await found('payments', { from: day(2), method: 'GATEWAY_CARD' })).toEqual([2, 3])
  expect(await found('payments', { from: day(2), status: 'RECEIVED', currency: 'eur' })).toEqual([0])
  const statuses = ['RECEIVED', 'REVERSED', 'REFUNDED', 'PARTIALLY_REFUNDED', 'DISPUTED'] as const
  for (const [n, status] of statuses.entries()) expect(await found('payments', { status })).toEqual([n])
})

test('one search finds the payments of a line of a bank statement', async () => {
  expect(await found('payments', { search: 'TRANSF. N26' })).toEqual([0])
  expect(await found('payments', { search: 'pi_Who' })).toEqual([2])
  expect(await found('payments', { search: '12345' })).toEqual([0])
  expect(await found('payments', { search: ` ${defined(one.number).toLowerCase()} ` })).toEqual([0, 1, 2])
  expect(await found('payments', { search: 'ESPAÑA' })).toEqual([3, 4])
  expect(await found('payments', { search: 'hijos', status: 'DISPUTED', from: day(1) })).toEqual([4])
  expect(await found('payments', { search: 'hijos', method: 'CASH' })).toEqual([])
  expect(await found('payments', { search: '%_' })).toEqual([])
  expect(refusalOf(await owner.send(listAllPayments, { query: { search: ' x ' } }))[0]).toBe(400)
})

test('charges are listed with the status that callers see', async () => {
  expect(await found('charges')).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
  const newestFirst = attempts.toReversed()
  for (const status of ['SUCCEEDED', 'REQUIRES_ACTION', 'PROCESSING', 'FAILED'] as const) {
    const expected = newestFirst.flatMap(([state, failure_code], n) =>
      chargeStatusOf({ state, failure_code }) === status ? [n] : [],
    )
    expect(await found('charges', { status })).toEqual(expected)
    expect(await found('charges', { status, currency: 'eur' })).toEqual(expected.filter(n => n !== 7))
  }
  expect(await found('charges', { currency: 'usd' })).toEqual([7])
  expect(await found('charges', { search: '1001' })).toEqual([6])
  expect(await found('charges', { search: 'hijos' })).toEqual([7])
  expect(await found('charges', { search: 'pi_charge', from: day(7) })).toEqual([0, 1])
})

test('refunds are listed, and found by their id at the gateway', async () => {
  expect(await found('refunds')).toEqual([0, 1, 2])
  expect(await found('refunds', { status: 'PENDING' })).toEqual([1])
  expect(await found('refunds', { currency: 'eur', to: day(2) })).toEqual([1])
  expect(await found('refunds', { status: 'FAILED', currency: 'usd' })).toEqual([])
  expect(await found('refunds', { search: 're_2' })).toEqual([0])
  expect(await found('refunds', { search: '201' })).toEqual([1])
  expect(await found('refunds', { search: defined(two.number) })).toEqual([2])
})

test('nothing crosses an organization, and a page has its place', async () => {
  const stranger = await (await server.organization()).person({ role: 'OWNER' })
  for (const list of ['payments', 'charges', 'refunds'] as const) {
    expect(await found(list, {}, stranger)).toEqual([])
    expect(await found(list, { search: 'hijos' }, stranger)).toEqual([])
  }
  const { data, pagination } = await owner.call(listAllPayments, { query: { page: 2, limit: 2 } })
  expect(data.map(({ id }) => paymentIds.indexOf(id))).toEqual([2, 3])
  expect(pagination).toMatchObject({ page: 2, total: 5, totalPages: 3, hasPreviousPage: true })
  const beyond = await owner.call(listAllPayments, { query: { page: 9, search: 'hijos' } })
  expect(beyond).toMatchObject({ data: [], pagination: { total: 2 } })
})
