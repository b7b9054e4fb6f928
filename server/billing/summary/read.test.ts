import { afterAll, beforeAll, expect, test } from 'vitest'
import { readBillingSummary } from '#contract/billing/summary.ts'
import { plantInvoice } from '#tests/support/billing/invoices.ts'
import { plantPayment } from '#tests/support/billing/payments.ts'
import { only } from '#tests/support/elements.ts'
import { makeApplication, type TestApplication } from '#tests/support/integrations/applications.ts'
import { type Person, startTestServer, type TestServer } from '#tests/support/test-server.ts'

let server: TestServer
let owner: Person
let shop: TestApplication
beforeAll(async () => {
  server = await startTestServer()
  const organization = await server.organization()
  owner = await organization.person({ role: 'OWNER' })
  shop = await makeApplication(server, organization)
})
afterAll(() => server?.close())

const today = `(now() at time zone 'utc')::date`
/** An invoice that was due this many days ago. */
async function owing(
  daysAgo: number | null,
  given: { totalCents?: number; currency?: string; clientId?: string } = {},
  set = 'paid_cents = paid_cents',
) {
  const invoice = await plantInvoice(server, shop, { totalCents: 1_000, ...given })
  await server.sql(`update invoice set due_date = ${today} - $2::int, ${set} where id = $1`, [
    invoice.id,
    daysAgo,
  ])
  return invoice
}
async function paid(invoiceId: string, at: string, cents: number, currency = 'eur', isReversed = false) {
  const { paidAt } = only(await server.sql<{ paidAt: Date }>(`select ${at} as "paidAt"`))
  const { organizationId } = shop
  await plantPayment(server, { organizationId, invoiceId, cents, currency, paidAt, isReversed })
}
const none = { count: 0, cents: 0 }
const summary = (query: object = {}, by = owner) => by.call(readBillingSummary, { query })

test('what is due by age and currency, and what was collected in two months', async () => {
  expect(await summary()).toEqual({
    today: new Date().toISOString().slice(0, 10),
    overdueCount: 0,
    due: [],
    collected: [],
    isComplete: true,
  })
  const first = await owing(0)
  await owing(null)
  await owing(-20)
  await owing(1)
  // 300 of 1,000 were paid, of which 100 were refunded and rectified
  await owing(
    30,
    {},
    'paid_cents = 300, refunded_cents = 100, refund_rectified_cents = 100, rectified_cents = 100',
  )
  await owing(31)
  await owing(60)
  await owing(61, { totalCents: 5_000 })
  await owing(400, { currency: 'usd', clientId: first.clientId })
  // none of these is due
  await owing(90, {}, 'paid_cents = total_cents')
  await owing(90, {}, `lifecycle = 'VOIDED'`)
  await plantInvoice(server, shop, { lifecycle: 'DRAFT' })

  const month = `date_trunc('month', now() at time zone 'utc')`
  await paid(first.id, `${month} at time zone 'utc'`, 100)
  await paid(first.id, `(${month} - interval '1 ms') at time zone 'utc'`, 20)
  await paid(first.id, `(${month} - interval '1 month') at time zone 'utc'`, 3)
  await paid(first.id, `(${month} - interval '1 month' - interval '1 ms') at time zone 'utc'`, 50_000)
  await paid(first.id, `${month} at time zone 'utc'`, 40_000, 'eur', true)
  const other = await owing(-1, { currency: 'usd' })
  await paid(other.id, `${month} at time zone 'utc'`, 7, 'usd')

  const inEuros = {
    currency: 'eur',
    notDue: { count: 3, cents: 3_000 },
    days1To30: { count: 2, cents: 1_700 },
    days31To60: { count: 2, cents: 2_000 },
    over60Days: { count: 1, cents: 5_000 },
  }
  const collectedInEuros = {
    currency: 'eur',
    thisMonth: { count: 1, cents: 100 },
    lastMonth: { count: 2, cents: 23 },
  }
  expect(await summary()).toMatchObject({
    overdueCount: 6,
    due: [
      inEuros,
      { currency: 'usd', notDue: { count: 1, cents: 1_000 }, over60Days: { count: 1, cents: 1_000 } },
    ],
    collected: [collectedInEuros, { currency: 'usd', thisMonth: { count: 1, cents: 7 }, lastMonth: none }],
    isComplete: true,
  })
  expect(await summary({ clientId: first.clientId })).toMatchObject({
    overdueCount: 1,
    due: [
      { currency: 'eur', notDue: { count: 1, cents: 1_000 }, days1To30: none },
      { currency: 'usd', notDue: none, over60Days: { count: 1, cents: 1_000 } },
    ],
    collected: [collectedInEuros],
  })
  const stranger = await (await server.organization()).person({ role: 'OWNER' })
  expect(await summary({}, stranger)).toMatchObject({ overdueCount: 0, due: [], collected: [] })
  expect(await summary({ clientId: first.clientId }, stranger)).toMatchObject({ due: [], collected: [] })
})
