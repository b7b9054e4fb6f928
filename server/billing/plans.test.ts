import { afterAll, beforeAll, expect, it } from 'vitest'
import { limits } from '#contract/limits.ts'
import { plantInvoice } from '#tests/support/billing/invoices.ts'
import { exactly, only } from '#tests/support/elements.ts'
import { makeApplication, type TestApplication } from '#tests/support/integrations/applications.ts'
import { openPlans, type Plans } from '#tests/support/plans.ts'
import { dayAfter, insertMany, secondsAgo } from '#tests/support/rows.ts'
import { startTestServer, type TestServer } from '#tests/support/test-server.ts'
import { invoiceSearchOf } from './invoices/listing/invoice-list.rules.ts'
import { listInvoices, listOverdue } from './invoices/listing/invoice-list.sql.ts'

// 12,000 invoices of an application in one organization, and as many in another: a page reads what it shows

const many = 12_000
let server: TestServer
let plans: Plans
let shop: TestApplication
let one: { clientId: string; userId: string }
beforeAll(async () => {
  server = await startTestServer({}, { hasWorker: false })
  for (let time = 0; time < 2; time++) {
    shop = await makeApplication(server, await server.organization())
    one = await plantInvoice(server, shop)
    const common = await plantInvoice(server, shop)
    await insertMany(server, 'invoice', many, n => {
      const { userId, clientId } = n % 100 === 0 ? one : common
      return {
        organization_id: shop.organizationId,
        id: `i${n}`,
        application_id: shop.id,
        external_user_id: userId,
        client_id: clientId,
        number: `X${n}`,
        paid_cents: n % 200 === 0 ? 50 : n % 3 > 0 ? 100 : 0,
        due_date: dayAfter(new Date(), 20 - Math.trunc(n / 100)),
        created_at: secondsAgo(n * 60),
      }
    })
  }
  await server.sql('vacuum analyze invoice, crm_client')
  plans = await openPlans(server.config.databaseUrl)
})
afterAll(async () => {
  await plans?.close()
  await server?.close()
})

type Filters = Parameters<typeof listInvoices>[1]
type Filter = 'status' | 'clientId' | 'applicationId' | 'userId'
const any: Filters = { status: null, clientId: null, applicationId: null, userId: null, search: null }
const filtersBy = (by: readonly Filter[]): Filters => {
  const all = { status: 'PARTIALLY_PAID', ...one, applicationId: shop.id }
  return { ...any, ...Object.fromEntries(by.map(name => [name, all[name]])) }
}
const explain = (list: typeof listInvoices, filters: Filters) =>
  plans.explain(shop.organizationId, db => list(db, filters, { limit: limits.pageLimit, offset: 0 }))

it.each<Filter[]>([
  [],
  ['status'],
  ['clientId'],
  ['applicationId'],
  ['applicationId', 'status'],
  ['applicationId', 'userId'],
  ['applicationId', 'userId', 'status'],
])('a page reads only its own rows: %s %s %s', async (...by) => {
  const [page, total] = exactly(2, await explain(listInvoices, filtersBy(by)))
  expect(page.blocks).toBeLessThan(450)
  expect(total.scanned).toEqual(new Set())
})

it.each<[most: number, ...Filter[]]>([
  [60],
  // among the overdue invoices of all clients, or of all users of the application
  [600, 'clientId'],
  [60, 'applicationId'],
  [600, 'applicationId', 'userId'],
])('a page of overdue invoices reads fewer than %i blocks: %s %s', async (most, ...by) => {
  const [page, total] = exactly(2, await explain(listOverdue, filtersBy(by)))
  expect(page.blocks).toBeLessThan(most)
  expect(total.scanned).toEqual(new Set())
})

it.each<Filter[]>([[], ['applicationId'], ['status']])(
  'a page of search results reads only its own rows: %s',
  async (...by) => {
    const { name } = only(
      await server.sql<{ name: string }>('select name from crm_client where id = $1', [one.clientId]),
    )
    for (const text of ['x1234', name])
      for (const list of [listInvoices, listOverdue]) {
        const page = only(await explain(list, { ...filtersBy(by), search: invoiceSearchOf(text) }))
        expect(page.blocks).toBeLessThan(900)
      }
  },
)
