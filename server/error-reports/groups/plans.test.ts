import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { statements } from '#platform/data/statement.ts'
import { createReporter } from '#tests/support/error-reports/reports.ts'
import { type Organization, startTestServer, type TestServer } from '#tests/support/test-server.ts'
import './error-group.sql.ts'

// three applications with 2,000 errors each

let server: TestServer
let client: pg.Client
let organization: Organization
const applicationIds: string[] = []
beforeAll(async () => {
  server = await startTestServer()
  organization = await server.organization()
  for (let n = 0; n < 3; n++) {
    const { id } = await createReporter(server, organization)
    applicationIds.push(id)
    await server.sql(
      `insert into error_group (organization_id, id, application_id, hash, fingerprint_version, message, module, severity,
         count, first_occurrence, last_occurrence, hour_at, hour_count, window_at, window_count)
       select $1, $2 || n, $2, n, 'e1', 'Broken ' || n, 'many', 'low', 1, t, t, t, 1, t, 1
       from generate_series(1, 2000) n, lateral (select now() - make_interval(mins => n * 3 + $3::int) as t)`,
      [organization.id, id, n],
    )
  }
  await server.sql('vacuum analyze error_group')
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

type Plan = { 'Actual Rows': number; 'Shared Hit Blocks': number; 'Shared Read Blocks': number }

test('a page reads only its rows', async () => {
  const page = /^select g\.id, .* unnest\(\$2::text\[\]\) a .* limit \$8/
  const matching = statements().filter(({ text }) => page.test(text))
  expect(matching).toHaveLength(1)
  await client.query(`prepare page as ${matching[0]!.text}`)
  const applications = `array['${applicationIds.join("', '")}']`
  const { rows } = await client.query<{ 'QUERY PLAN': { Plan: Plan }[] }>(
    `explain (analyze, buffers, format json)
     execute page ('${organization.id}', ${applications}, null, null, null, null, null, 20, 0)`,
  )
  const plan = rows[0]!['QUERY PLAN'][0]!.Plan
  expect(plan['Actual Rows']).toBe(20)
  expect(plan['Shared Hit Blocks'] + plan['Shared Read Blocks']).toBeLessThan(150)
})
