import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type InvoiceOrder, invoiceOrders } from '#contract/billing/invoices.ts'
import { limits } from '#contract/limits.ts'
import type { Db } from '#platform/data/database.ts'
import { plantManyInvoices } from '#tests/support/billing/many-invoices.ts'
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
let client: pg.Client
let organizationId: string
let clientId: string
beforeAll(async () => {
  server = await startTestServer({}, { hasWorker: false })
  const planted = await plantManyInvoices(server, many)
  organizationId = planted.organization.id
  clientId = planted.clientId
  client = new pg.Client({ connectionString: server.config.databaseUrl, options: '-c jit=off' })
  await client.connect()
}, 120_000)
afterAll(async () => {
  await client?.end()
  await server?.close()
})

/** The number of blocks that the statements of a function read, under both plan modes. */
async function blocksOf(send: (db: Db) => Promise<unknown>): Promise<number> {
  const sent: { text: string; values: readonly unknown[] }[] = []
  const read = async ({ text }: { text: string }, ...values: unknown[]) => {
    sent.push({ text, values: [organizationId, ...values] })
    return [{ total: 0, id: null, examined_to: null }]
  }
  const catching = { rows: read, first: async (...args: Parameters<typeof read>) => (await read(...args))[0] }
  await send(catching as unknown as Db)
  const blocks: number[] = []
  for (const mode of ['force_custom_plan', 'force_generic_plan']) {
    await client.query(`set plan_cache_mode = ${mode}`)
    let total = 0
    for (const { text, values } of sent) {
      await client.query(`prepare looked_at as ${text}`)
      const { rows } = await client.query(
        `explain (analyze, buffers, format json) execute looked_at(${values.map(written).join(', ')})`,
      )
      await client.query('deallocate looked_at')
      const { Plan: plan } = (rows[0]['QUERY PLAN'] as { Plan: Record<string, number> }[])[0]!
      total += plan['Shared Hit Blocks']! + plan['Shared Read Blocks']!
    }
    blocks.push(total)
  }
  return Math.max(...blocks)
}
function written(value: unknown): string {
  if (Array.isArray(value)) return `array[${value.map(written).join(', ')}]::text[]`
  return typeof value === 'string' ? pg.escapeLiteral(value) : String(value)
}

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

test('a batch of an export', async () => {
  const batch = (filters: Partial<InvoiceFilters>) =>
    blocksOf(async db => {
      for await (const _ of invoicesInBatches(db, { ...any, ...filters }));
    })
  const most = 12 * limits.invoiceExportPage
  expect(await batch({})).toBeLessThan(most)
  expect(await batch({ status: 'VOIDED' })).toBeLessThan(most)
  expect(await batch({ search: invoiceSearchOf('X000123') })).toBeLessThan(most)
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
