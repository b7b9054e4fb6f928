import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Database } from '#platform/data/database.ts'
import type { CrossTenantTx } from '#platform/data/db.ts'
import { crossTenantSql, sql } from '#platform/data/statement.ts'
import { recordEvents, recordOutbox } from '#platform/events/audit.ts'
import { newId } from '#platform/ids.ts'
import { exactly, firstOf } from '#tests/support/elements.ts'
import { openPlans } from '#tests/support/plans.ts'
import { type FreshDatabase, freshDatabase } from '#tests/support/postgres.ts'
import { emitTestEvent, log, openTestDatabase } from '#tests/support/stream-app.ts'
import { type AuditRow, verifyChain } from './chain.ts'
import { deleteExpiredChunk } from './housekeeping.ts'
import { numberBatch } from './number-batch.ts'
import * as store from './relay.sql.ts'
import { openRelay, type Relay } from './relay.ts'
import { holdLeases } from './relay-lease.sql.ts'
import { openSignal, type Signal } from './signal.ts'

type Row = { org: string; seq: number; name: string; n: number; at: string }
const everyEvent = crossTenantSql<Row>(
  'test',
  `select organization_id as org, seq, name, (data->>'n')::int as n, at from event order by 1, 2`,
)
const everyAudit = crossTenantSql<AuditRow>(
  'test',
  `select organization_id as "organizationId", seq, id, actor_id as "actorId", auth, ip, client, request_id as "requestId",
     operation, subject, changed, at, hash from audit order by 1, 2`,
)
const waiting = crossTenantSql<{ n: number }>('test', 'select count(*)::int as n from outbox')
const forget = crossTenantSql<never>('test', 'delete from event')
const forgetAudit = crossTenantSql<never>('test', 'delete from audit')
const forgetHeads = crossTenantSql<never>('test', 'delete from relay_head')
const head = crossTenantSql<
  { event_seq: number; event_oldest: number; audit_seq: number; audit_hash: string },
  { organizationId: string }
>('test', 'select * from relay_head where organization_id = $organizationId')
const expire = crossTenantSql<never>(
  'test',
  `update relay_lease set expires_at = now() - interval '1 second'`,
)
const fence = crossTenantSql<{ fence: number; holder: string }>(
  'test',
  'select fence, holder from relay_lease',
)

const overtake = crossTenantSql<{ fence: number }, { holder: string }>(
  'test',
  `update relay_lease set fence = fence + 1, expires_at = now() + interval '1 hour', holder = $holder returning fence`,
)
const auditRow = {
  organization_id: 'o1',
  seq: 1,
  id: 'x',
  actor_id: null,
  auth: 'session',
  ip: '',
  client: '',
  request_id: '',
  operation: 'o',
  subject: null,
  changed: ['a'],
  at: '2026-01-01T00:00:00.000Z',
  hash: 'h',
}

let fresh: FreshDatabase
let database: Database
let signal: Signal
let relays: Relay[] = []

beforeAll(async () => {
  fresh = await freshDatabase()
  database = await openTestDatabase(fresh.url)
  signal = await openSignal({ url: fresh.url, log })
})
afterAll(async () => {
  await signal.close()
  await database.close()
  await fresh.drop()
})
beforeEach(async () => {
  for (const statement of [forget, forgetAudit, forgetHeads]) await database.crossTenant.rows(statement)
})
afterEach(async () => {
  await Promise.all(relays.map(relay => relay.close()))
  relays = []
})

function start(options: { pollMs?: number; batchSize?: number } = {}): Relay {
  const relay = openRelay({ database, signal, log, ...options })
  relays.push(relay)
  return relay
}
async function drained(): Promise<void> {
  while ((await database.crossTenant.one(waiting)).n > 0) await new Promise(resolve => setTimeout(resolve, 2))
}

