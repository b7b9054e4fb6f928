import { afterAll, beforeAll, expect, test } from 'vitest'
import { openWorld, type TestWorld } from '#tests/support/test-server.ts'
import { fuzz } from '../invariants/fuzz.ts'
import { operations } from '../invariants/operations.ts'

const all = await operations()
const runs = 500
let world: TestWorld
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world?.close())

// other cases every time; a failure tells its seed
test.each(all)('$route ($door) answers as promised, whatever it is given', async operation => {
  const statuses = await fuzz(world, operation, { runs, budgetMs: 10 * 60_000, thorough: true })
  expect(statuses[operation.endpoint.status]).toBeGreaterThan(0)
})
