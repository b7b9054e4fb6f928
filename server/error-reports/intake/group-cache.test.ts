import { afterAll, beforeAll, expect, test } from 'vitest'
import { resolveErrorGroup, silenceErrorGroup } from '#contract/error-reports/tab.ts'
import { createReportedError, listErrorsOf, reportTestError } from '#tests/support/error-reports/reports.ts'
import { type Organization, startTestServer, type TestServer } from '#tests/support/test-server.ts'

let server: TestServer
let organization: Organization
beforeAll(async () => {
  server = await startTestServer()
  organization = await server.organization()
})
afterAll(() => server?.close())

test('a process with a stale cache does not overwrite the counts of another process', async () => {
  const { source } = await createReportedError(server, organization)
  const other = source.at((await server.anotherApi()).url)
  for (let turn = 0; turn < 3; turn++) {
    await reportTestError(source)
    await reportTestError({ ...source, client: other }, { userId: `u${turn}` })
  }
  expect(await listErrorsOf(source)).toMatchObject([{ count: 7 }])
})

test('a process with a stale cache respects a state change by the team', async () => {
  const { source, person, params } = await createReportedError(server, organization)
  await reportTestError(source)
  await person.call(silenceErrorGroup, { params, body: { type: 'COUNT', count: 2 } })
  await reportTestError(source)
  expect(await listErrorsOf(source)).toMatchObject([{ count: 3, state: 'SILENCED' }])
  await reportTestError(source)
  expect(await listErrorsOf(source)).toMatchObject([{ count: 4, state: 'UNRESOLVED' }])
  await person.call(resolveErrorGroup, { params, body: {} })
  await reportTestError(source)
  expect(await listErrorsOf(source)).toMatchObject([{ count: 5, state: 'UNRESOLVED' }])
})

test('a deleted error is new again', async () => {
  const { source, params } = await createReportedError(server, organization)
  expect((await reportTestError(source)).deduplicated).toBe(true)
  await server.sql('delete from error_group where id = $1', [params.errorId])
  expect((await reportTestError(source)).deduplicated).toBe(false)
  expect(await listErrorsOf(source)).toMatchObject([{ count: 1 }])
})
