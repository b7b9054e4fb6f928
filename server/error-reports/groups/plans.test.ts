import { afterAll, beforeAll, expect, test } from 'vitest'
import { limits } from '#contract/limits.ts'
import { createReporter } from '#tests/support/error-reports/reports.ts'
import { openPlans, type Plans, type PlanValue } from '#tests/support/plans.ts'
import { type Organization, startTestServer, type TestServer } from '#tests/support/test-server.ts'
import './error-group.sql.ts'

// as many applications as an organization can have, with 150 errors each

let server: TestServer
let plans: Plans
let organization: Organization
let applicationIds: string
beforeAll(async () => {
  server = await startTestServer({}, { hasWorker: false })
  organization = await server.organization()
  const principal = await organization.person()
  const applications = await Promise.all(
    Array.from({ length: limits.applicationsPerOrganization }, () =>
      createReporter(server, organization, { principal }),
    ),
  )
  applicationIds = `{${applications.map(({ id }) => id).join()}}`
  await server.sql(
    `insert into error_group (organization_id, id, application_id, hash, fingerprint_version, message, module, severity,
       count, first_occurrence, last_occurrence, hour_at, hour_count, window_at, window_count)
     select $1, a.id || n, a.id, n, 'e1', 'Broken ' || n, 'many', 'low', 1, t, t, t, 1, t, 1
     from application a cross join generate_series(1, 150) n,
       lateral (select now() - make_interval(mins => n * 3 + ascii(right(a.id, 1)) % 3)) as o (t)
     where a.organization_id = $1`,
    [organization.id],
  )
  await server.sql('vacuum analyze error_group')
  plans = await openPlans(server.config.databaseUrl)
})
afterAll(async () => {
  await plans?.close()
  await server?.close()
})

const anyKind = [null, null, null]
const page = [
  "(g.application_id || '') = any($2::text[])",
  'limit $8 offset $9) f',
  'select g.id from error_group',
]
const search = ["(g.application_id || '') = any($2::text[])", 'limit $8 offset $9) f']
test.each<[string, readonly string[], readonly PlanValue[], most: number]>([
  ['the first page', page, [...anyKind, null, null, 20, 0], 200],
  ['a later page', page, [...anyKind, null, null, 20, 2_000], 2_500],
  ['a search', [...search, '$11::text[] is null'], [...anyKind, null, null, 20, 0, '%broken%', null], 11_000],
])(
  '%s of the errors of all applications reads no more than it examines',
  async (_name, parts, values, most) => {
    const blocks = await plans.blocksOf(parts, [organization.id, applicationIds, ...values])
    expect(blocks).toBeLessThan(most)
  },
)
