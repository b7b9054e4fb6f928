import { expect, test } from 'vitest'
import { delayLeadChanges, followChanges, stampWithTransactionTime } from '#tests/support/crm/lead-sync.ts'
import { endAll, start } from '#tests/support/processes.ts'
import { startTestServer } from '#tests/support/test-server.ts'

// The small version of this runs with every test: server/crm/leads/clock/order.test.ts. Decision 0016.
const run = { organizations: 2, writers: 64, rounds: 100, pages: [1, 7, 200] }

async function follow(given: { rounds: number; isNaive: boolean }) {
  const server = await startTestServer()
  try {
    if (given.isNaive) await stampWithTransactionTime(server)
    await delayLeadChanges(server, 0.003)
    const apis = await Promise.all([1, 2].map(() => start('api', { ...server.env, POOL_SIZE: '40' })))
    return await followChanges(server, { ...run, ...given, urls: apis.map(({ url }) => url) })
  } finally {
    endAll()
    await server.close()
  }
}

test('64 concurrent writers on two API processes, 100 rounds: readers miss nothing', async () => {
  const { changes, ...outcome } = await follow({ rounds: run.rounds, isNaive: false })
  process.stdout.write(`lead sync: ${changes} changes, ${outcome.missed.length} missed\n`)
  expect(outcome).toEqual({ missed: [], backwards: 0, deadlocks: 0 })
  expect(changes).toBeGreaterThan(5_000)
})

test('the same with the transaction time instead of the clock: readers miss changes', async () => {
  const { changes, missed } = await follow({ rounds: 10, isNaive: true })
  process.stdout.write(`lead sync, naive: ${changes} changes, ${missed.length} missed\n`)
  expect(missed).not.toEqual([])
})
