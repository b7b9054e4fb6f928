import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { operation } from '#contract/operation.ts'
import { OneOf } from '#contract/shapes.ts'
import { Type } from '#contract/type.ts'
import { buildApp } from '#server/app.ts'
import { crowd } from '#tests/support/crowd.ts'
import { defined, firstOf, inTurn, itemAt, only } from '#tests/support/elements.ts'
import { type FreshDatabase, freshDatabase } from '#tests/support/postgres.ts'
import { insertRows } from '#tests/support/rows.ts'
import { log, openTestDatabase } from '#tests/support/stream-app.ts'
import type { Database } from '../data/database.ts'
import { sql } from '../data/statement.ts'
import { fail } from '../fail.ts'
import { newId } from '../ids.ts'
import { openMetrics } from '../metrics.ts'
import { openCallRateLimiter } from './call-rate-limit.ts'
import type { Caller } from './caller.ts'
import { failOnContractBreach } from './contract-check.ts'
import { markUncounted } from './counted-limits.ts'
import { command, query, workflow } from './operation.ts'

// a product whose only operations are limited by their successes, served by two processes' worth of app
const at = {
  area: 'tried',
  auth: { session: { permission: 'STUDIO_VIEW' } },
  body: { outcome: OneOf(['kept', 'before', 'missing', 'taken', 'early', 'waits and fails']) },
  reply: Type.Object({ id: Type.String() }),
  status: 201,
  errors: ['ROLE_NOT_FOUND', 'NAME_TAKEN'],
} as const
const daily = (bucket: string, times: number) =>
  ({ bucket, times, windowSeconds: 86_400, counts: 'successes' }) as const
const keep = operation('POST /keep', { ...at, summary: 'Twenty a day', limit: daily('keep', 20) })
const once = operation('POST /once', { ...at, summary: 'One a day', limit: daily('once', 1) })
const step = operation('POST /step', {
  ...at,
  summary: 'Three a day, in two steps',
  limit: daily('step', 3),
})
const insertRole = sql<never, { id: string; name: string }>(
  `insert into role (organization_id, id, name, permissions) values ($organization, $id, $name, '{}')`,
)
const wait = sql<never>('select pg_advisory_xact_lock(77), $organization::text')

const keeping = (promise: typeof keep) =>
  command(promise, async ({ tx, caller, body: { outcome } }) => {
    if (outcome === 'early') fail('ROLE_NOT_FOUND')
    const id = newId()
    await tx.run(insertRole, { id, name: `${caller.personId} ${outcome} ${id}` })
    if (outcome === 'missing') fail('ROLE_NOT_FOUND')
    if (outcome === 'taken') fail('NAME_TAKEN')
    if (outcome === 'before') markUncounted(tx)
    if (outcome === 'waits and fails') {
      await tx.first(wait)
      fail('NAME_TAKEN')
    }
    return { id }
  })
const served = [
  keeping(keep),
  keeping(once),
  workflow(step, async ({ transact, caller, body: { outcome } }) => {
    if (outcome === 'early') fail('ROLE_NOT_FOUND')
    const [id, second] = [newId(), newId()]
    await transact(async tx => {
      await tx.run(insertRole, { id, name: `${caller.personId} first ${id}` })
      if (outcome === 'missing') fail('ROLE_NOT_FOUND')
    })
    await transact(tx => tx.run(insertRole, { id: second, name: `${caller.personId} second ${second}` }))
    return { id }
  }),
]

let fresh: FreshDatabase
let databases: Database[]
let apps: Awaited<ReturnType<typeof buildApp>>[]
let urls: string[]
let person: string

beforeAll(async () => {
  fresh = await freshDatabase()
  databases = await Promise.all([openTestDatabase(fresh.url), openTestDatabase(fresh.url)])
  await insertRows({ sql: runQuery }, 'organization', [{ id: 'c1' }, { id: 'c2' }])
  apps = await Promise.all(databases.map(database => open(database)))
  urls = await Promise.all(apps.map(app => app.listen({ port: 0, host: '127.0.0.1' })))
})
beforeEach(() => {
  person = newId()
})
afterAll(async () => {
  await Promise.all(apps.map(app => app.close()))
  await Promise.all(databases.map(database => database.close()))
  await fresh.drop()
})

function open(database: Database, operations = served) {
  return buildApp({
    log,
    contractCheck: failOnContractBreach(),
    metrics: openMetrics(),
    trustProxy: false,
    isReady: async () => true,
    served: operations,
    admission: {
      services: { database } as never,
      callRateLimiter: openCallRateLimiter(0),
      authenticate: {
        person: token => {
          const [organizationId, personId, permission] = token.split('.')
          const permissions = new Set([permission ?? 'STUDIO_VIEW'])
          const caller = { auth: 'session', organizationId, personId, plan: 'FREE', applicationId: null }
          return { ...caller, permissions } as unknown as Caller
        },
        stream: () => undefined,
        session: () => undefined,
        tool: () => undefined,
        toolByAddress: () => undefined,
        application: () => undefined,
      },
    },
  })
}
async function runQuery<Row>(text: string, values: unknown[] = []): Promise<Row[]> {
  return (await firstOf(databases).pool.query(text, values)).rows
}