describe('the relay', () => {
  it('numbers the events of each organization without gaps, in order', async () => {
    for (let n = 1; n <= 30; n++)
      await emitTestEvent(database, `o${n % 3}`, [{ data: { n } }, { data: { n: n + 0.0 } }])
    start({ batchSize: 7 })
    await drained()
    const events = await database.crossTenant.rows(everyEvent)
    expect(events).toHaveLength(60)
    for (const org of ['o0', 'o1', 'o2']) {
      const own = events.filter(event => event.org === org)
      expect(own.map(({ seq }) => seq)).toEqual(Array.from({ length: 20 }, (_, index) => index + 1))
      expect(own.map(({ n }) => n)).toEqual([...own].sort((a, b) => a.n - b.n).map(({ n }) => n))
    }
  })

  it('stores an event unchanged', async () => {
    const text = `{"a"}, 'b' \\ "NULL", ü`
    const emitted = [
      { actorId: null, data: { text, of: [null, { text }] } },
      { actorId: 'p1', data: [], to: [] },
      {
        actorId: 'p2',
        data: { NULL: null },
        to: [{ organizationId: 'o1', personId: 'p1' }],
        about: { text },
      },
      { actorId: 'p2', data: {}, to: ['p1', 'p2'].map(personId => ({ organizationId: 'o1', personId })) },
    ].map(one => ({ id: newId(), name: 'ai-asset.created', ...one }))
    await database.transact('o1', async tx => void tx.pending.events.push(...emitted), recordEvents)
    start()
    await drained()
    const stored = crossTenantSql<Record<string, unknown>>(
      'test',
      'select id, name, actor_id as "actorId", data, recipients, about from event order by seq',
    )
    expect(await database.crossTenant.rows(stored)).toEqual(
      emitted.map(({ to, about = null, ...same }) => ({
        ...same,
        about,
        recipients: to?.map(({ organizationId, personId }) => `${organizationId}/${personId}`) ?? null,
      })),
    )
  })

  it('fans out events for applications in the transaction that numbers them, within its size limit', async () => {
    const spreads: { ids: string[] }[] = []
    const emitOnce = (n: number) =>
      database.transact(
        'o1',
        async tx =>
          void tx.pending.events.push({
            id: newId(),
            name: 'WEBHOOK_TEST',
            actorId: null,
            data: { n },
            about: { n: 'x' },
          }),
        recordEvents,
      )
    for (let n = 1; n <= 40; n++) await emitOnce(n)
    const relay = openRelay({
      database,
      signal,
      log,
      fanOut: async events => {
        const spread = { ids: events.map(({ id }) => id) }
        return {
          rows: events.length * 1_000,
          write: async () => {},
          committed: () => void spreads.push(spread),
        }
      },
    })
    relays.push(relay)
    await drained()
    await relay.close()
    expect(spreads.map(({ ids }) => ids.length)).toEqual([10, 10, 10, 10])
    expect((await database.crossTenant.rows(everyEvent)).map(({ n }) => n)).toEqual(
      Array.from({ length: 40 }, (_, n) => n + 1),
    )
    const about = await database.pool.query(`select about from event where name = 'WEBHOOK_TEST' limit 1`)
    expect(about.rows).toEqual([{ about: { n: 'x' } }])
  })

  it('orders a change after the one it waited for, although it began earlier', async () => {
    await database.transact(
      'o1',
      async tx => {
        await tx.first(sql<never>('select $organization::text'))
        await emitTestEvent(database, 'o1', [{ data: { n: 1 } }])
        tx.pending.events.push({ id: newId(), name: 'ai-asset.created', actorId: null, data: { n: 2 } })
      },
      recordEvents,
    )
    start()
    await drained()
    expect((await database.crossTenant.rows(everyEvent)).map(({ n }) => n)).toEqual([1, 2])
  })

  it('continues from its position and keeps the time of an event', async () => {
    start()
    await emitTestEvent(database, 'o1', [{ data: { n: 1 } }], signal)
    await drained()
    await emitTestEvent(database, 'o1', [{ data: { n: 2 } }], signal)
    await drained()
    const events = await database.crossTenant.rows(everyEvent)
    expect(events.map(({ seq, n }) => [seq, n])).toEqual([
      [1, 1],
      [2, 2],
    ])
    expect(Math.abs(Date.parse(firstOf(events).at) - Date.now())).toBeLessThan(10_000)
  })

  it('delivers within the poll interval without a signal', async () => {
    start({ pollMs: 100 })
    await emitTestEvent(database, 'o1', [{}])
    await drained()
    expect(await database.crossTenant.rows(everyEvent)).toHaveLength(1)
  })

  it('announces the last number of each organization', async () => {
    const lastNumbers = new Map<string, number>()
    const done = Promise.withResolvers<void>()
    await signal.onAnnounced(heads => {
      for (const [organizationId, seq] of heads ?? []) lastNumbers.set(organizationId, seq)
      if (lastNumbers.get('o1') === 2 && lastNumbers.get('o2') === 1) done.resolve()
    })
    start()
    await emitTestEvent(database, 'o1', [{}, {}], signal)
    await emitTestEvent(database, 'o2', [{}], signal)
    await done.promise
  })

  it('chains audit rows so that every kind of tampering is detected', async () => {
    for (let n = 1; n <= 6; n++) {
      const caller = { auth: 'session', personId: 'p1', applicationId: null } as const
      const origin = { requestId: `r${n}`, ip: '::1', client: 'ünïcode "client" \\ 👋' }
      await database.transact(
        'o1',
        async () => {},
        tx => recordOutbox(tx, caller, origin, 'PATCH /x', { subject: `a${n}`, changed: ['b', 'a'] }),
      )
    }
    start({ batchSize: 4 })
    await drained()
    const rows = await database.crossTenant.rows(everyAudit)
    const { audit_seq: seq, audit_hash: hash } = await database.crossTenant.one(head, {
      organizationId: 'o1',
    })
    expect(rows).toHaveLength(6)
    expect(verifyChain(rows, undefined, { seq, hash })).toEqual({ isWhole: true, end: { seq: 6, hash } })
    expect(verifyChain(rows.map(row => (row.seq === 3 ? { ...row, subject: 'other' } : row)))).toMatchObject({
      isWhole: false,
      seq: 3,
    })
  })

  it('quarantines a row that can never be written, and processes all others', async () => {
    for (let n = 1; n <= 5; n++) await emitTestEvent(database, 'o1', [{ data: { n } }])
    const spoil = crossTenantSql<never>(
      'test',
      `update outbox set events = '[{"name":"x"}]' where events->0->'data'->>'n' = '3'`,
    )
    await database.crossTenant.rows(spoil)
    start({ batchSize: 10 })
    await expect
      .poll(async () => (await database.crossTenant.rows(everyEvent)).map(({ n }) => n))
      .toEqual([1, 2, 4, 5])
    const quarantined = crossTenantSql<{ createdAt: string }>(
      'test',
      'select created_at::text as "createdAt" from outbox',
    )
    expect(await database.crossTenant.rows(quarantined)).toEqual([{ createdAt: 'infinity' }])
    await database.crossTenant.rows(crossTenantSql<never>('test', 'delete from outbox'))
  })

  it('writes nothing for rows that another process took meanwhile', async () => {
    await emitTestEvent(database, 'o1', [{ data: { n: 1 } }])
    await emitTestEvent(database, 'o2', [{ data: { n: 1 } }])
    const other = await database.pool.connect()
    await other.query('begin')
    await other.query(`delete from outbox where organization_id = 'o1'`)
    start()
    await expect
      .poll(async () => (await other.query(`select from pg_locks where not granted`)).rowCount)
      .toBeGreaterThan(0)
    await other.query('commit')
    other.release()
    await drained()
    expect((await database.crossTenant.rows(everyEvent)).map(({ org }) => org)).toEqual(['o2'])
    expect(await database.crossTenant.first(head, { organizationId: 'o1' })).toBeUndefined()
  })

  it('uses the index for a backlog, even with the statistics of an empty outbox', async () => {
    const plans = await openPlans(fresh.url, ['unforced'])
    const remove = (ids: readonly string[]) => (tx: CrossTenantTx) => {
      const waiting = ids.map(id => ({ organizationId: 'o1', id }))
      return Promise.all([
        tx.one(holdLeases, { fences: [0] }),
        tx.rows(store.insertBatch, store.batchArgs([0], waiting, [])),
      ])
    }
    await database.crossTenant.rows(crossTenantSql<never>('test', 'update relay_lease set fence = 0'))
    await database.crossTenant.rows(
      crossTenantSql<never>('test', 'alter table outbox set (autovacuum_enabled = false)'),
    )
    await database.crossTenant.rows(crossTenantSql<never>('test', 'vacuum analyze outbox'))
    // often enough for its plan to be kept
    for (let n = 0; n < 12; n++) await plans.explainCrossTenant(remove(['none']))
    const backlog = `insert into outbox (organization_id, id) select 'o' || n % 50, 'n' || n from generate_series(1, 30000) n`
    await database.crossTenant.rows(crossTenantSql<never>('test', backlog))
    const ids = Array.from({ length: 50 }, (_, n) => `n${n}`)
    const [, explained] = exactly(2, await plans.explainCrossTenant(remove(ids)))
    expect(explained.indexes).toContain('outbox_pkey')
    expect(explained.scanned).not.toContain('outbox')
    await plans.close()
    await database.crossTenant.rows(crossTenantSql<never>('test', 'truncate outbox'))
  })

  it('deletes events after 24 hours and raises the oldest number first', async () => {
    await emitTestEvent(database, 'o1', [{}, {}, {}])
    start()
    await drained()
    await database.crossTenant.rows(
      crossTenantSql<never>('test', `update event set at = now() - interval '25 hours' where seq <= 2`),
    )
    await deleteExpiredChunk(database)
    expect((await database.crossTenant.rows(everyEvent)).map(({ seq }) => seq)).toEqual([3])
    expect(await database.crossTenant.first(head, { organizationId: 'o1' })).toMatchObject({
      event_seq: 3,
      event_oldest: 3,
    })
  })
})

