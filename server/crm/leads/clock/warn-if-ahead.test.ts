import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeLead } from '#tests/support/crm/leads-and-clients.ts'
import { startTestServer, type TestServer } from '#tests/support/test-server.ts'
import { secondsAhead } from './lead-clock.sql.ts'
import { warnIfLeadClockAhead } from './warn-if-ahead.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server?.close())

async function warnings(): Promise<unknown[][]> {
  const logged: unknown[][] = []
  const log = { warn: (...words: unknown[]) => logged.push(words) }
  await warnIfLeadClockAhead(server.api.services.database, log as never)
  return logged
}
/** The figure that the metrics show. */
function measured(): Promise<number> {
  return secondsAhead(server.api.services.database.crossTenant)
}

test('a clock that is ahead is measured, and a warning is logged', async () => {
  expect([await measured(), await warnings()]).toEqual([0, []])
  const [first, second] = [await server.organization(), await server.organization()]
  for (const organization of [first, second]) await makeLead(await organization.person())
  expect(await warnings()).toEqual([])
  const ahead = (by: string) =>
    server.sql(
      'update lead_clock set last_change_at = clock_timestamp() + $2::interval where organization_id = $1',
      [first.id, by],
    )
  await ahead('900 ms')
  expect(await warnings()).toEqual([])
  await ahead('90 s')
  expect(await measured()).toBeGreaterThan(60)
  expect(await measured()).toBeLessThanOrEqual(90)
  expect(await warnings()).toEqual([
    [{ seconds: expect.any(Number) }, 'The lead clock is ahead of the database clock'],
  ])
})