async function ask(path: string, outcome: string, { app = 0, as = `c1.${person}` } = {}) {
  const response = await fetch(`${urls[app]}/api/tried/${path}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${as}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ outcome }),
  })
  const body = (await response.json()) as Record<string, unknown>
  return { status: response.status, headers: response.headers, body }
}
const countStored = async () =>
  only(
    await runQuery<{ n: number }>(`select count(*)::int as n from role where name like $1`, [`${person} %`]),
  ).n
const used = async () =>
  (await runQuery<{ used: number }>('select used from rate_window where caller = $1', [`c1/${person}`]))[0]
    ?.used

describe('a limit that counts successes', () => {
  it('is exact for 500 concurrent calls to two processes, many of which fail', async () => {
    const outcomes = ['kept', 'missing', 'kept', 'taken', 'early', 'nonsense', 'kept', 'kept', 'kept', 'kept']
    const answers = await Promise.all(
      Array.from({ length: 500 }, async (_, n) => {
        const outcome = inTurn(outcomes, n)
        return { outcome, ...(await ask('keep', outcome, { app: n % 2 })) }
      }),
    )
    const statuses = answers.filter(({ outcome }) => outcome === 'kept').map(({ status }) => status)
    expect(statuses).toHaveLength(300)
    expect(statuses.filter(status => status === 201)).toHaveLength(20)
    expect(statuses.filter(status => status === 429)).toHaveLength(280)
    expect(answers.filter(({ status }) => status >= 500)).toEqual([])
    // the input is checked first, the rows that it names afterwards
    const others = (outcome: string) => {
      const its = answers.filter(answer => answer.outcome === outcome)
      return [...new Set(its.map(({ status }) => status))].sort()
    }
    expect(others('nonsense')).toEqual([400])
    for (const [outcome, status] of [
      ['missing', 404],
      ['early', 404],
      ['taken', 409],
    ] as const)
      expect([status, 429]).toEqual(expect.arrayContaining(others(outcome)))
    expect(await countStored()).toBe(20)
    expect(await used()).toBe(20)
  })

  it('reports what was used, the next window, and the retry time', async () => {
    await ask('once', 'kept')
    const { status, headers, body } = await ask('once', 'kept')
    const midnight = new Date()
    midnight.setUTCHours(24, 0, 0, 0)
    expect([status, body]).toEqual([
      429,
      {
        statusCode: 429,
        error: 'Too Many Requests',
        message: expect.any(String),
        errorCode: 'RATE_LIMIT_EXCEEDED',
        retryAfterSeconds: expect.any(Number),
        limit: 1,
        windowSeconds: 86_400,
        used: 1,
        resetAt: midnight.toISOString(),
      },
    ])
    const seconds = body.retryAfterSeconds as number
    expect(Math.abs(seconds - (midnight.getTime() - Date.now()) / 1000)).toBeLessThan(5)
    expect(headers.get('retry-after')).toBe(String(seconds))
    expect(headers.get('ratelimit-policy')).toBe('"once";q=1;w=86400')
    expect(headers.get('ratelimit')).toBe(`"once";r=0;t=${seconds}`)
  })

  it('reports the rest in every reply', async () => {
    const left: (string | undefined)[] = []
    for (const [path, outcome] of [
      ['keep', 'kept'],
      ['keep', 'missing'],
      ['keep', 'before'],
      ['keep', 'kept'],
      ['step', 'kept'],
    ] as const) {
      const { headers } = await ask(path, outcome)
      left.push(headers.get('ratelimit')?.replace(/;t=\d+$/, ''))
    }
    expect(left).toEqual(['"keep";r=19', '"keep";r=19', '"keep";r=19', '"keep";r=18', '"step";r=2'])
  })

  it('counts per person, organization and operation, and restarts each day', async () => {
    const callers = [{}, { as: `c2.${person}` }, { as: `c1.${newId()}` }]
    for (const by of callers) expect((await ask('once', 'kept', by)).status).toBe(201)
    for (const by of callers) expect((await ask('once', 'kept', by)).status).toBe(429)
    expect((await ask('keep', 'kept')).status).toBe(201)
    await runQuery(`update rate_window set starts_at = starts_at - interval '1 day'`)
    expect((await ask('once', 'kept')).status).toBe(201)
  })

  it('does not count refusals and unchanged objects, and refuses before it reads the input', async () => {
    for (const outcome of ['missing', 'early', 'taken', 'nonsense', 'before', 'before'])
      await ask('once', outcome)
    expect(await used()).toBe(0)
    expect((await ask('once', 'kept', { as: `c1.${person}.NOTHING` })).status).toBe(403)
    expect((await ask('once', 'kept')).status).toBe(201)
    for (const [outcome, status] of [
      ['missing', 429],
      ['early', 429],
      ['before', 429],
      ['nonsense', 400],
    ] as const)
      expect([outcome, (await ask('once', outcome)).status]).toEqual([outcome, status])
    expect((await ask('once', 'kept', { as: `c1.${person}.NOTHING` })).status).toBe(403)
    expect(await countStored()).toBe(3)
  })

  it('waits for a running call, also of another process', async () => {
    const holder = await firstOf(databases).pool.connect()
    await holder.query('select pg_advisory_lock(77)')
    const failing = ask('once', 'waits and fails')
    const waiting = `select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    const locks = async () => only(await runQuery<{ n: number }>(waiting)).n
    await expect.poll(locks).toBe(1)
    const next = ask('once', 'kept', { app: 1 })
    await expect.poll(locks).toBe(2)
    await holder.query('select pg_advisory_unlock(77)')
    holder.release()
    expect((await failing).status).toBe(409)
    expect((await next).status).toBe(201)
    expect(await used()).toBe(1)
  })

  it('refuses without waiting once the limit is used up', async () => {
    await ask('once', 'kept')
    const holder = await firstOf(databases).pool.connect()
    await holder.query('begin')
    await holder.query('select 1 from rate_window where caller = $1 for update', [`c1/${person}`])
    const startedAt = performance.now()
    expect((await ask('once', 'kept')).status).toBe(429)
    expect(performance.now() - startedAt).toBeLessThan(1_000 * crowd())
    await holder.query('rollback')
    holder.release()
  })

  it('holds one connection for all calls of one person', async () => {
    const holder = await itemAt(databases, 1).pool.connect()
    await holder.query('select pg_advisory_lock(77)')
    const failing = Array.from({ length: 12 }, () => ask('keep', 'waits and fails'))
    const other = `c1.${newId()}`
    for (let n = 0; n < 5; n++) expect((await ask('keep', 'kept', { as: other })).status).toBe(201)
    await holder.query('select pg_advisory_unlock(77)')
    holder.release()
    expect(new Set((await Promise.all(failing)).map(({ status }) => status))).toEqual(new Set([409]))
  })

  it('costs no round trip: it is sent with the first statement of the work', async () => {
    const { pool } = firstOf(databases)
    const connect = pool.connect.bind(pool) as unknown as () => Promise<{ query?: Query }>
    type Answered = (...answer: unknown[]) => void
    type Query = (query: string | { text: string; callback?: Answered }) => Promise<unknown> | object
    const log: string[] = []
    const watched: { query?: Query }[] = []
    pool.connect = (async () => {
      const client = await connect()
      const runQuery = defined(client.query).bind(client)
      client.query = query => {
        const text = typeof query === 'string' ? query : query.text
        log.push(/rate_window|role|outbox|begin|commit/.exec(text)?.[0] ?? text)
        const { callback } = typeof query === 'string' ? {} : query
        if (typeof query !== 'string' && callback)
          query.callback = (...answer) => {
            log.push('answer')
            callback(...answer)
          }
        const answer = runQuery(query)
        if (answer instanceof Promise)
          answer.then(
            () => log.push('answer'),
            () => {},
          )
        return answer
      }
      watched.push(client)
      return client
    }) as never
    await ask('keep', 'kept')
    pool.connect = connect as never
    for (const client of watched) delete client.query
    expect(log.slice(0, 4)).toEqual(['begin', 'rate_window', 'role', 'answer'])
    expect(log.filter(line => line !== 'answer')).toEqual([
      'begin',
      'rate_window',
      'role',
      'outbox',
      'commit',
    ])
  })

  it('counts a workflow with its first transaction, and checks before it starts', async () => {
    expect((await ask('step', 'early')).status).toBe(404)
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, n) => ask('step', n % 3 === 0 ? 'missing' : 'kept', { app: n % 2 })),
    )
    const counts = [201, 404, 429].map(status => answers.filter(answer => answer.status === status).length)
    expect(counts[0]).toBe(3)
    expect(itemAt(counts, 1) + itemAt(counts, 2)).toBe(27)
    expect(await countStored()).toBe(6)
    expect(await used()).toBe(3)
    expect((await ask('step', 'early')).status).toBe(429)
  })

  it('is refused for operations without a transaction', async () => {
    const look = operation('GET /look', {
      area: 'tried',
      summary: 'Looks',
      auth: { session: { permission: null } },
      reply: Type.Object({}),
      limit: daily('look', 1),
    })
    await expect(
      (async () => open(firstOf(databases), [query(look, async () => ({})) as never]))(),
    ).rejects.toThrow('cannot count successes')
  })
})