describe('housekeeping', () => {
  it('only deletes expired rows, in chunks', async () => {
    const old: Record<string, [insert: string, left: string]> = {
      stream_lease: [
        `select 'o', 'p', 's', 'l' || n, now() + (1500 - n) * interval '1 second' from generate_series(1, 3000) n`,
        '1499',
      ],
      rate_window: [`select 'b', 'c', now() - n * interval '1 day', 1 from generate_series(0, 9) n`, '2'],
      idempotency: [
        `select 'o', 'c', 'x', 'k' || n, 'h', 200, null, '{}', now() - n * interval '10 hours' from generate_series(0, 9) n`,
        '3',
      ],
      access_change: [
        `select 'o', 'i' || n, null, now() - n * interval '25 minutes' from generate_series(0, 9) n`,
        '3',
      ],
    }
    for (const [table, [rows]] of Object.entries(old)) {
      await database.crossTenant.rows(crossTenantSql<never>('test', `insert into ${table} ${rows}`))
    }
    while (await deleteExpiredChunk(database));
    for (const [table, [, left]] of Object.entries(old)) {
      const count = crossTenantSql<{ n: string }>('test', `select count(*)::text as n from ${table}`)
      const near = [left, String(Number(left) - 1)]
      expect(near).toContain((await database.crossTenant.one(count)).n)
    }
  })

  it('deletes events of organizations whose backlog the relay is numbering, and neither stops the other', async () => {
    const names = Array.from({ length: 60 }, (_, n) => `o${String(n).padStart(2, '0')}`)
    const failures: unknown[] = []
    const collected = { ...log, error: (details: unknown) => void failures.push(details) }
    const emitInAll = async (order: readonly string[]) => {
      for (const name of order) await emitTestEvent(database, name, [{}, {}])
    }
    await emitInAll(names)
    relays.push(openRelay({ database, signal, log: collected, batchSize: 50 }))
    await drained()
    const age = crossTenantSql<never>('test', `update event set at = now() - interval '25 hours'`)
    for (let round = 0; round < 6; round++) {
      await database.crossTenant.rows(age)
      const writing = emitInAll(round % 2 === 0 ? names.toReversed() : names).then(drained)
      // as two workers do
      await Promise.all([writing, deleteExpiredChunk(database), deleteExpiredChunk(database)])
    }
    while (await deleteExpiredChunk(database));
    expect(failures).toEqual([])
    for (const name of names) {
      const { event_seq, event_oldest } = await database.crossTenant.one(head, { organizationId: name })
      const own = (await database.crossTenant.rows(everyEvent)).filter(({ org }) => org === name)
      expect(event_seq).toBe(14)
      expect(own.map(({ seq }) => seq)).toEqual(
        Array.from({ length: event_seq - event_oldest + 1 }, (_, n) => event_oldest + n),
      )
    }
  })
})

