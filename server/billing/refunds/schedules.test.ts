import fc from 'fast-check'
import { afterAll, beforeAll, test } from 'vitest'
import { type GatewayDouble, openDouble } from '#tests/support/billing/gateway/double.ts'
import { refundRunner, refundSchedules } from '#tests/support/billing/refund-schedules.ts'
import { startTestServer, type TestServer } from '#tests/support/test-server.ts'

let double: GatewayDouble
let server: TestServer
beforeAll(async () => {
  double = await openDouble()
  server = await startTestServer({ stripe: { url: double.url, timeoutMs: 2_000 } })
})
afterAll(async () => {
  await server?.close()
  await double?.close()
})

test('however refunds, rectifications, voids, payments and polls interleave, no more is refunded than was collected', async () => {
  await fc.assert(fc.asyncProperty(refundSchedules, await refundRunner(server, double)), {
    seed: 20_261_122,
    numRuns: 12,
  })
})
