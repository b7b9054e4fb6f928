import { afterAll, beforeAll, test } from 'vitest'
import {
  type EntryStateFixtures,
  openEntryStateFixtures,
  states,
  tryPairs,
} from '#tests/support/marketplace/entry-states.ts'
import { startTestServer, type TestServer } from '#tests/support/test-server.ts'

// The statuses of marketplace entries: every pair of steps at once, in every state

let server: TestServer
let cast: EntryStateFixtures
beforeAll(async () => {
  server = await startTestServer()
  cast = await openEntryStateFixtures(server)
})
afterAll(() => server.close())

test.each(Object.entries(states))('%s, two callers at once', (_name, path) => tryPairs(cast, path), 120_000)
