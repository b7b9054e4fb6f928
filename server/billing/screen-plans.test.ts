import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type InvoiceOrder, invoiceOrders } from '#contract/billing/invoices.ts'
import { limits } from '#contract/limits.ts'
import type { Db } from '#platform/data/database.ts'
import { currentAccount } from '#tests/support/billing/charges.ts'
import { plantInvoice } from '#tests/support/billing/invoices.ts'
import { makeApplication } from '#tests/support/integrations/applications.ts'
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
  server = await startTestServer()
  const organization = await server.organization()
  organizationId = organization.id
  const shop = await makeApplication(server, organization)
  const accountId = await currentAccount(server, organizationId)
  const few = await plantInvoice(server, shop)
  clientId = few.clientId
  const common = await plantInvoice(server, shop)
  await server.sql(
    `insert into budget (organization_id, id, code, title, status, client_id, issue_date, currency, content, subtotal_cents,
       discount_cents, tax_cents, total_cents, signed_at)
     select $1, 'b' || n, 'B' || n, 'x', 'SIGNED', $2, current_date, 'eur', '{}', 1, 0, 0, 1, now() - n * interval '1 minute'
     from generate_series(1, $3::int) n`,
    [organizationId, clientId, many],
  )
  await server.sql(
    `insert into invoice (organization_id, id, application_id, external_user_id, client_id, lifecycle, number, currency,
       lines, taxes, subtotal_cents, tax_cents, total_cents, paid_cents, issue_date, due_date, created_at, budget_id)
     select $1, 'i' || lpad(n::text, 6, '0'), $2, case when n % 500 = 0 then $3 else $5 end,
       case when n % 500 = 0 then $4 else $6 end, 'ISSUED', 'X' || lpad(n::text, 6, '0'), 'eur', '[]', '[]', n, 0, n,
       case when n % 3 > 0 then n else 0 end, date '2026-01-01' + n % 300, date '2026-02-01' + n % 300,
       now() - n * interval '1 minute', 'b' || n
     from generate_series(1, $7::int) n`,
    [organizationId, shop.id, few.userId, few.clientId, common.userId, common.clientId, many],
  )
  await server.sql(
    `insert into payment (organization_id, id, invoice_id, method, amount_cents, currency, paid_at, reference)
     select $1, 'p' || n, 'i' || lpad(n::text, 6, '0'), case when n % 500 = 0 then 'CASH' else 'TRANSFER' end, n,
       case when n % 500 = 0 then 'usd' else 'eur' end, now() - n * interval '1 minute', 'Transfer ' || n
     from generate_series(1, $2::int) n`,
    [organizationId, many],
  )
  await server.sql(
    `insert into charge_attempt (organization_id, id, invoice_id, kind, state, amount_cents, currency, gateway_account_id,
       payment_intent_id, created_at, ended_at)
     select $1, 'a' || n, 'i' || lpad(n::text, 6, '0'), 'OFF_SESSION', case when n % 500 = 0 then 'SUCCEEDED' else 'FAILED' end,
       n, 'eur', $3, 'pi_' || n, now() - n * interval '1 minute', now()
     from generate_series(1, $2::int) n`,
    [organizationId, many, accountId],
  )
  await server.sql(
    `insert into refund (organization_id, id, invoice_id, source, status, amount_cents, currency, is_full, created_at)
     select $1, 'r' || n, 'i' || lpad(n::text, 6, '0'), 'PEOPLE', 'SUCCEEDED', n, 'eur', false, now() - n * interval '1 minute'
     from generate_series(1, $2::int) n`,
    [organizationId, many],
  )
  await server.sql('vacuum analyze invoice, payment, charge_attempt, refund, budget, crm_client')
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
