import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '#tests/support/test-server.ts'
import { fuzz } from '../invariants/fuzz.ts'
import { operationCases } from '../invariants/operations.ts'

const all = await operationCases()
const runs = 500
let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server?.close())

// other cases every time; a failure tells its seed
test.each(all)('$route ($auth) answers as promised, whatever it is given', async operation => {
  const statuses = await fuzz(server, operation, { runs, budgetMs: 10 * 60_000, thorough: true })
  expect(statuses[operation.contract.status]).toBeGreaterThan(0)
})
