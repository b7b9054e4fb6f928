import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { limits } from '#contract/limits.ts'
import { only } from '#tests/support/elements.ts'
import { createReporter, listErrorsOf, reportTestError } from '#tests/support/error-reports/reports.ts'
import type { TestApplication } from '#tests/support/integrations/applications.ts'
import { type Organization, startTestServer, type TestServer } from '#tests/support/test-server.ts'
import { identify } from './identify.ts'
import { intakeOf } from './intake.ts'
import type { PendingReport } from './report-bundle.ts'

let server: TestServer
let organization: Organization
beforeAll(async () => {
  server = await startTestServer({ statementTimeoutMs: 20_000 })
  organization = await server.organization()
})
afterAll(() => server?.close())

function waiting(
  source: TestApplication,
  message: string,
  overrides: Partial<PendingReport> = {},
): PendingReport {
  return {
    ...identify({ message, module: 'billing' }),
    applicationId: source.id,
    severity: 'low',
    line: null,
    method: null,
    occurrences: 1,
    arrivedAtMs: performance.now(),
    userDigest: undefined,
    details: {},
    ...overrides,
  }
}

test('refuses reports beyond the queue limit and writes the queued ones', async () => {
  const source = await createReporter(server, organization)
  await reportTestError(source)
  const intake = intakeOf(server.api.services)
  const client = new pg.Client({ connectionString: server.config.databaseUrl })
  await client.connect()
  await client.query('begin')
  await lockSource(client, source.id)
  const recorded = Array.from({ length: limits.errorReportsWaiting }, () =>
    intake.record(organization.id, waiting(source, 'It broke')),
  )
  const answer = await reportTestError(source).catch(error => error)
  expect([answer.status, answer.body?.errorCode, answer.body?.retryAfterSeconds]).toEqual([
    503,
    'UNAVAILABLE',
    2,
  ])

  // another organization is not blocked
  const elsewhere = await server.organization()
  await client.query('rollback')
  await client.end()
  expect(new Set((await Promise.all(recorded)).map(({ deduplicated }) => deduplicated))).toEqual(
    new Set([true]),
  )
  expect(only(await listErrorsOf(source)).count).toBe(1 + limits.errorReportsWaiting)
  expect((await reportTestError(await createReporter(server, elsewhere))).deduplicated).toBe(false)
})

test('a blocked flush does not block other organizations', async () => {
  const source = await createReporter(server, organization)
  await reportTestError(source)
  const client = new pg.Client({ connectionString: server.config.databaseUrl })
  await client.connect()
  await client.query('begin')
  await lockSource(client, source.id)
  const held = reportTestError(source)
  const other = await createReporter(server, await server.organization())
  expect((await reportTestError(other)).success).toBe(true)
  await client.query('rollback')
  await client.end()
  expect((await held).deduplicated).toBe(true)
})

test('an invalid report does not fail the others of its batch', async () => {
  const source = await createReporter(server, organization)
  const intake = intakeOf(server.api.services)
  const results = await Promise.allSettled([
    intake.record(organization.id, waiting(source, 'a good one')),
    intake.record(organization.id, waiting(source, 'a good one')),
    intake.record(organization.id, waiting(source, 'a bad one', { arrivedAtMs: Number.NaN })),
    intake.record(organization.id, waiting(source, 'another good one')),
  ])
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled'])
  const errors = await listErrorsOf(source)
  expect(errors.map(({ message, count }) => [message, count]).sort()).toEqual([
    ['a good one', 2],
    ['another good one', 1],
  ])
})

/** Makes the reports of an application of this organization wait. */
async function lockSource(client: pg.Client, id: string): Promise<void> {
  await client.query(
    'select from error_source where organization_id = $1 and application_id = $2 for update',
    [organization.id, id],
  )
}
