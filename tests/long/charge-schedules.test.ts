import fc from 'fast-check'
import { afterAll, beforeAll, test } from 'vitest'
import { scheduleRunner, schedules } from '#tests/support/billing/charge-schedules.ts'
import { openWorld, type TestWorld } from '#tests/support/test-server.ts'

let world: TestWorld
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

test('a thousand schedules of charge, payment by hand, page, void and recovery', async () => {
  await fc.assert(fc.asyncProperty(schedules, await scheduleRunner(world)), { numRuns: 1_000 })
})
