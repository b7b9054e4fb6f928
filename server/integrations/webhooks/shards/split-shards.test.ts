import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Database } from '#platform/data/database.ts'
import { newId } from '#platform/ids.ts'
import { only } from '#tests/support/elements.ts'
import { openWebhookHarness, type WebhookHarness } from '#tests/support/integrations/webhook-harness.ts'
import { deliveriesOf, signInSecret, type TestEndpoint } from '#tests/support/integrations/webhooks.ts'
import { dataFolder, run, until } from '#tests/support/processes.ts'
import { insertMany, insertRows, onPool, type SqlRunner } from '#tests/support/rows.ts'
import { log } from '#tests/support/stream-app.ts'
import { firstAttemptArgs, recordFirstAttempts } from '../dispatcher/results/attempt-result.sql.ts'
import { openDispatchDatabase } from '../engine.ts'
import { layoutLock, takeShards } from './shard.sql.ts'
import { fewestShards, shardOf } from './shard.ts'
import { SplitRefusal, splitShards } from './split-shards.ts'

vi.setConfig({ testTimeout: 60_000 })

let harness: WebhookHarness
let database: Database
let lines: string[]
beforeEach(async () => {
  harness = await openWebhookHarness()
  database = await openDispatchDatabase(harness.url, log)
  lines = []
})
afterEach(async () => {
  await database.close()
  await harness.close()
})

const split = (count: number) => splitShards(database, count, line => lines.push(line))

/** The rows that store another shard than the one of their application. */
async function misplaced(shardCount: number): Promise<unknown[]> {
  const rows = await harness.sql<{ id: string; shard: number }>(
    `select application_id as id, shard from webhook_endpoint union all select application_id, shard from webhook_due
     union all select application_id, shard from webhook_new_range`,
  )
  return rows.filter(({ id, shard }) => shardOf(id, shardCount) !== shard)
}
async function ownedShards(): Promise<{ shards: number; owners: number }> {
  return only(
    await harness.sql(
      `select count(*)::int as shards, count(distinct owner)::int as owners from dispatch_shard where owner <> ''`,
    ),
  )
}
async function endpoints(count: number, each: number): Promise<TestEndpoint[]> {
  const all: TestEndpoint[] = []
  for (let n = 0; n < count; n++) {
    const to = await harness.endpoint(`/${n}/`)
    all.push(to)
    await harness.due(to, each)
  }
  return all
}
/** Each delivery arrived once, and was recorded once. */
async function expectOnce(all: readonly TestEndpoint[], count: number): Promise<void> {
  const rows = (await Promise.all(all.map(to => deliveriesOf(harness.sql, to)))).flat()
  expect(rows).toHaveLength(count)
  expect(rows.filter(({ status, attempts }) => status !== 'DELIVERED' || attempts !== 1)).toEqual([])
  const received = harness.receiver.received.map(({ deliveryId }) => deliveryId)
  expect(received.sort()).toEqual(rows.map(({ id }) => id).sort())
}

