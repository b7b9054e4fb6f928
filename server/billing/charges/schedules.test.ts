import fc from 'fast-check'
import { afterAll, beforeAll, test } from 'vitest'
import { scheduleRunner, schedules } from '#tests/support/billing/charge-schedules.ts'
import { startTestServer, type TestServer } from '#tests/support/test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

test('however charges, manual payments, the page, voids and polls interleave, nothing is collected twice', async () => {
  await fc.assert(fc.asyncProperty(schedules, await scheduleRunner(server)), {
    seed: 20_261_122,
    numRuns: 40,
  })
})
