import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { limits } from '#contract/limits.ts'
import { errorsOf, reporter, reportOf } from '#tests/support/error-reports/reports.ts'
import type { TestApplication } from '#tests/support/integrations/applications.ts'
import { type Organization, startTestServer, type TestServer } from '#tests/support/test-server.ts'
import type { Report } from './bundle.ts'
import { identify } from './identify.ts'
import { intakeOf } from './intake.ts'

let server: TestServer
let organization: Organization
beforeAll(async () => {
  server = await startTestServer({ statementTimeoutMs: 20_000 })
  organization = await server.organization()
})
afterAll(() => server?.close())

function waiting(source: TestApplication, message: string, given: Partial<Report> = {}): Report {
  return {
    ...identify({ message, module: 'billing' }),
    applicationId: source.id,
    severity: 'low',
    line: null,
    method: null,
    occurrences: 1,
    arrivedAtMs: performance.now(),
    userDigest: undefined,
    told: {},
    ...given,
  }
}

test('when too many wait, the next ones are told to come again; those that wait are written', async () => {
  const source = await reporter(server, organization)
  await reportOf(source)
  const intake = intakeOf(server.api.services)
  const client = new pg.Client({ connectionString: server.config.databaseUrl })
  await client.connect()
  await client.query('begin')
  await client.query('select 1 from error_source where application_id = $1 for update', [source.id])
  const recorded = Array.from({ length: limits.errorReportsWaiting }, () =>
    intake.record(organization.id, waiting(source, 'It broke')),
  )
  const answer = await reportOf(source).catch(error => error)
  expect([answer.status, answer.body?.errorCode, answer.body?.retryAfterSeconds]).toEqual([
    503,
    'UNAVAILABLE',
    2,
  ])

  // another organization is not held up by this one
  const elsewhere = await server.organization()
  await client.query('rollback')
  await client.end()
  expect(new Set((await Promise.all(recorded)).map(({ deduplicated }) => deduplicated))).toEqual(
    new Set([true]),
  )
  expect((await errorsOf(source))[0]!.count).toBe(1 + limits.errorReportsWaiting)
  expect((await reportOf(await reporter(server, elsewhere))).deduplicated).toBe(false)
})

test('a flush that waits holds up no other organization', async () => {
  const source = await reporter(server, organization)
  await reportOf(source)
  const client = new pg.Client({ connectionString: server.config.databaseUrl })
  await client.connect()
  await client.query('begin')
  await client.query('select 1 from error_source where application_id = $1 for update', [source.id])
  const held = reportOf(source)
  const other = await reporter(server, await server.organization())
  expect((await reportOf(other)).success).toBe(true)
  await client.query('rollback')
  await client.end()
  expect((await held).deduplicated).toBe(true)
})

test('one that cannot be written does not take the others with it', async () => {
  const source = await reporter(server, organization)
  const intake = intakeOf(server.api.services)
  const results = await Promise.allSettled([
    intake.record(organization.id, waiting(source, 'a good one')),
    intake.record(organization.id, waiting(source, 'a good one')),
    intake.record(organization.id, waiting(source, 'a bad one', { arrivedAtMs: Number.NaN })),
    intake.record(organization.id, waiting(source, 'another good one')),
  ])
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled'])
  const errors = await errorsOf(source)
  expect(errors.map(({ message, count }) => [message, count]).sort()).toEqual([
    ['a good one', 2],
    ['another good one', 1],
  ])
})
