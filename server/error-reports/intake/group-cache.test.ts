import { afterAll, beforeAll, expect, test } from 'vitest'
import { resolveErrorGroup, silenceErrorGroup } from '#contract/error-reports/tab.ts'
import { errorsOf, errorWith, reportOf } from '#tests/support/error-reports/reports.ts'
import { type Organization, startTestServer, type TestServer } from '#tests/support/test-server.ts'

let server: TestServer
let organization: Organization
beforeAll(async () => {
  server = await startTestServer()
  organization = await server.organization()
})
afterAll(() => server?.close())

test('what another process counted is not counted away by one that knew the error as it was', async () => {
  const { source } = await errorWith(server, organization)
  const other = source.at((await server.anotherApi()).url)
  for (let turn = 0; turn < 3; turn++) {
    await reportOf(source)
    await reportOf({ ...source, client: other }, { userId: `u${turn}` })
  }
  expect(await errorsOf(source)).toMatchObject([{ count: 7 }])
})

test('a decision of the team holds for a process that knew the error as open', async () => {
  const { source, person, params } = await errorWith(server, organization)
  await reportOf(source)
  await person.call(silenceErrorGroup, { params, body: { type: 'COUNT', count: 2 } })
  await reportOf(source)
  expect(await errorsOf(source)).toMatchObject([{ count: 3, state: 'SILENCED' }])
  await reportOf(source)
  expect(await errorsOf(source)).toMatchObject([{ count: 4, state: 'UNRESOLVED' }])
  await person.call(resolveErrorGroup, { params, body: {} })
  await reportOf(source)
  expect(await errorsOf(source)).toMatchObject([{ count: 5, state: 'UNRESOLVED' }])
})

test('an error that is gone is new again', async () => {
  const { source, params } = await errorWith(server, organization)
  expect((await reportOf(source)).deduplicated).toBe(true)
  await server.sql('delete from error_group where id = $1', [params.errorId])
  expect((await reportOf(source)).deduplicated).toBe(false)
  expect(await errorsOf(source)).toMatchObject([{ count: 1 }])
})
