import { afterAll, beforeAll, expect, test } from 'vitest'
import { readCaller } from '#contract/identity/sessions.ts'
import { startTestServer, type TestServer } from '#tests/support/test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

test("an operator is super administrator in the own organization, and has the membership's role elsewhere", async () => {
  const operator = await server.operator()
  const home = await operator.call(readCaller)
  expect([home.isOperator, home.isAdministrator, home.permissions.includes('STUDIO_VERIFY')]).toEqual([
    true,
    true,
    true,
  ])

  const other = await server.organization()
  const guest = await (await other.joined(operator)).call(readCaller)
  expect([guest.isOperator, guest.isAdministrator, guest.permissions.includes('STUDIO_VERIFY')]).toEqual([
    false,
    false,
    false,
  ])
})
