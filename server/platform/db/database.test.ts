import { afterAll, beforeAll, expect, test } from 'vitest'
import { freshDatabase } from '#tests/postgres.ts'
import { type Database, openDatabase } from './database.ts'
import { isUnavailable } from './errors.ts'
import { isoTime } from './pool.ts'
import { sql, statements, wideSql } from './statement.ts'
import { textArray } from './text-array.ts'

type RoleRow = { id: string; name: string }
const insert = sql<never, [id: string, name: string]>(
  `insert into role (organization_id, id, name, permissions) values ($1, $2, $3, '{}')`,
)
const rename = sql<never, [id: string, name: string]>(
  'update role set name = $3 where organization_id = $1 and id = $2',
)
const list = sql<RoleRow>('select id, name from role where organization_id = $1 order by id')
const leaky = sql<RoleRow, [id: string]>('select id, name from role where id = $2')
const divide = sql<{ n: number }, [by: number]>('select 1 / $2::int as n, $1 as mine')
const nap = wideSql<unknown, [seconds: number]>('only waits', 'select pg_sleep($1)')
const at = wideSql<{ at: string }, [text: string]>(
  'only reads the time back',
  'select $1::timestamptz(3) as at',
)

const options = {
  poolSize: 5,
  connectTimeoutMs: 2_000,
  statementTimeoutMs: 2_500,
  // longer than the server needs to find a deadlock
  lockTimeoutMs: 2_000,
  idleInTransactionTimeoutMs: 5_000,
  applicationName: 'test',
}
let database: Database
let drop: () => Promise<void>

beforeAll(async () => {
  const fresh = await freshDatabase()
  drop = fresh.drop
  database = await openDatabase({ ...options, url: fresh.url })
  await database.pool.query(
    `insert into organization (id, name, plan) values ('a', 'A', 'FREE'), ('b', 'B', 'FREE')`,
  )
})
afterAll(async () => {
  await database.close()
  await drop()
})

const names = async (organizationId: string) =>
  (await database.of(organizationId).rows(list)).map(({ name }) => name)

test('a handle sees its organization only', async () => {
  await database.transact('a', tx => tx.run(insert, 'r', 'of A'))
  await database.transact('b', tx => tx.run(insert, 'r', 'of B'))
  expect([await names('a'), await names('b')]).toEqual([['of A'], ['of B']])
})

test('a statement that is not tied to the organization is refused before it runs', async () => {
  await expect(database.of('a').rows(leaky, 'r')).rejects.toThrow('Tenant guard')
  await expect(database.wide.rows(list)).rejects.toThrow('one organization')
})

test('a failure undoes everything, what was to be said included', async () => {
  let said = 0
  const work = database.transact('a', async tx => {
    await tx.run(insert, 'gone', 'gone')
    tx.said.afterCommit.push(() => said++)
    await tx.rows(divide, 0)
  })
  await expect(work).rejects.toMatchObject({ code: '22012' })
  expect([await names('a'), said]).toEqual([['of A'], 0])
})

test('an error that the work swallowed still ends in a refusal, never in a commit', async () => {
  const work = database.transact('a', async tx => {
    await tx.run(insert, 'half', 'half')
    await tx.rows(divide, 0).catch(() => {})
  })
  // COMMIT answers ROLLBACK then, and the swallowed error says why
  await expect(work).rejects.toMatchObject({ code: '22012' })
  expect(await names('a')).toEqual(['of A'])
})

test('what one branch of a refused transaction still does is sent neither alone nor in the next transaction', async () => {
  let late: Promise<unknown> = Promise.resolve()
  const refused = database.transact('a', tx => {
    const branch = async () => {
      await tx.rows(list)
      await tx.run(insert, 'late', 'late')
      await tx.rows(divide, 0)
    }
    const refusal = tx.rows(list).then(() => Promise.reject(new Error('refused')))
    late = branch()
    return Promise.all([refusal, late])
  })
  await expect(refused).rejects.toThrow('refused')
  // on the same connection
  await database.transact('a', async tx => {
    await late.catch(() => {})
    await tx.run(insert, 'next', 'next')
  })
  await expect(late).rejects.toThrow('has ended')
  expect(await names('a')).toEqual(['next', 'of A'])
  await database.pool.query(`delete from role where id = 'next'`)
})

