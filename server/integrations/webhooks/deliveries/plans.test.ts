import pg from 'pg'
import { afterAll, beforeAll, expect, it, test } from 'vitest'
import { openDatabase } from '#platform/data/database.ts'
import { statements } from '#platform/data/statement.ts'
import { firstId } from '#platform/ids.ts'
import { openWebhookHarness, type WebhookHarness } from '#tests/support/integrations/webhook-harness.ts'
import type { TestEndpoint } from '#tests/support/integrations/webhooks.ts'
import { log } from '#tests/support/stream-app.ts'
import { maintainDeliveryPartitions } from '../retention/retention.sql.ts'
import '../endpoint/endpoint.sql.ts'
import './delivery.sql.ts'
import './organization-delivery.sql.ts'

// two applications with 30,000 deliveries each over four days: a page reads only the rows that it returns

let harness: WebhookHarness
let client: pg.Client
let app: TestEndpoint
beforeAll(async () => {
  harness = await openWebhookHarness()
  const settings = { connectTimeoutMs: 2_000, statementTimeoutMs: 9_000, lockTimeoutMs: 3_000 }
  const database = await openDatabase({
    ...settings,
    url: harness.url,
    poolSize: 2,
    applicationName: 'plans',
    idleInTransactionTimeoutMs: 5_000,
  })
  await maintainDeliveryPartitions(database, log)
  await database.close()
  app = await harness.endpoint('/one')
  for (const { id, organizationId } of [app, await harness.endpoint('/two')]) {
    const ids = Array.from({ length: 30_000 }, (_, n) => `${firstId(Date.now() - n * 10_000)}${id.slice(9)}`)
    await harness.sql(
      `insert into webhook_delivery (organization_id, id, application_id, event_id, event, subject, body, emitted_at, status)
       select $1, i, $2, i, case when n % 100 = 0 then 'RARE' else 'WEBHOOK_TEST' end, '{}', '{}', now(),
         case when n % 3 = 0 then 'FAILED' else 'DELIVERED' end
       from unnest($3::text[]) with ordinality g (i, n)`,
      [organizationId, id, ids],
    )
  }
  await harness.sql('vacuum analyze webhook_delivery')
  client = new pg.Client({
    connectionString: harness.url,
    options: '-c plan_cache_mode=force_generic_plan -c jit=off',
  })
  await client.connect()
})
afterAll(async () => {
  await client?.end()
  await harness?.close()
})

type Plan = Record<string, unknown> & { Plans?: Plan[] }

async function look(part: RegExp, values: (string | number | null)[]) {
  const found = statements().filter(({ text }) => text.includes('webhook_delivery w') && part.test(text))
  expect(found.map(({ text }) => text)).toHaveLength(1)
  const [{ name, text }] = found as [(typeof found)[number]]
  await client.query(`prepare ${name}_look as ${text}`)
  const written = values.map(value =>
    value === null ? 'null' : typeof value === 'number' ? value : `'${value}'`,
  )
  const { rows } = await client.query(
    `explain (analyze, buffers, format json) execute ${name}_look(${written.join(', ')})`,
  )
  const plan = (rows[0]['QUERY PLAN'] as { Plan: Plan }[])[0]!.Plan
  const blocks = Number(plan['Shared Hit Blocks']) + Number(plan['Shared Read Blocks'])
  return { blocks, rows: Number(plan['Actual Rows']) }
}

const page = (status: string) =>
  new RegExp(`^select w\\.id, .* and ${status} and w\\.id >= \\$4 .* limit \\$6$`)
const all = ['', '~', 20]
it.each<[string, RegExp, (app: TestEndpoint) => (string | number | null)[], most: number]>([
  ['the newest', page('\\$3::text is null'), () => [null, ...all], 150],
  ['by status', page('w\\.problem = \\$3'), () => ['FAILED', ...all], 150],
  ['what an application reads', /w\.emitted_at, w\.status, w\.body/, () => ['', '~', 20], 150],
  ['by both', /problem = \$3 order by .* limit 5000/, () => ['FAILED', ...all, 'RARE'], 6_000],
  [
    'what waits',
    /from webhook_due d where d\.organization_key = \$1 and d\.application_id = \$2/,
    () => ['PENDING', ...all, null],
    6_000,
  ],
  [
    'by event, and what was delivered',
    /materialized \(select w\.id, [^)]* from webhook_delivery w where [^)]*\$5 order by/,
    () => ['DELIVERED', ...all, 'RARE'],
    6_000,
  ],
  ['the last that failed', /problem = 'FAILED' order by w\.id desc limit 1/, () => [], 60],
])('%s', async (_name, part, values, most) => {
  const { blocks, rows } = await look(part, [app.organizationId, app.id, ...values(app)])
  expect(rows).toBeGreaterThan(0)
  expect(blocks).toBeLessThan(most)
})

const ofAll = (status: string) =>
  new RegExp(
    `unnest\\(\\$2::text\\[\\]\\) as a .* webhook_delivery w where [^)]*${status} order by w\\.id desc limit \\$8\\) s`,
  )
it.each<[string, RegExp, (string | number | null)[], most: number]>([
  ['the newest', ofAll('w\\.id < \\$5'), [null, ...all, null, 21], 300],
  ['by status', ofAll('w\\.problem = \\$3'), ['FAILED', ...all, null, 21], 300],
  ['by event', ofAll('w\\.id < \\$5'), [null, ...all, 'RARE', 2_500], 6_000],
])('of all applications, %s', async (_name, part, values, most) => {
  const ids = await harness.sql<{ id: string }>('select distinct application_id as id from webhook_delivery')
  expect(ids).toHaveLength(2)
  await client.query('deallocate all')
  const { blocks, rows } = await look(part, [
    app.organizationId,
    `{${ids.map(({ id }) => id).join()}}`,
    ...values,
  ])
  expect(rows).toBeGreaterThan(0)
  expect(blocks).toBeLessThan(most)
})

test.each([
  ['all applications', /unnest\(\$9::text\[\]\)/, () => `{${app.id}}`, [1]],
  ['one application', /unnest\(\$8::text\[\]\)/, () => app.id, []],
])('by ids, of %s', async (_name, part, application, more) => {
  const ids = await harness.sql<{ id: string }>(
    'select id from webhook_delivery where application_id = $1 limit 20',
    [app.id],
  )
  const { blocks, rows } = await look(part, [
    app.organizationId,
    application(),
    null,
    ...all,
    null,
    ...more,
    `{${ids.map(({ id }) => id).join()}}`,
  ])
  expect(rows).toBe(20)
  expect(blocks).toBeLessThan(200)
})
