import { expect, test } from 'vitest'
import { openPool } from '#platform/data/pool.ts'
import { openFaultProxy } from '#tests/support/fault-proxy.ts'
import { freshDatabase } from '#tests/support/postgres.ts'
import { openDatabaseHealth } from './database-health.ts'

const waits = {
  connectTimeoutMs: 5_000,
  statementTimeoutMs: 20_000,
  lockTimeoutMs: 20_000,
  idleInTransactionTimeoutMs: 20_000,
}

test('a database that is too slow for the health check, but answers, keeps its connections', async () => {
  const { url, drop } = await freshDatabase()
  const proxy = await openFaultProxy(url)
  const pool = openPool({ url, poolSize: 3, applicationName: 'test', ...waits })
  const health = openDatabaseHealth({ url: proxy.url, pool, log: { warn() {} } })
  try {
    await expect.poll(() => health.isHealthy()).toBe(true)
    await proxy.swallow()
    // longer than three failures take, of one second each and a fifth between them
    let isDone = false
    const long = pool.query('select pg_sleep(5)').finally(() => {
      isDone = true
    })
    const others = (async () => {
      while (!isDone) await pool.query('select pg_sleep(0.1)')
    })()
    await expect(long).resolves.toMatchObject({ rowCount: 1 })
    await others
    expect(health.isHealthy()).toBe(false)
  } finally {
    await proxy.close()
    await health.stop()
    await pool.end()
    await drop()
  }
})
