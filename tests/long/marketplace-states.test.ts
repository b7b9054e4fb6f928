import { afterAll, beforeAll, test } from 'vitest'
import { type Cast, castOf, states, tryPairs } from '#tests/support/marketplace/entry-states.ts'
import { openWorld, type TestWorld } from '#tests/support/test-server.ts'

// The statuses of marketplace entries: every pair of steps at once, in every state

let world: TestWorld
let cast: Cast
beforeAll(async () => {
  world = await openWorld()
  cast = await castOf(world)
})
afterAll(() => world.close())

test.each(Object.entries(states))('%s, two callers at once', (_name, path) => tryPairs(cast, path), 120_000)