describe('splitting the shards', () => {
  it('loses no delivery and sends none twice, while dispatchers send', async () => {
    harness.receiver.replyWith(
      (response, _webhook) => void setTimeout(() => response.writeHead(204).end(), 100),
    )
    const all = await endpoints(20, 60)
    await harness.dispatcher({ leaseMs: 3_000, maxInFlight: 40 })
    await harness.dispatcher({ leaseMs: 3_000, maxInFlight: 40 })
    await until('both send', async () => (await ownedShards()).owners === 2)
    expect(await misplaced(128)).not.toEqual([])
    await split(128)
    expect(harness.receiver.received.length, 'deliveries were left').toBeLessThan(1_200)
    expect(lines[0]).toBe('Waiting for the requests in flight. Workers that send webhooks: 2')
    expect(await misplaced(128)).toEqual([])
    await harness.drained(30_000)
    await expectOnce(all, 1_200)
    expect(await ownedShards()).toEqual({ shards: 128, owners: 2 })
  })

  it('is continued by the command after kill -9 in the middle, and nothing is sent in between', async () => {
    const all = await endpoints(10, 2)
    const paused = await harness.endpoint('/paused/', { id: idThatMoves() })
    await harness.sql(`update webhook_endpoint set status = 'HELD' where application_id = $1`, [paused.id])
    await insertMany(harness, 'webhook_due', 2_500, n => ({
      shard: paused.shard,
      application_id: paused.id,
      organization_key: paused.organizationId,
      delivery_id: `d${String(n).padStart(6, '0')}`,
    }))
    const locking = new pg.Client({ connectionString: harness.url })
    await locking.connect()
    await locking.query('begin')
    await locking.query(
      `select from webhook_due where organization_key = $1 and delivery_id = 'd001500' for update`,
      [paused.organizationId],
    )
    const command = startCommand()
    await until('the first of three chunks is rewritten', async () => (await movedRows(paused)) === 1_000)
    await command.stop('SIGKILL')
    await locking.query('rollback')
    await locking.end()

    await harness.dispatcher({ leaseMs: 1_200 })
    await sleep(1_500)
    expect(await ownedShards()).toEqual({ shards: 0, owners: 0 })
    expect(harness.receiver.received).toEqual([])
    await expect(split(1_024)).rejects.toThrow('Run: webhook-shards 128')

    expect(await startCommand().exited).toMatchObject({
      code: 0,
      output: expect.stringContaining('of due deliveries.'),
    })
    expect(await misplaced(128)).toEqual([])
    await until('all are delivered', async () => harness.receiver.received.length === 20)
    await until(
      'all are recorded',
      async () => (await harness.sql('select from webhook_new_range')).length === 0,
    )
    await expectOnce(all, 20)
  })

  it('refuses the late result of a former owner', async () => {
    const [to] = await endpoints(1, 1)
    if (!to) throw new Error('no endpoint')
    const [{ id } = { id: '' }] = await deliveriesOf(harness.sql, to)
    // it is suspended while its lease expires, which the split awaits
    const taken = await database.crossTenant.rows(takeShards, {
      owner: 'late',
      seconds: 1,
      most: 64,
      shardCount: fewestShards,
    })
    const lease = taken.find(({ shard }) => shard === to.shard)
    const record = () =>
      database.crossTenant.one(
        recordFirstAttempts,
        firstAttemptArgs(
          'late',
          [
            {
              shard: to.shard,
              epoch: lease?.epoch ?? -1,
              organizationId: to.organizationId,
              applicationId: to.id,
              deliveryId: id,
              attempt: 1,
              agoMs: 0,
              durationMs: 1,
              waitMs: 5_000,
              final: null,
              outcome: 'TIMEOUT',
              status: null,
              record: null,
            },
          ],
          [],
        ),
      )
    await split(128)
    expect(await record()).toEqual({ recorded: [] })
    expect(await deliveriesOf(harness.sql, to)).toMatchObject([{ status: 'PENDING', attempts: 0 }])
    // also when it takes its shards again under its name: the epoch is another one
    await database.crossTenant.rows(takeShards, { owner: 'late', seconds: 60, most: 128, shardCount: 128 })
    expect(await record()).toEqual({ recorded: [] })
  })

  it('lets nobody take shards until it has ended, nor somebody who knows the former number of shards', async () => {
    const take = (shardCount: number) =>
      database.crossTenant.rows(takeShards, { owner: 'early', seconds: 60, most: 128, shardCount })
    await harness.sql('update dispatch_shard set split_into = 128')
    expect(await take(64)).toEqual([])
    await split(128)
    expect(await take(64)).toEqual([])
    expect(await take(128)).toHaveLength(128)
  })

  it('rewrites what a transaction writes that has read the former shard of a webhook', async () => {
    const to = await harness.endpoint('/moves/', { id: idThatMoves() })
    const blocking = await begin('other')
    await lockEndpoint(blocking, to)
    const splitting = split(128)
    await until('the webhooks are being rewritten', () => lines.some(line => line.startsWith('There are')))
    const writer = await begin('patio api')
    await writer.sql(`select pg_advisory_xact_lock_shared(${layoutLock})`)
    const { shard } = only(
      await writer.sql<{ shard: number }>(
        'select shard from webhook_endpoint where organization_id = $1 and application_id = $2',
        [to.organizationId, to.id],
      ),
    )
    expect(shard).toBe(to.shard)
    await blocking.commit()
    await sleep(500)
    await insertDue(writer, to)
    await writer.commit()
    await splitting
    expect(await misplaced(128)).toEqual([])
  })

  it('rewrites what a statement of a dispatcher writes that began before', async () => {
    const to = await harness.endpoint('/moves/', { id: idThatMoves() })
    const recording = await begin('patio dispatcher')
    await recording.sql('select epoch from dispatch_shard')
    const splitting = split(128)
    await until('the shards are renumbered', () => lines.some(line => line.startsWith('There are')))
    await sleep(500)
    await insertDue(recording, to)
    await recording.commit()
    await splitting
    expect(await misplaced(128)).toEqual([])
  })

  it('gives the relay new fences, and as many leases as before', async () => {
    const before = await fences()
    await split(128)
    const after = await fences()
    expect(after).toHaveLength(before.length)
    expect(Math.min(...after)).toBeGreaterThan(Math.max(...before))
  })

  it('takes a number above the present one, and does nothing for the present one', async () => {
    await split(64)
    expect(lines).toEqual([])
    await split(256)
    await expect(split(128)).rejects.toThrow(SplitRefusal)
    expect(await harness.sql('select count(*)::int as n, max(shard) as last from dispatch_shard')).toEqual([
      { n: 256, last: 255 },
    ])
  })

  it('ends when another run finishes the same split', async () => {
    const to = await harness.endpoint('/moves/', { id: idThatMoves() })
    const blocking = await begin('other')
    await lockEndpoint(blocking, to)
    const refused = expect(split(128)).rejects.toThrow('Another run')
    await until('the webhooks are being rewritten', () => lines.some(line => line.startsWith('There are')))
    // as the other run does
    await harness.sql('update dispatch_shard set split_into = null')
    await blocking.commit()
    await refused
  })

  it('is refused while a worker of an earlier version owns shards', async () => {
    await harness.sql(
      `update dispatch_shard set owner = 'old', epoch = epoch + 1, lease_until = now() + interval '1 minute'`,
    )
    await expect(split(128)).rejects.toThrow('an earlier version')
    await harness.sql(`update dispatch_shard set lease_until = now()`)
    await split(128)
    expect(await ownedShards()).toEqual({ shards: 0, owners: 0 })
  })
})

