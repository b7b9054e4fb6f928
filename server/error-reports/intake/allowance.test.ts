import { afterAll, beforeAll, expect, test } from 'vitest'
import { reportError } from '#contract/error-reports/errors.ts'
import { firstOf, itemAt, only } from '#tests/support/elements.ts'
import { createReporter, listErrorsOf, reportTestError } from '#tests/support/error-reports/reports.ts'
import { insertApplicationKey } from '#tests/support/integrations/applications.ts'
import { insertRows, secondsAgo } from '#tests/support/rows.ts'
import { type Organization, startTestServer, type TestServer } from '#tests/support/test-server.ts'

// 1,200 per hour with a burst of 200: one report is restored every 3.6 seconds
const burst = 200
let server: TestServer
let organization: Organization
beforeAll(async () => {
  server = await startTestServer({ errorReportsPerHour: burst * 6 })
  organization = await server.organization()
})
afterAll(() => server?.close())

const body = { message: 'It broke', module: 'billing' }

test('beyond the burst every process refuses with Retry-After and records nothing', async () => {
  const source = await createReporter(server, organization)
  const other = await server.anotherApi()
  const clients = [source.client, source.at(other.url)]
  const startMs = performance.now()
  const answers = await Promise.all(
    Array.from({ length: burst + 40 }, (_, n) => itemAt(clients, n % 2).send(reportError, { body })),
  )
  const accepted = answers.filter(({ status }) => status === 200)
  const limited = answers.filter(({ status }) => status === 429)
  expect(accepted.length + limited.length).toBe(answers.length)
  // some reports are restored during the calls, and each process may hold a part of its portion
  const returned = Math.ceil((performance.now() - startMs) / 3_600)
  expect(accepted.length).toBeLessThanOrEqual(burst + returned)
  expect(accepted.length).toBeGreaterThan(burst - 100)
  expect(only(await listErrorsOf(source)).count).toBe(accepted.length)
  const refused = firstOf(limited)
  expect(refused.body).toMatchObject({
    errorCode: 'RATE_LIMIT_EXCEEDED',
    limit: burst * 6,
    windowSeconds: 3600,
  })
  const wait = Number(refused.headers.get('retry-after'))
  expect([wait, wait >= 1 && wait <= 4]).toEqual([wait, true])
  await expect
    .poll(() =>
      server.sql('select sum(limited)::int as n from error_intake where application_id = $1', [source.id]),
    )
    .toEqual([{ n: limited.length }])

  // discarded reports do not count, and another key has its own limit
  const discarded = await source.client.send(reportError, { body: { ...body, context: { httpStatus: 404 } } })
  expect(discarded.status).toBe(200)
  const { key } = await insertApplicationKey(server, source)
  expect((await source.client.send(reportError, { body, headers: { 'X-Api-Key': key } })).status).toBe(200)
})

test('the allowance is restored evenly and never exceeds the burst', async () => {
  const source = await createReporter(server, organization)
  await insertRows(server, 'error_allowance', [
    {
      organization_id: organization.id,
      key_id: source.keyId,
      last_portion: 0,
      due_at: secondsAgo(36 - 720),
    },
  ])
  const plantedMs = performance.now()
  // one report each 3.6 s, also while a busy machine sends them
  const restoredSince = (ms: number) => Math.ceil((performance.now() - ms) / 3_600)
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => source.client.send(reportError, { body })),
  )
  const restored = answers.filter(({ status }) => status === 200).length
  expect(restored).toBeGreaterThanOrEqual(10)
  expect(restored).toBeLessThan(10 + restoredSince(plantedMs))
  const old = await createReporter(server, organization)
  await insertRows(server, 'error_allowance', [
    { organization_id: organization.id, key_id: old.keyId, last_portion: 0, due_at: secondsAgo(86_400) },
  ])
  const oldMs = performance.now()
  const many = await Promise.all(
    Array.from({ length: burst + 20 }, () => old.client.send(reportError, { body })),
  )
  const accepted = many.filter(({ status }) => status === 200).length
  expect(accepted).toBeGreaterThanOrEqual(burst)
  expect(accepted).toBeLessThanOrEqual(burst + restoredSince(oldMs))
  expect((await reportTestError(await createReporter(server, organization))).success).toBe(true)
})

test('a process that is stopped has counted what it did not record', async () => {
  const source = await createReporter(server, organization)
  const api = await server.anotherApi()
  const discarded = { body: { ...body, context: { httpStatus: 404 } } }
  for (let sent = 0; sent < 3; sent++) await source.at(api.url).send(reportError, discarded)
  await api.close()
  expect(
    await server.sql('select discarded from error_intake where application_id = $1', [source.id]),
  ).toEqual([{ discarded: 3 }])
})
