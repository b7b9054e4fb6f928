import fc from 'fast-check'
import { afterAll, beforeAll, test } from 'vitest'
import { scheduleRunner, schedules } from '#tests/support/billing/charge-schedules.ts'
import { openWorld, type TestWorld } from '#tests/support/test-server.ts'

let world: TestWorld
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

test('however charge, payment by hand, page, void and recovery meet, nothing is collected twice', async () => {
  await fc.assert(fc.asyncProperty(schedules, await scheduleRunner(world)), { seed: 20_261_122, numRuns: 40 })
})
