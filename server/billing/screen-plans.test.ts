import { afterAll, beforeAll, expect, test } from 'vitest'
import { type InvoiceOrder, invoiceOrders } from '#contract/billing/invoices.ts'
import { limits } from '#contract/limits.ts'
import type { Tx } from '#platform/data/db.ts'
import { plantManyInvoices } from '#tests/support/billing/many-invoices.ts'
import { openPlans, type Plans } from '#tests/support/plans.ts'
import { startTestServer, type TestServer } from '#tests/support/test-server.ts'
import { listUninvoicedBudgets } from './budgets/uninvoiced-budget.sql.ts'
import { filterInvoices, invoicesInBatches } from './invoices/listing/invoice-filters.sql.ts'
import { type InvoiceFilters, invoiceSearchOf } from './invoices/listing/invoice-list.rules.ts'
import { movementFiltersOf } from './movements/movement.rules.ts'
import { listCharges, listPayments, listRefunds } from './movements/movement.sql.ts'
import { readSummary } from './summary/summary.sql.ts'

// the cost of what the screens read depends on the page and on the limits of the contract, not on the number of rows

const many = 12_000
let server: TestServer
let plans: Plans
let organizationId: string
let clientId: string
beforeAll(async () => {
  server = await startTestServer({}, { hasWorker: false })
  const planted = await plantManyInvoices(server, many)
  organizationId = planted.organization.id
  clientId = planted.clientId
  plans = await openPlans(server.config.databaseUrl, ['force_custom_plan', 'force_generic_plan'])
}, 120_000)
afterAll(async () => {
  await plans?.close()
  await server?.close()
})

const blocksOf = (read: (db: Tx) => Promise<unknown>) => plans.blocksOf(organizationId, read)

const page = { limit: limits.pageLimit, offset: 0 }
const any: InvoiceFilters = {
  status: null,
  clientId: null,
  applicationId: null,
  userId: null,
  budgetId: null,
  isUnpaid: false,
  isOverdue: false,
  issuedFrom: null,
  issuedTo: null,
  dueFrom: null,
  dueTo: null,
  ids: null,
  search: null,
}
/** At most one block per counted row, for its visibility, plus the page. */
const counted = limits.invoicesCounted + 1_500
const sorted = (orderBy: InvoiceOrder, order: 'asc' | 'desc' = 'desc') => ({ orderBy, order })

test.each(invoiceOrders)('invoices by %s: only what is counted, from the index', async orderBy => {
  for (const order of ['asc', 'desc'] as const)
    expect(await blocksOf(db => filterInvoices(db, any, sorted(orderBy, order), page))).toBeLessThan(counted)
})

/** The primary key and the row of each examined entry. */
const examined = 6 * limits.invoicesCounted
test.each([
  ['a range of issue dates', { issuedFrom: '2026-01-01', issuedTo: '2026-12-31' }, 'issueDate', counted],
  ['a range of due dates', { dueFrom: '2026-01-01' }, 'dueDate', counted],
  ['a range in another order', { dueFrom: '2026-01-01', issuedTo: '2030-01-01' }, 'number', examined],
  ['a status in another order', { status: 'PAID' }, 'totalCents', examined],
  ['a client in another order', { clientId: 'CLIENT' }, 'totalCents', 1_200],
  ['unpaid invoices', { isUnpaid: true }, 'createdAt', examined],
  [
    'a hundred ids',
    { ids: Array.from({ length: 100 }, (_, n) => `i${String(n + 1).padStart(6, '0')}`) },
    'createdAt',
    2_000,
  ],
  ['a budget', { budgetId: 'b77' }, 'createdAt', 60],
  ['a search for a number', { search: invoiceSearchOf('X000123') }, 'number', 200],
  // the index of the newest invoices alone
  ['a search for an amount', { search: invoiceSearchOf('12345') }, 'number', 1_800],
] as const)('invoices of %s', async (_, filters, orderBy, most) => {
  const given = { ...any, ...filters, ...('clientId' in filters && { clientId }) } as InvoiceFilters
  expect(await blocksOf(db => filterInvoices(db, given, sorted(orderBy), page))).toBeLessThan(most)
})

test('each batch of an export', async () => {
  for (const filters of [{}, { status: 'VOIDED' }, { search: invoiceSearchOf('X000123') }] as const) {
    const batches = await plans.explain(organizationId, async db => {
      for await (const _ of invoicesInBatches(db, { ...any, ...filters }));
    })
    expect(batches.length).toBeGreaterThan(many / limits.invoiceExportPage)
    const most = Math.max(...batches.map(({ blocks }) => blocks))
    expect(most).toBeLessThan(12 * limits.invoiceExportPage)
  }
})

const lists = { payments: listPayments, charges: listCharges, refunds: listRefunds }
test.each([
  [{}, counted],
  [{ status: 'SUCCEEDED' }, counted],
  [{ currency: 'usd' }, counted],
  [{ from: '2001-01-01T00:00:00.000Z', currency: 'eur' }, counted],
  [{ status: 'FAILED', currency: 'usd' }, examined],
  [{ search: 'X00012' }, 1_200],
  [{ search: '12345' }, 1_800],
] as const)('payments, charges and refunds of %j', async (query, most) => {
  for (const list of Object.values(lists))
    expect(await blocksOf(db => list(db, movementFiltersOf(query), page))).toBeLessThan(most)
})

test('payments by method and by reference', async () => {
  const of = (query: object) => blocksOf(db => listPayments(db, movementFiltersOf(query), page))
  expect(await of({ method: 'CASH' })).toBeLessThan(counted)
  expect(await of({ search: 'transfer 1234' })).toBeLessThan(500)
})

test('the summary reads the index of unpaid invoices and two months of payments', async () => {
  expect(await blocksOf(db => readSummary(db, null))).toBeLessThan(2 * many)
  expect(await blocksOf(db => readSummary(db, clientId))).toBeLessThan(1_000)
})

test('signed budgets without an invoice are sought among the newest', async () => {
  const most = 8 * limits.signedBudgetsExamined
  expect(await blocksOf(db => listUninvoicedBudgets(db, { limit: 20, offset: 0 }))).toBeLessThan(most)
})
