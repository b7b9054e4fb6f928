import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type Cast,
  castOf,
  expected,
  leave,
  now,
  reach,
  states,
  stepNames,
  steps,
  take,
  told,
  tryPairs,
} from '#tests/support/marketplace/entry-states.ts'
import { startTestServer, type TestServer } from '#tests/support/test-server.ts'

// The statuses of marketplace entries: every step tried in every state, alone and, in one, by two callers at once.
// The long tests have two callers in all of them

let server: TestServer
let cast: Cast
beforeAll(async () => {
  server = await startTestServer()
  cast = await castOf(server)
})
afterAll(() => server.close())

describe.each(Object.entries(states))('%s', (_name, path) => {
  test.each(stepNames)('%s', async step => {
    const it = await reach(cast, path)
    expect(await now(it)).toEqual(expected(it.state))
    const before = await told(it)
    const { answer, state, event } = steps[step]!(it.state, it.state.release)
    expect(await take(it, step)).toBe(answer)
    expect(await now(it)).toEqual(expected(state))
    expect((await told(it)).slice(before.length)).toEqual(event ? [event] : [])
    await leave(it)
  })
})

test('PENDING, two callers at once', () => tryPairs(cast, states.PENDING!))
