import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { crowd } from '#tests/support/crowd.ts'
import { startTestServer, type TestServer } from '#tests/support/test-server.ts'

let server: TestServer
let pool: pg.Pool
beforeAll(async () => {
  server = await startTestServer({ poolSize: 2 })
  ;({ pool } = server.api.services.database)
})
afterAll(() => server?.close())

const look = async () => {
  const startedAt = performance.now()
  const { status } = await fetch(`${server.url}/readyz`)
  return { status, ms: performance.now() - startedAt }
}

test('a process without a free connection reports not ready within two seconds', async () => {
  expect((await look()).status).toBe(200)
  const taken = await Promise.all([pool.connect(), pool.connect()])
  try {
    // nobody waits in line twice because a balancer asks often
    const answers = await Promise.all(Array.from({ length: 20 }, look))
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 503))
    expect(Math.max(...answers.map(({ ms }) => ms))).toBeLessThan(2_000 * crowd())
    expect(pool.waitingCount).toBeLessThan(5)
    expect((await look()).status).toBe(503)
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200)
  } finally {
    for (const client of taken) client.release()
  }
  await expect.poll(async () => (await look()).status).toBe(200)
})

test('so does a process that gets no new connection', async () => {
  const [{ name } = { name: '' }] = await server.sql<{ name: string }>('select current_database() as name')
  const endConnections = () =>
    server.sql(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and application_name = 'patio api'`,
    )
  // a database cannot be closed from inside
  const url = new URL(server.config.databaseUrl)
  url.pathname = '/postgres'
  const outside = new pg.Client({ connectionString: url.href })
  await outside.connect()
  const allowConnections = (value: boolean) =>
    outside.query(`alter database "${name}" allow_connections ${value}`)
  await allowConnections(false)
  try {
    await endConnections()
    await expect.poll(async () => (await look()).status).toBe(503)
    expect((await look()).ms).toBeLessThan(2_000 * crowd())
  } finally {
    await allowConnections(true)
    await outside.end()
  }
  await expect.poll(async () => (await look()).status).toBe(200)
})
