import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Database } from '#platform/data/database.ts'
import type { CrossTenantTx } from '#platform/data/db.ts'
import { crossTenantSql } from '#platform/data/statement.ts'
import { crowd } from '#tests/support/crowd.ts'
import { exactly, firstOf, itemAt } from '#tests/support/elements.ts'
import { openPlans } from '#tests/support/plans.ts'
import { type FreshDatabase, freshDatabase } from '#tests/support/postgres.ts'
import { expectWhole, startWriters } from '#tests/support/relay-writers.ts'
import { log, openTestDatabase } from '#tests/support/stream-app.ts'
import * as outbox from './relay.sql.ts'
import { openRelay, type Relay } from './relay.ts'
import { changeLayout, mostLeases, setLayout, shardsOf } from './relay-layout.ts'
import * as store from './relay-lease.sql.ts'
import { openSignal, type Signal } from './signal.ts'

const leases = crossTenantSql<{ name: string; fence: number; holder: string }>(
  'test',
  'select name, fence, holder from relay_lease order by fence % 64',
)
const endConnection = crossTenantSql<never, { name: string }>(
  'test',
  'select pg_terminate_backend(pid) from pg_stat_activity where application_name = $name',
)
const overtakeAll = crossTenantSql<never>(
  'test',
  `update relay_lease set fence = fence + 64, holder = '', expires_at = now() - interval '1 second'`,
)

/** A relay as in a process of its own: with its own connections. */
type Worker = { relay: Relay; signal: Signal; database: Database; close(): Promise<void> }

let fresh: FreshDatabase
let database: Database
let signal: Signal
let workers: Worker[]
beforeEach(async () => {
  fresh = await freshDatabase()
  database = await openTestDatabase(fresh.url, 8)
  signal = await openSignal({ url: fresh.url, log })
  workers = []
})
afterEach(async () => {
  await Promise.all(workers.map(worker => worker.close()))
  await signal.close()
  await database.close()
  await fresh.drop()
})

async function startWorker(options: { batchSize?: number; leaseMs?: number } = {}): Promise<Worker> {
  const own = await openTestDatabase(fresh.url, 2)
  const ownSignal = await openSignal({ url: fresh.url, log })
  const relay = openRelay({ database: own, signal: ownSignal, log, batchSize: 20, leaseMs: 900, ...options })
  const worker: Worker = {
    relay,
    signal: ownSignal,
    database: own,
    async close() {
      workers = workers.filter(other => other !== worker)
      await relay.close()
      await ownSignal.close()
      await own.close()
    },
  }
  workers.push(worker)
  return worker
}

/** The number of leases of each worker. */
async function shares(): Promise<number[]> {
  const all = await database.crossTenant.rows(leases)
  return workers.map(worker => all.filter(({ holder }) => holder === worker.signal.name).length)
}
async function expectShares(expected: readonly number[]): Promise<void> {
  const wanted = expected.toSorted((a, b) => a - b)
  await expect
    .poll(async () => (await shares()).sort((a, b) => a - b), { timeout: 5_000 * crowd(), interval: 20 })
    .toEqual(wanted)
}

const organizations = Array.from({ length: 40 }, (_, n) => `o${n}`)
const startLoad = () => startWriters(database, signal, { organizations, writers: 6 })

