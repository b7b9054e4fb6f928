import pg from 'pg'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { freshDatabase } from '#tests/support/postgres.ts'
import { type Database, openDatabase } from './database.ts'
import { crossTenantSql, plannedOnce } from './statement.ts'

const reason = 'reads a table of this test'
const all = crossTenantSql<{ n: number; text: string | null }>(reason, 'select * from thing order by n')
const touch = crossTenantSql<{ n: number }, { n: number }>(
  reason,
  'update thing set text = text where n = $n returning n',
)
const touchSilently = crossTenantSql<never, { n: number }>(
  reason,
  'update thing set text = text where n = $n',
)
const share = crossTenantSql<{ share: number }, { by: number }>(reason, 'select 1 / $by::int as share')
const once = plannedOnce<{ id: string; double: number }, { n: number }>(
  'select $organization::text as id, $n::int * 2 as double',
)

const options = {
  poolSize: 1,
  connectTimeoutMs: 20_000,
  statementTimeoutMs: 20_000,
  lockTimeoutMs: 20_000,
  idleInTransactionTimeoutMs: 20_000,
  applicationName: 'test',
}
let database: Database
let url: string
let dropDatabase: () => Promise<void>
/** How often PostgreSQL described rows. */
let descriptions = 0

beforeAll(async () => {
  ;({ url, drop: dropDatabase } = await freshDatabase())
  database = await openDatabase({ ...options, url })
  const count = (client: pg.ClientBase) => {
    const { connection } = client as unknown as { connection: NodeJS.EventEmitter }
    connection.on('rowDescription', () => descriptions++)
  }
  database.pool.on('connect', count)
  const client = await database.pool.connect()
  count(client)
  client.release()
  await database.pool.query(`create table thing as select * from (values (1, 'one'), (2, null)) v (n, text)`)
})
afterAll(async () => {
  await database.close()
  await dropDatabase()
})
beforeEach(() => {
  descriptions = 0
})

test('a statement is described once on a connection, and its rows stay the same', async () => {
  const { crossTenant } = database
  const rows = [await crossTenant.rows(all), await crossTenant.rows(all), await crossTenant.rows(all)]
  const expected = [
    { n: 1, text: 'one' },
    { n: 2, text: null },
  ]
  expect(rows).toEqual([expected, expected, expected])
  expect(descriptions).toBe(1)
})

test('statements that are sent before the first description arrived all get their rows', async () => {
  await database.transactCrossTenant(async tx => {
    const [first, second, third] = await Promise.all([
      tx.rows(touch, { n: 1 }),
      tx.rows(touch, { n: 3 }),
      tx.rows(touch, { n: 2 }),
    ])
    expect([first, second, third]).toEqual([[{ n: 1 }], [], [{ n: 2 }]])
    expect(await tx.rows(touch, { n: 2 })).toEqual([{ n: 2 }])
  })
  expect(descriptions).toBe(3)
})

test('a statement without rows can be repeated', async () => {
  const { crossTenant } = database
  for (const n of [1, 2, 3]) expect(await crossTenant.rows(touchSilently, { n })).toEqual([])
  expect(descriptions).toBe(0)
})

test('after an error the same statement gives rows again', async () => {
  const { crossTenant } = database
  for (const by of [1, 0, 1, 0]) {
    const answer = crossTenant.rows(share, { by })
    if (by === 0) await expect(answer).rejects.toMatchObject({ code: '22012' })
    else expect(await answer).toEqual([{ share: 1 }])
  }
})

test('a statement that is planned once is described once', async () => {
  const { of } = database
  const rows = async (n: number) =>
    expect(await of('a').rows(once, { n })).toEqual([{ id: 'a', double: 2 * n }])
  await rows(1)
  const described = descriptions
  await rows(2)
  await rows(3)
  expect(descriptions).toBe(described)
})

test('a connection whose statement has other columns now refuses it, and a new one reads them', async () => {
  await database.crossTenant.rows(all)
  const other = await openDatabase({ ...options, url })
  await pgQuery('alter table thing add column extra boolean default true')
  await expect(database.crossTenant.rows(all)).rejects.toThrow('cached plan must not change result type')
  expect(await other.crossTenant.rows(all)).toContainEqual({ n: 1, text: 'one', extra: true })
  await other.close()
})

async function pgQuery(text: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(text)
  await client.end()
}
