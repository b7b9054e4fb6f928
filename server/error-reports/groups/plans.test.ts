import { afterAll, beforeAll, expect, test } from 'vitest'
import { limits } from '#contract/limits.ts'
import { exactly, only } from '#tests/support/elements.ts'
import { createReporter, insertErrors } from '#tests/support/error-reports/reports.ts'
import { openPlans, type Plans } from '#tests/support/plans.ts'
import { secondsAgo } from '#tests/support/rows.ts'
import { type Organization, startTestServer, type TestServer } from '#tests/support/test-server.ts'
import { type ErrorFilters, type ErrorSearch, pageOfErrors } from './error-group.sql.ts'

// as many applications as an organization can have, with 150 errors each

let server: TestServer
let plans: Plans
let organization: Organization
let applicationIds: string[]
beforeAll(async () => {
  server = await startTestServer({}, { hasWorker: false })
  organization = await server.organization()
  const principal = await organization.person()
  const applications = await Promise.all(
    Array.from({ length: limits.applicationsPerOrganization }, () =>
      createReporter(server, organization, { principal }),
    ),
  )
  applicationIds = applications.map(({ id }) => id)
  for (const application of applications)
    await insertErrors(server, application, 150, n => ({
      at: secondsAgo((n * 3 + (application.id.charCodeAt(application.id.length - 1) % 3)) * 60),
      id: `${application.id}${n}`,
    }))
  await server.sql('vacuum analyze error_group, error_group_count')
  plans = await openPlans(server.config.databaseUrl)
})
afterAll(async () => {
  await plans?.close()
  await server?.close()
})

const any: ErrorFilters = { severities: null, module: null, states: null, from: null, to: null }
const explain = (filters: ErrorFilters & ErrorSearch, offset: number) =>
  plans.explain(organization.id, db => pageOfErrors(db, applicationIds, filters, { limit: 20, offset }))

test.each([
  ['the first page', 0, 200],
  ['a later page', 2_000, 2_500],
])('%s of the errors of all applications reads no more than it examines', async (_name, offset, most) => {
  const [total, page] = exactly(2, await explain(any, offset))
  expect(total.blocks).toBeLessThan(200)
  expect(page.blocks).toBeLessThan(most)
})

test('a search in the errors of all applications reads no more than it examines', async () => {
  expect(only(await explain({ ...any, search: 'broken' }, 0)).blocks).toBeLessThan(11_000)
})