describe('several leases', () => {
  it('number everything once and in order while relays are cut off, overtaken and closed', async () => {
    await setLayout(database, 4)
    for (let n = 0; n < 3; n++) await startWorker()
    await expectShares([1, 1, 2])
    const load = startLoad()
    for (let round = 0; round < 3; round++) {
      await sleep(100)
      // its leases are free at once, and it goes on without knowing
      await database.crossTenant.rows(endConnection, { name: itemAt(workers, round % 3).signal.name })
      await sleep(100)
      await database.crossTenant.rows(overtakeAll)
    }
    await firstOf(workers).close()
    const emitted = await load.stop()
    await expectWhole(database, emitted)
    await expectShares([2, 2])
  })

  it('are replaced by more or fewer under load', async () => {
    await startWorker()
    await startWorker()
    await expectShares([0, 1])
    const load = startLoad()
    for (const count of [4, 2, 5, 1]) {
      await sleep(150)
      await changeLayout(fresh.url, database, count)
      await expectShares([Math.floor(count / 2), Math.ceil(count / 2)])
    }
    await expectWhole(database, await load.stop())
  })

  it('are shared evenly by the workers that start and end', async () => {
    await setLayout(database, 8)
    await startWorker()
    await expectShares([8])
    await startWorker()
    await expectShares([4, 4])
    await startWorker()
    await expectShares([2, 3, 3])
    await itemAt(workers, 1).close()
    await expectShares([4, 4])
  })

  it('have fences that no other layout and no other lease ever had', async () => {
    const seen = new Set<number>()
    for (const count of [3, 1, 64, 2]) {
      await setLayout(database, count)
      const before = [...seen]
      for (let turn = 0; turn < 3; turn++) {
        const now = await database.crossTenant.rows(leases)
        expect(now).toHaveLength(count)
        const shards = now.flatMap(({ name }) => shardsOf(name))
        expect(shards.sort((one, other) => one - other)).toEqual([...Array(mostLeases).keys()])
        for (const { fence } of now) {
          expect(seen.has(fence)).toBe(false)
          expect(fence).toBeGreaterThan(Math.max(0, ...before))
          seen.add(fence)
        }
        const holder = `nobody ${turn}`
        await database.crossTenant.rows(store.renewAndTakeLeases, { fences: [], holder, seconds: 1 })
      }
    }
    await expect(setLayout(database, 65)).rejects.toThrow(RangeError)
    await expect(setLayout(database, 0.5)).rejects.toThrow(RangeError)
  })

  it('have an index of their shards, which one lease has not, also after its build was interrupted', async () => {
    const state = async () => {
      const { rows } = await database.pool.query<{ isValid: boolean }>(
        `select indisvalid as "isValid" from pg_index where indexrelid = to_regclass('outbox_shard')`,
      )
      return rows.map(({ isValid }) => isValid)
    }
    expect(await state()).toEqual([])
    // the build waits for a writer, and its process dies meanwhile
    const writer = await database.pool.connect()
    await writer.query(`begin; insert into outbox (organization_id, id) values ('o1', 'n1')`)
    const interrupted = expect(changeLayout(fresh.url, database, 2)).rejects.toThrow()
    const endBuild = `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and query like 'create index%' and wait_event_type = 'Lock'`
    await expect.poll(async () => (await database.pool.query(endBuild)).rowCount).toBe(1)
    await interrupted
    await writer.query('commit')
    writer.release()
    expect(await state()).toEqual([false])
    await startWorker()
    await expectWhole(database, new Map())
    await expectShares([1])

    await Promise.all([changeLayout(fresh.url, database, 2), changeLayout(fresh.url, database, 2)])
    expect(await state()).toEqual([true])
    await expectShares([2])
    await changeLayout(fresh.url, database, 1)
    expect(await state()).toEqual([])
    await expect(changeLayout(fresh.url, database, 65)).rejects.toThrow(RangeError)
    expect(await state()).toEqual([])
  })

  it('read a backlog of their shards by its index, also after the outbox was empty for long', async () => {
    await changeLayout(fresh.url, database, 2)
    const args = { shards: shardsOf('relay 1 of 2'), quota: 16, limit: 500 }
    const read = (tx: CrossTenantTx) =>
      Promise.all([tx.rows(outbox.readInIndexOrder), tx.rows(outbox.readShards, args)])
    await database.pool.query('alter table outbox set (autovacuum_enabled = false)')
    await database.pool.query('vacuum analyze outbox')
    const plans = await openPlans(fresh.url, ['unforced'])
    // often enough for its plan to be kept
    for (let n = 0; n < 12; n++) await plans.explainCrossTenant(read)
    await database.pool.query(
      `insert into outbox (organization_id, id) select 'o' || n % 300, 'n' || n from generate_series(1, 20000) n`,
    )
    const [, explained] = exactly(2, await plans.explainCrossTenant(read))
    await plans.close()
    expect(explained.indexes).toContain('outbox_shard')
    expect(explained.scanned).not.toContain('outbox')
    // 32 shards with 16 rows each; a plan that sorts a shard reads all of it
    expect(explained.blocks).toBeLessThan(1_500)
    for (let n = 0; n < 2; n++) await startWorker({ batchSize: 500 })
    await expectWhole(database, new Map())
  })

  it('cost an idle process the same, however many there are', async () => {
    const counts: number[] = []
    await startWorker({ leaseMs: 300 })
    await startWorker({ leaseMs: 300 })
    for (const count of [2, 64]) {
      await setLayout(database, count)
      await expectShares([count / 2, count / 2])
      const sent = vi.spyOn(firstOf(workers).database.pool, 'query')
      await sleep(600)
      counts.push(sent.mock.calls.length)
      sent.mockRestore()
    }
    const [few = 0, many = 0] = counts
    expect(few).toBeGreaterThan(3)
    expect(many).toBeLessThanOrEqual(few + 3)
  })
})