test('the last statement is part of the transaction, and its failure undoes the work', async () => {
  const work = database.transact(
    'a',
    tx => tx.run(insert, 'last', 'last'),
    tx => tx.rows(divide, 0),
  )
  await expect(work).rejects.toMatchObject({ code: '22012' })
  await database.transact(
    'a',
    tx => tx.run(insert, 'l1', 'l1'),
    tx => tx.run(insert, 'l2', 'l2'),
  )
  expect(await names('a')).toEqual(['l1', 'l2', 'of A'])
  await database.pool.query(`delete from role where id like 'l_'`)
})

test('of statements sent together, the first to fail says why', async () => {
  const work = database.transact('a', tx =>
    Promise.all([(async () => tx.rows(divide, 0))().then(rows => rows), tx.run(insert, 'after', 'after')]),
  )
  await expect(work).rejects.toMatchObject({ code: '22012' })
})

test('a refusal made of an error wins over the errors that follow from it', async () => {
  const refusing = async (work: Promise<unknown>) => {
    await work.catch(async error => {
      await Promise.resolve()
      throw new Error(`refused: ${error.code}`)
    })
  }
  const work = database.transact('a', tx =>
    Promise.all([tx.run(insert, 'after', 'after'), refusing(tx.rows(divide, 0)), tx.run(insert, 'x', 'x')]),
  )
  await expect(work).rejects.toThrow('refused: 22012')
})

test('a deadlock is tried again', async () => {
  await database.transact('b', tx => tx.run(insert, 's', 'second'))
  let arrived = 0
  let open: () => void
  const both = new Promise<void>(resolve => {
    open = resolve
  })
  const cross = (first: string, second: string, mark: string) =>
    database.transact('b', async tx => {
      await tx.run(rename, first, `${first}-${mark}`)
      if (++arrived === 2) open()
      // the repetition finds the gate open
      await both
      await tx.run(rename, second, `${second}-${mark}`)
    })
  const results = await Promise.allSettled([cross('r', 's', '1'), cross('s', 'r', '2')])
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled'])
})

test('what takes too long is ended and counts as unavailable', async () => {
  const error = await database.wide.rows(nap, 4).catch((error: unknown) => error)
  expect(isUnavailable(error)).toBe(true)
  expect(await names('a')).toEqual(['of A'])
})

test('a connection that the server ends makes one query fail, and the next one works', async () => {
  const waiting = database.wide.rows(nap, 2).catch((error: unknown) => error)
  const end = `select pg_terminate_backend(pid) as ended from pg_stat_activity
    where datname = current_database() and state = 'active' and query like 'select pg_sleep($1)%'`
  while ((await database.pool.query(end)).rowCount === 0);
  expect(isUnavailable(await waiting)).toBe(true)
  expect(await names('a')).toEqual(['of A'])
})

test('times arrive as ISO 8601 with milliseconds', async () => {
  for (const text of ['2026-11-21T13:15:00.100Z', '2026-11-21T13:15:00.000Z', '1999-01-02T03:04:05.007Z']) {
    expect((await database.wide.first(at, text))!.at).toBe(text)
  }
  expect(isoTime('2026-11-21 13:15:00.12+00')).toBe('2026-11-21T13:15:00.120Z')
})

test('every statement has one name', () => {
  expect(new Set(statements().map(({ name }) => name)).size).toBe(statements().length)
})

test('texts arrive in their binary form as they are', async () => {
  const echo = wideSql<{ texts: string[] }, [texts: Buffer]>('only reads back', 'select $1::text[] as texts')
  for (const texts of [['a'], ['', 'NULL', '{"a,b"}', "'\\", 'é€😀\n', 'x'.repeat(100_000)]])
    expect(await database.wide.rows(echo, textArray(texts))).toEqual([{ texts }])
})