async function fences(): Promise<number[]> {
  const rows = await harness.sql<{ fence: string }>('select fence from relay_lease')
  return rows.map(({ fence }) => Number(fence))
}
async function movedRows({ id, shard }: TestEndpoint): Promise<number> {
  const rows = await harness.sql('select from webhook_due where application_id = $1 and shard <> $2', [
    id,
    shard,
  ])
  return rows.length
}
function startCommand() {
  const settings = {
    DATABASE_URL: harness.url,
    DATA_DIR: dataFolder(),
    SIGN_IN_SECRET: signInSecret,
    SESSION_KEYS: `k:${signInSecret}`,
  }
  return run('webhook-shards', settings, { args: ['128'] })
}
/** The id of an application whose shard becomes another one. */
function idThatMoves(): string {
  const id = newId()
  return shardOf(id, 128) === shardOf(id, fewestShards) ? idThatMoves() : id
}
/** A transaction of a connection with this name. */
async function begin(name: string): Promise<SqlRunner & { commit(): Promise<void> }> {
  const client = new pg.Client({ connectionString: harness.url, application_name: name })
  await client.connect()
  await client.query('begin')
  return {
    ...onPool(client as unknown as pg.Pool),
    async commit() {
      await client.query('commit')
      await client.end()
    },
  }
}
async function lockEndpoint(on: SqlRunner, { id, organizationId }: TestEndpoint): Promise<void> {
  await on.sql('select from webhook_endpoint where organization_id = $1 and application_id = $2 for update', [
    organizationId,
    id,
  ])
}
function insertDue(on: SqlRunner, { id, organizationId, shard }: TestEndpoint): Promise<void> {
  const due = { shard, application_id: id, organization_key: organizationId, delivery_id: 'd1' }
  return insertRows(on, 'webhook_due', [due])
}
