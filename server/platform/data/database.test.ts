import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freshDatabase } from '#tests/support/postgres.ts'
import { insertRows, onPool } from '#tests/support/rows.ts'
import { type Database, openDatabase } from './database.ts'
import type { Tx } from './db.ts'
import { isUnavailable } from './errors.ts'
import { later, secondsSince1970 } from './later.ts'
import { isoTime } from './pool.ts'
import { crossTenantSql, oneServerLock, plannedOnce, sql, statements } from './statement.ts'
import { textArray } from './text-array.ts'

type RoleRow = { id: string; name: string }
const insert = sql<never, { id: string; name: string }>(
  `insert into role (organization_id, id, name, permissions) values ($organization, $id, $name, '{}')`,
)
const rename = sql<never, { id: string; name: string }>(
  'update role set name = $name where organization_id = $organization and id = $id',
)
const list = sql<RoleRow>('select id, name from role where organization_id = $organization order by id')
const leaky = sql<RoleRow, { id: string }>('select id, name from role where id = $id')
const divide = sql<{ n: number }, { by: number }>('select 1 / $by::int as n, $organization as mine')
const failing = plannedOnce<{ n: number }, { by: number }>('select 2 / $by::int as n, $organization as mine')
const nap = crossTenantSql<unknown, { seconds: number }>('only waits', 'select pg_sleep($seconds)')
const at = crossTenantSql<{ at: string }, { text: string }>(
  'only reads the time back',
  'select $text::timestamptz(3) as at',
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
let url: string
let drop: () => Promise<void>

beforeAll(async () => {
  const fresh = await freshDatabase()
  drop = fresh.drop
  url = fresh.url
  database = await openDatabase({ ...options, url })
  await insertRows(onPool(database.pool), 'organization', [{ id: 'a' }, { id: 'b' }])
})
afterAll(async () => {
  await database.close()
  await drop()
})

const names = async (organizationId: string) =>
  (await database.of(organizationId).rows(list)).map(({ name }) => name)

test('a handle only reads its organization', async () => {
  await database.transact('a', tx => tx.run(insert, { id: 'r', name: 'of A' }))
  await database.transact('b', tx => tx.run(insert, { id: 'r', name: 'of B' }))
  expect([await names('a'), await names('b')]).toEqual([['of A'], ['of B']])
})

test('a statement that is not tied to the organization is refused before it runs', async () => {
  await expect(database.of('a').rows(leaky, { id: 'r' })).rejects.toThrow('Tenant guard')
  await expect(database.crossTenant.rows(list)).rejects.toThrow('one organization')
})

test('a failure undoes everything, including events', async () => {
  let effectCount = 0
  const work = database.transact('a', async tx => {
    await tx.run(insert, { id: 'gone', name: 'gone' })
    tx.pending.afterCommit.push(() => effectCount++)
    await tx.rows(divide, { by: 0 })
  })
  await expect(work).rejects.toMatchObject({ code: '22012' })
  expect([await names('a'), effectCount]).toEqual([['of A'], 0])
})

test('a swallowed error still prevents the commit', async () => {
  const work = database.transact('a', async tx => {
    await tx.run(insert, { id: 'half', name: 'half' })
    await tx.rows(divide, { by: 0 }).catch(() => {})
  })
  // COMMIT answers ROLLBACK then, and the swallowed error says why
  await expect(work).rejects.toMatchObject({ code: '22012' })
  expect(await names('a')).toEqual(['of A'])
})

test('late statements of a failed transaction are sent neither alone nor in the next transaction', async () => {
  let late: Promise<unknown> = Promise.resolve()
  const refused = database.transact('a', tx => {
    const branch = async () => {
      await tx.rows(list)
      await tx.run(insert, { id: 'late', name: 'late' })
      await tx.rows(divide, { by: 0 })
    }
    const refusal = tx.rows(list).then(() => Promise.reject(new Error('refused')))
    late = branch()
    return Promise.all([refusal, late])
  })
  await expect(refused).rejects.toThrow('refused')
  // on the same connection
  await database.transact('a', async tx => {
    await late.catch(() => {})
    await tx.run(insert, { id: 'next', name: 'next' })
  })
  await expect(late).rejects.toThrow('has ended')
  expect(await names('a')).toEqual(['next', 'of A'])
  await database.pool.query(`delete from role where id = 'next'`)
})

describe('a savepoint', () => {
  const removeAll = () =>
    database.pool.query(`delete from role where organization_id = 'a' and id like 'part-%'`)

  test('keeps the writes and events of its work, or undoes both and continues the transaction', async () => {
    const acts: string[] = []
    await database.transact('a', async tx => {
      await tx.savepoint(async part => {
        await part.run(insert, { id: 'part-kept', name: 'kept' })
        part.pending.afterCommit.push(() => acts.push('kept'))
      })
      const undone = tx.savepoint(async part => {
        await part.run(insert, { id: 'part-undone', name: 'undone' })
        part.pending.afterCommit.push(() => acts.push('undone'))
        await part.rows(divide, { by: 0 }).catch(() => {})
      })
      // the error that the work swallowed says why
      await expect(undone).rejects.toMatchObject({ code: '22012' })
      await tx.run(insert, { id: 'part-after', name: 'after' })
    })
    expect([await names('a'), acts]).toEqual([['after', 'kept', 'of A'], ['kept']])
    await removeAll()
  })

  test('undoes all of its work, even after an inner savepoint was undone', async () => {
    await database.transact('a', async tx => {
      const outer = tx.savepoint(async part => {
        await part.run(insert, { id: 'part-outer', name: 'outer' })
        await part.savepoint(async inner => inner.rows(divide, { by: 0 })).catch(() => {})
        throw new Error('refused')
      })
      await expect(outer).rejects.toThrow('refused')
    })
    expect(await names('a')).toEqual(['of A'])
  })

  const endings = {
    'was undone': (part: Tx) => part.rows(list).then(() => Promise.reject(new Error('refused'))),
    'was kept': (part: Tx) => part.rows(list),
  }
  test.for(Object.entries(endings))('that %s sends nothing of a late branch', async ([, work]) => {
    let late: Promise<unknown> = Promise.resolve()
    await database.transact('a', async tx => {
      let goOn = () => {}
      const ended = new Promise<void>(resolve => {
        goOn = resolve
      })
      const branch = async (part: Tx) => {
        await ended
        part.pending.events.push({ id: 'late', name: 'late', actorId: null, data: {} })
        await part.run(insert, { id: 'part-late', name: 'late' })
      }
      await tx
        .savepoint(part => {
          late = branch(part)
          return work(part)
        })
        .catch(() => {})
      goOn()
      await late.catch(() => {})
      expect(tx.pending.events).toEqual([])
      await tx.run(insert, { id: 'part-after', name: 'after' })
    })
    await expect(late).rejects.toThrow('has ended')
    expect(await names('a')).toEqual(['after', 'of A'])
    await removeAll()
  })

  test('refuses statements of the outer transaction meanwhile', async () => {
    const work = database.transact('a', tx =>
      Promise.all([
        tx.savepoint(part => part.run(insert, { id: 'part-in', name: 'in' })),
        (async () => tx.run(insert, { id: 'part-beside', name: 'beside' }))(),
      ]),
    )
    await expect(work).rejects.toThrow('savepoint is open')
    expect(await names('a')).toEqual(['of A'])
  })

  test('ends with its transaction', async () => {
    let open = () => {}
    const isOpen = new Promise<void>(resolve => {
      open = resolve
    })
    let late: Promise<unknown> = Promise.resolve()
    const refused = database.transact('a', tx => {
      late = tx.savepoint(async part => {
        await part.rows(list)
        open()
        await refused.catch(() => {})
        await part.run(insert, { id: 'part-late', name: 'late' })
      })
      return Promise.all([late, isOpen.then(() => Promise.reject(new Error('refused')))])
    })
    await expect(refused).rejects.toThrow('refused')
    await database.transact('a', async tx => {
      await expect(late).rejects.toThrow('has ended')
      await tx.run(insert, { id: 'part-next', name: 'next' })
    })
    expect(await names('a')).toEqual(['next', 'of A'])
    await removeAll()
  })

  test('that is not awaited makes its transaction fail', async () => {
    const work = database.transact('a', async tx => {
      tx.savepoint(part => part.run(insert, { id: 'part-forgotten', name: 'forgotten' })).catch(() => {})
      await Promise.resolve()
    })
    await expect(work).rejects.toThrow('savepoint is open')
    expect(await names('a')).toEqual(['of A'])
  })
})

test('the last statement is part of the transaction, and its failure undoes the work', async () => {
  const work = database.transact(
    'a',
    tx => tx.run(insert, { id: 'last', name: 'last' }),
    tx => tx.rows(divide, { by: 0 }),
  )
  await expect(work).rejects.toMatchObject({ code: '22012' })
  await database.transact(
    'a',
    tx => tx.run(insert, { id: 'l1', name: 'l1' }),
    tx => tx.run(insert, { id: 'l2', name: 'l2' }),
  )
  expect(await names('a')).toEqual(['l1', 'l2', 'of A'])
  await database.pool.query(`delete from role where id like 'l_'`)
})

test('of statements that were sent together, the first error is reported', async () => {
  const work = database.transact('a', tx =>
    Promise.all([
      (async () => tx.rows(divide, { by: 0 }))().then(rows => rows),
      tx.run(insert, { id: 'after', name: 'after' }),
    ]),
  )
  await expect(work).rejects.toMatchObject({ code: '22012' })
})

test('a refusal of the first error takes precedence over its consequences', async () => {
  const refusing = async (work: Promise<unknown>) => {
    await work.catch(async error => {
      await Promise.resolve()
      throw new Error(`refused: ${error.code}`)
    })
  }
  const work = database.transact('a', tx =>
    Promise.all([
      tx.run(insert, { id: 'after', name: 'after' }),
      refusing(tx.rows(divide, { by: 0 })),
      tx.run(insert, { id: 'x', name: 'x' }),
    ]),
  )
  await expect(work).rejects.toThrow('refused: 22012')
})

describe('steps in order', () => {
  const sentAt = sql<{ at: number }>(
    'select extract(epoch from clock_timestamp())::float8 as at, $organization as mine',
  )

  test('send their first statements in this order, and wait for no answer', async () => {
    let isFirstAnswered = false
    const results = await database.transact('a', tx =>
      tx.inOrder(
        async () => {
          const first = await tx.one(sentAt)
          isFirstAnswered = true
          return first.at
        },
        async () => {
          expect(isFirstAnswered).toBe(false)
          return (await tx.one(sentAt)).at
        },
      ),
    )
    expect(results[0]).toBeLessThan(results[1])
  })

  test('wait for a step that sends nothing at once', async () => {
    const [late, next] = await database.transact('a', tx =>
      tx.inOrder(
        async () => {
          await new Promise(setImmediate)
          return (await tx.one(sentAt)).at
        },
        async () => (await tx.one(sentAt)).at,
      ),
    )
    expect(late).toBeLessThan(next)
  })

  test('end with the first error, and the steps after a refusal do not start', async () => {
    let hasStarted = false
    const refused = database.transact('a', tx =>
      tx.inOrder(
        () => tx.one(sentAt),
        async () => {
          throw new Error('Refused')
        },
        () => {
          hasStarted = true
        },
      ),
    )
    await expect(refused).rejects.toThrow('Refused')
    expect(hasStarted).toBe(false)
    const failed = database.transact('a', tx =>
      tx.inOrder(
        () => tx.one(divide, { by: 0 }),
        () => tx.one(sentAt),
      ),
    )
    await expect(failed).rejects.toThrow('division by zero')
  })
})

test('a deadlock is retried', async () => {
  await database.transact('b', tx => tx.run(insert, { id: 's', name: 'second' }))
  let arrived = 0
  let open: () => void
  const both = new Promise<void>(resolve => {
    open = resolve
  })
  const cross = (first: string, second: string, mark: string) =>
    database.transact('b', async tx => {
      await tx.run(rename, { id: first, name: `${first}-${mark}` })
      if (++arrived === 2) open()
      // the repetition finds the gate open
      await both
      await tx.run(rename, { id: second, name: `${second}-${mark}` })
    })
  const results = await Promise.allSettled([cross('r', 's', '1'), cross('s', 'r', '2')])
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled'])
})

test('a slow statement is cancelled and counts as unavailable', async () => {
  const error = await database.crossTenant.rows(nap, { seconds: 4 }).catch((error: unknown) => error)
  expect(isUnavailable(error)).toBe(true)
  expect(await names('a')).toEqual(['of A'])
})

test('after the server closes a connection, one query fails and the next works', async () => {
  const waiting = database.crossTenant.rows(nap, { seconds: 2 }).catch((error: unknown) => error)
  const end = `select pg_terminate_backend(pid) as ended from pg_stat_activity
    where datname = current_database() and state = 'active' and query like 'select pg_sleep($1)%'`
  while ((await database.pool.query(end)).rowCount === 0);
  expect(isUnavailable(await waiting)).toBe(true)
  expect(await names('a')).toEqual(['of A'])
})

test('after a server refuses writes, as one that was replaced, the next transaction has another connection', async () => {
  const single = await openDatabase({ ...options, url, poolSize: 1 })
  await single.pool.query('set default_transaction_read_only = on')
  const write = (id: string) => single.transact('b', tx => tx.run(insert, { id, name: 'late' }))
  const refused = await write('refused').catch((error: unknown) => error)
  expect(refused).toMatchObject({ code: '25006' })
  expect(isUnavailable(refused)).toBe(true)
  expect(await write('accepted')).toBe(1)
  await single.close()
})

test('times arrive as ISO 8601 with milliseconds', async () => {
  for (const text of ['2026-11-21T13:15:00.100Z', '2026-11-21T13:15:00.000Z', '1999-01-02T03:04:05.007Z']) {
    expect((await database.crossTenant.one(at, { text })).at).toBe(text)
  }
  expect(isoTime('2026-11-21 13:15:00.12+00')).toBe('2026-11-21T13:15:00.120Z')
})

test('a call without a value for a parameter is refused, and so is a text that numbers its parameters', async () => {
  const withoutValue = database.of('a').rows(divide, { by: undefined } as never)
  await expect(withoutValue).rejects.toThrow('No value for $by')
  expect(() => sql('select r.id from role r where r.organization_id = $1')).toThrow('numbers its parameters')
})

test('now() in a statement that writes is a parameter with the time of the transaction, except in a comparison', async () => {
  const timeOfStart = crossTenantSql<{ at: string }>('only reads the time', 'select now()::text as at')
  const write = sql<{ at: string; isPast: boolean }>(
    `with gone as (delete from role where organization_id = $organization and id = '')
     select now()::text as at, now() - interval '1 second' < now() as "isPast"`,
  )
  expect(write.text).toContain(
    `select $2::timestamptz::text as at, $2::timestamptz - interval '1 second' < now() as`,
  )
  await database.transactCrossTenant(async tx => {
    const { at } = await tx.one(timeOfStart)
    await tx.rows(nap, { seconds: 0.01 })
    expect(await tx.of('a').one(write)).toEqual({ at, isPast: true })
  })
  expect(() => sql('select $now::timestamptz as at, $organization as mine')).toThrow(
    'names a parameter "now"',
  )
})

test('Citus gets a claim without the lock of its subselect, or a text of its own with the same parameters', () => {
  const claim = crossTenantSql<never, { most: number }>(
    'a test',
    `update role set name = '' where id in (select id from role limit $most ${oneServerLock('for update skip locked')})`,
  )
  expect(claim.text).toBe(
    `update role set name = '' where id in (select id from role limit $1 for update skip locked)`,
  )
  expect(claim.textOnCitus).toBe(`update role set name = '' where id in (select id from role limit $1 )`)
  const own = (onCitus: string) =>
    crossTenantSql<never, { n: number }>('a test', 'select $n::int + 1', { onCitus })
  expect(own('select 1 + $n::int').textOnCitus).toBe('select 1 + $1::int')
  expect(() => own('select 1 + $n::int + $more::int')).toThrow('another parameter')
})

test('a time plus an interval, and the seconds since 1970, are those of PostgreSQL in any time zone', async () => {
  for (const zone of ['UTC', 'America/New_York', 'Asia/Kathmandu']) {
    const client = await database.pool.connect()
    try {
      await client.query(`set time zone '${zone}'`)
      const { rows } = await client.query(
        `select ${later('t.at', `interval '2 hours 3 seconds'`)} = t.at + interval '2 hours 3 seconds' as "isSum",
           ${secondsSince1970('t.at')} = extract(epoch from t.at) as "isEpoch"
         from (values ('2026-03-08T06:59:59.5Z'::timestamptz), ('1969-12-31T23:00:00Z'), ('2026-11-01T05:30:00Z')) t (at)`,
      )
      expect(rows).toEqual(Array.from({ length: 3 }, () => ({ isSum: true, isEpoch: true })))
    } finally {
      client.release(true)
    }
  }
})

test('a statement that is planned once has the generic plan from its first run on, alone', async () => {
  const mode = plannedOnce<{ mode: string }, { id: string }>(
    `select current_setting('plan_cache_mode') as mode from role where organization_id = $organization and id <> $id limit 1`,
  )
  const plans = crossTenantSql<{ generic_plans: number }, { name: string }>(
    'only reads the plans of its connection',
    'select generic_plans from pg_prepared_statements where name = $name',
  )
  const fresh = await freshDatabase()
  const one = await openDatabase({ ...options, url: fresh.url, poolSize: 1 })
  const modeNow = async () => (await one.pool.query('show plan_cache_mode')).rows[0].plan_cache_mode
  try {
    await insertRows(onPool(one.pool), 'organization', [{ id: 'a' }])
    await one.transact('a', async tx => {
      await tx.run(insert, { id: 'r', name: 'of A' })
      expect(await tx.one(mode, { id: '' })).toEqual({ mode: 'force_generic_plan' })
    })
    expect(await one.of('a').one(mode, { id: '' })).toEqual({ mode: 'force_generic_plan' })
    expect(await one.crossTenant.one(plans, { name: mode.name })).toEqual({ generic_plans: 2 })
    expect(await modeNow()).toBe('auto')
    await expect(one.transact('a', tx => tx.rows(failing, { by: 0 }))).rejects.toMatchObject({
      code: '22012',
    })
    expect(await modeNow()).toBe('auto')
  } finally {
    await one.close()
    await fresh.drop()
  }
})

test('every statement has a unique name', () => {
  expect(new Set(statements().map(({ name }) => name)).size).toBe(statements().length)
})

test('texts arrive unchanged in binary form', async () => {
  const echo = crossTenantSql<{ texts: string[] }, { texts: Buffer }>(
    'only reads back',
    'select $texts::text[] as texts',
  )
  for (const texts of [['a'], ['', 'NULL', '{"a,b"}', "'\\", 'é€😀\n', 'x'.repeat(100_000)]])
    expect(await database.crossTenant.rows(echo, { texts: textArray(texts) })).toEqual([{ texts }])
})
