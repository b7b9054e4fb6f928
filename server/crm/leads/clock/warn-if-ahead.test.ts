import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeLead } from '#tests/support/crm/leads-and-clients.ts'
import { firstOf } from '#tests/support/elements.ts'
import { openPlans } from '#tests/support/plans.ts'
import { insertRows } from '#tests/support/rows.ts'
import { startTestServer, type TestServer } from '#tests/support/test-server.ts'
import { readClocksAhead } from './lead-clock.sql.ts'
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
async function measured(): Promise<number> {
  return (await readClocksAhead(server.api.services.database.crossTenant)).seconds
}
async function setClock(organizationId: string, ahead: string): Promise<void> {
  await server.sql(
    'update lead_clock set last_change_at = (select clock_timestamp()) + $2::interval where organization_id = $1',
    [organizationId, ahead],
  )
}

test('a clock that is ahead is measured, and a warning is logged, until it is not ahead any more', async () => {
  expect([await measured(), await warnings()]).toEqual([0, []])
  const people = await Promise.all([1, 2].map(async () => (await server.organization()).person()))
  const first = firstOf(people)
  for (const person of people) await makeLead(person)
  expect([await measured(), await warnings()]).toEqual([0, []])
  await setClock(first.organizationId, '900 ms')
  await makeLead(first)
  expect(await warnings()).toEqual([])
  await setClock(first.organizationId, '90 s')
  await makeLead(first)
  expect(await measured()).toBeGreaterThan(60)
  expect(await measured()).toBeLessThanOrEqual(90)
  expect(await warnings()).toEqual([
    [{ seconds: expect.any(Number) }, 'The lead clock is ahead of the database clock'],
  ])
  // when time has passed, the worker forgets the clock, without a change of a lead
  await setClock(first.organizationId, '-1 s')
  expect([await measured(), await warnings()]).toEqual([0, []])
  expect(await server.sql('select organization_id from lead_clock where is_ahead')).toEqual([])
})

test('measuring reads as little with many organizations as with few', async () => {
  const ids = Array.from({ length: 5_000 }, (_, n) => `clock${n}`)
  await insertRows(
    server,
    'organization',
    ids.map(id => ({ id, name: id, plan: 'FREE', features: [] })),
  )
  await insertRows(
    server,
    'lead_clock',
    ids.map(id => ({ organization_id: id })),
  )
  await server.sql('analyze lead_clock')
  const plans = await openPlans(server.config.databaseUrl)
  try {
    const { blocks, scanned } = firstOf(await plans.explainCrossTenant(tx => readClocksAhead(tx)))
    expect([...scanned]).toEqual([])
    expect(blocks).toBeLessThan(5)
  } finally {
    await plans.close()
  }
})
