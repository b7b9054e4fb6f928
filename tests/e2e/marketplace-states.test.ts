import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { defined } from '#tests/support/elements.ts'
import {
  currentState,
  type EntryStateFixtures,
  emittedEventNames,
  entryInState,
  expectedState,
  openEntryStateFixtures,
  states,
  stepNames,
  steps,
  takeStep,
  tryPairs,
  withdrawCase,
} from '#tests/support/marketplace/entry-states.ts'
import { startTestServer, type TestServer } from '#tests/support/test-server.ts'

// The statuses of marketplace entries: every step in every state, and in one state by two concurrent callers.
// The long tests use two callers in every state

let server: TestServer
let cast: EntryStateFixtures
beforeAll(async () => {
  server = await startTestServer()
  cast = await openEntryStateFixtures(server)
})
afterAll(() => server.close())

describe.each(Object.entries(states))('%s', (_name, path) => {
  test.each(stepNames)('%s', async step => {
    const it = await entryInState(cast, path)
    expect(await currentState(it)).toEqual(expectedState(it.state))
    const before = await emittedEventNames(it)
    const { answer, state, event } = defined(steps[step])(it.state, it.state.release)
    expect(await takeStep(it, step)).toBe(answer)
    expect(await currentState(it)).toEqual(expectedState(state))
    expect((await emittedEventNames(it)).slice(before.length)).toEqual(event ? [event] : [])
    await withdrawCase(it)
  })
})

test('PENDING, two callers at once', () => tryPairs(cast, defined(states.PENDING)))