describe('the lease', () => {
  it('is held by one of several processes, and taken over at once when the holder closes', async () => {
    const first = start()
    await expect.poll(() => first.isHolder()).toBe(true)
    const second = start()
    await emitTestEvent(database, 'o1', [{}], signal)
    await drained()
    expect(second.isHolder()).toBe(false)
    await first.close()
    await expect.poll(() => second.isHolder()).toBe(true)
  })

  it('is not taken from a connected holder', async () => {
    const first = start()
    await expect.poll(() => first.isHolder()).toBe(true)
    const { fence: before, holder } = await database.crossTenant.one(fence)
    expect(holder).toBe(signal.name)
    start()
    await emitTestEvent(database, 'o1', [{}], signal)
    await drained()
    expect((await database.crossTenant.one(fence)).fence).toBe(before)
  })

  it('prevents the writes of an overtaken holder', async () => {
    const overtaken = start({ pollMs: 50 })
    await expect.poll(() => overtaken.isHolder()).toBe(true)
    const [{ fence: now } = { fence: 0 }] = await database.crossTenant.rows(overtake, { holder: signal.name })
    await emitTestEvent(database, 'o1', [{ data: { n: 1 } }], signal)
    await expect.poll(() => overtaken.isHolder()).toBe(false)
    expect((await database.crossTenant.one(waiting)).n).toBe(1)
    expect(await database.crossTenant.rows(everyEvent)).toEqual([])

    // each statement by itself, with the fence of before and with the present one
    const outbox = await database.crossTenant.rows(store.readOutbox, { limit: 10 })
    for (const [held, changes] of [
      [now - 1, 0],
      [now, 1],
    ] as const) {
      const numbered = numberBatch(outbox)
      await database.crossTenant.rows(store.insertBatch, store.batchArgs([held], outbox, numbered.events))
      await database.crossTenant.rows(store.setHeads, {
        fences: [held],
        organizationIds: ['o1'],
        eventSeqs: [1],
        auditSeqs: [0],
        auditHashes: [''],
      })
      await database.crossTenant.rows(store.insertAudit, { fences: [held], rows: JSON.stringify([auditRow]) })
      expect((await database.crossTenant.one(waiting)).n).toBe(1 - changes)
      expect((await database.crossTenant.rows(everyEvent)).map(({ org }) => org)).toEqual(
        changes === 1 ? ['o1'] : [],
      )
      expect(await database.crossTenant.rows(everyAudit)).toHaveLength(changes)
      expect((await database.crossTenant.first(head, { organizationId: 'o1' }))?.event_seq).toBe(
        changes === 1 ? 1 : undefined,
      )
    }
    await database.crossTenant.rows(expire)
  })
})
