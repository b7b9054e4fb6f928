import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { limits } from '#contract/limits.ts'
import { statements } from '#platform/db/statement.ts'
import { type Application, application } from '#tests/applications.ts'
import { plantInvoice } from '#tests/billing.ts'
import { openWorld, type TestWorld } from '#tests/world.ts'

// 12,000 invoices of an application in one organization, and as many in another: a page reads what it shows

const many = 12_000
let world: TestWorld
let client: pg.Client
let shop: Application
let one: { clientId: string; userId: string }
beforeAll(async () => {
  world = await openWorld()
  for (let time = 0; time < 2; time++) {
    shop = await application(world, await world.organization())
    one = await plantInvoice(world, shop)
    const common = await plantInvoice(world, shop)
    await world.sql(
      `insert into invoice (organization_id, id, application_id, external_user_id, client_id, lifecycle, number, currency,
         lines, taxes, subtotal_cents, tax_cents, total_cents, paid_cents, created_at)
       select $1, 'i' || n, $2, case when n % 100 = 0 then $3 else $5 end, case when n % 100 = 0 then $4 else $6 end,
         'ISSUED', 'X' || n, 'eur', '[]', '[]', 100, 0, 100, case when n % 200 = 0 then 50 else 0 end,
         now() - n * interval '1 minute'
       from generate_series(1, $7::int) n`,
      [
        ...[shop.organizationId, shop.id, one.userId, one.clientId],
        ...[common.userId, common.clientId, many],
      ],
    )
  }
  await world.sql('vacuum analyze invoice, crm_client')
  client = new pg.Client({
    connectionString: world.config.databaseUrl,
    options: '-c plan_cache_mode=force_generic_plan -c jit=off',
  })
  await client.connect()
}, 120_000)
afterAll(async () => {
  await client?.end()
  await world?.close()
})

type Given = Partial<Record<'status' | 'clientId' | 'applicationId' | 'userId', string>>
const columns = {
  ...{ status: 'i.status', clientId: 'i.client_id' },
  ...{ applicationId: 'i.application_id', userId: 'i.external_user_id' },
}
const names = Object.keys(columns) as (keyof Given)[]

/** The blocks that a page of 100 reads. */
async function blocksOf(given: Given): Promise<number> {
  const condition = names
    .map((name, at) => (given[name] ? `${columns[name]} = $${at + 2}` : `$${at + 2}::text is null`))
    .join(' and ')
  const found = statements().filter(({ text }) =>
    text.includes(`where i.organization_id = $1 and ${condition} order by`),
  )
  expect(found).toHaveLength(1)
  const { name, text } = found[0]!
  await client.query(`prepare ${name}_look as ${text}`)
  const values = [shop.organizationId, ...names.map(name => given[name] ?? null), limits.pageLimit, 0]
  const written = values.map(value => (typeof value === 'string' ? `'${value}'` : String(value)))
  const { rows } = await client.query(
    `explain (analyze, buffers, format json) execute ${name}_look(${written.join(', ')})`,
  )
  await client.query(`deallocate ${name}_look`)
  const { Plan: plan } = (rows[0]['QUERY PLAN'] as { Plan: Record<string, number> }[])[0]!
  return plan['Shared Hit Blocks']! + plan['Shared Read Blocks']!
}

it.each<(keyof Given)[]>([
  [],
  ['status'],
  ['clientId'],
  ['applicationId'],
  ['applicationId', 'status'],
  ['applicationId', 'userId'],
  ['applicationId', 'userId', 'status'],
])('a page reads itself alone: %s %s %s', async (...by) => {
  const all = { status: 'PARTIALLY_PAID', ...one, applicationId: shop.id }
  expect(await blocksOf(Object.fromEntries(by.map(name => [name, all[name]])))).toBeLessThan(450)
})
