import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '#tests/support/test-server.ts'
import { transactAsSystem } from './payment-context.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server?.close())

test('a transaction without a caller wakes the relay, with the services of a request too', async () => {
  const { id } = await server.organization()
  let wakeUps = 0
  const wakeUp = { changed: () => void wakeUps++, due: () => {} }
  await transactAsSystem({ ...server.api.services, wakeUp }, id, async () => {})
  expect(wakeUps).toBe(1)
})
