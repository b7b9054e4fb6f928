import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { limits } from '#contract/limits.ts'
import { statements } from '#platform/data/statement.ts'
import { plantInvoice } from '#tests/support/billing/invoices.ts'
import { makeApplication, type TestApplication } from '#tests/support/integrations/applications.ts'
import { startTestServer, type TestServer } from '#tests/support/test-server.ts'
import { invoiceSearchOf } from './invoices/listing/invoice-list.rules.ts'

// 12,000 invoices of an application in one organization, and as many in another: a page reads what it shows

const many = 12_000
let server: TestServer
let client: pg.Client
let shop: TestApplication
let one: { clientId: string; userId: string }
beforeAll(async () => {
  server = await startTestServer({}, { hasWorker: false })
  for (let time = 0; time < 2; time++) {
    shop = await makeApplication(server, await server.organization())
    one = await plantInvoice(server, shop)
    const common = await plantInvoice(server, shop)
    await server.sql(
      `insert into invoice (organization_id, id, application_id, external_user_id, client_id, lifecycle, number, currency,
         lines, taxes, subtotal_cents, tax_cents, total_cents, paid_cents, due_date, created_at)
       select $1, 'i' || n, $2, case when n % 100 = 0 then $3 else $5 end, case when n % 100 = 0 then $4 else $6 end,
         'ISSUED', 'X' || n, 'eur', '[]', '[]', 100, 0, 100, case when n % 200 = 0 then 50 when n % 3 > 0 then 100 else 0 end,
         current_date + 20 - n / 100,
         now() - n * interval '1 minute'
       from generate_series(1, $7::int) n`,
      [shop.organizationId, shop.id, one.userId, one.clientId, common.userId, common.clientId, many],
    )
  }
  await server.sql('vacuum analyze invoice, crm_client')
  client = new pg.Client({
    connectionString: server.config.databaseUrl,
    options: '-c plan_cache_mode=force_generic_plan -c jit=off',
  })
  await client.connect()
})
afterAll(async () => {
  await client?.end()
  await server?.close()
})

type Given = Partial<Record<'status' | 'clientId' | 'applicationId' | 'userId', string>>
const columns = {
  status: 'i.status',
  clientId: 'i.client_id',
  applicationId: 'i.application_id',
  userId: 'i.external_user_id',
}
const names = Object.keys(columns) as (keyof Given)[]
const [recent, due] = ['i.created_at desc, i.id desc', 'i.due_date, i.id']

/** The blocks that a page of 100 reads, in one order. */
async function blocksOf(
  given: Given,
  order: string,
  sought: readonly (string | number | null)[] = [],
): Promise<number> {
  const condition = names
    .map((name, at) => (given[name] ? `${columns[name]} = $${at + 2}` : `$${at + 2}::text is null`))
    .join(' and ')
  const parts =
    sought.length > 0 ? ['numbered as', `over (order by ${order})`] : [condition, `order by ${order} limit`]
  const found = statements().filter(({ text }) => parts.every(part => text.includes(part)))
  expect(found).toHaveLength(1)
  const { name, text } = found[0]!
  await client.query(`prepare ${name}_look as ${text}`)
  const values = [shop.organizationId, ...names.map(name => given[name] ?? null), ...sought]
  const written = values.map(value => (value === null ? 'null' : pg.escapeLiteral(String(value))))
  const { rows } = await client.query(
    `explain (analyze, buffers, format json) execute ${name}_look(${written.join(', ')}, ${limits.pageLimit}, 0)`,
  )
  await client.query(`deallocate ${name}_look`)
  const { Plan: plan } = (rows[0]['QUERY PLAN'] as { Plan: Record<string, number> }[])[0]!
  return plan['Shared Hit Blocks']! + plan['Shared Read Blocks']!
}
const chosen = (by: readonly (keyof Given)[]): Given => {
  const all = { status: 'PARTIALLY_PAID', ...one, applicationId: shop.id }
  return Object.fromEntries(by.map(name => [name, all[name]]))
}

it.each<(keyof Given)[]>([
  [],
  ['status'],
  ['clientId'],
  ['applicationId'],
  ['applicationId', 'status'],
  ['applicationId', 'userId'],
  ['applicationId', 'userId', 'status'],
])('a page reads only its own rows: %s %s %s', async (...by) => {
  expect(await blocksOf(chosen(by), recent)).toBeLessThan(450)
})

it.each<(keyof Given)[]>([[], ['clientId'], ['applicationId'], ['applicationId', 'userId']])(
  'a page of overdue invoices too: %s %s',
  async (...by) => {
    expect(await blocksOf(chosen(by), due)).toBeLessThan(600)
  },
)

it.each<(keyof Given)[]>([[], ['applicationId'], ['status']])(
  'a page of search results too: %s',
  async (...by) => {
    const { name } = (
      await server.sql<{ name: string }>('select name from crm_client where id = $1', [one.clientId])
    )[0]!
    for (const search of ['x1234', name])
      for (const order of [recent, due])
        expect(await blocksOf(chosen(by), order, invoiceSearchOf(search)!)).toBeLessThan(900)
  },
)
