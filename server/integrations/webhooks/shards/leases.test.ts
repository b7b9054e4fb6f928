import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Database } from '#platform/data/database.ts'
import { newId } from '#platform/ids.ts'
import { openWebhookHarness, type WebhookHarness } from '#tests/support/integrations/webhook-harness.ts'
import { until } from '#tests/support/processes.ts'
import { insertRows, secondsAgo } from '#tests/support/rows.ts'
import { log } from '#tests/support/stream-app.ts'
import { openDispatchDatabase } from '../engine.ts'
import { type Leases, openLeases } from './leases.ts'
import { splitShards } from './split-shards.ts'

let harness: WebhookHarness
let database: Database
let open: Leases[]
beforeEach(async () => {
  harness = await openWebhookHarness()
  database = await openDispatchDatabase(harness.url, log)
  open = []
})
afterEach(async () => {
  await Promise.all(open.map(leases => leases.close()))
  await database.close()
  await harness.close()
})

function start(leaseMs = 3_000): Leases {
  const leases = openLeases({
    database,
    owner: newId(),
    log,
    leaseMs,
    onGained() {},
    onLost() {},
    isIdle: () => true,
  })
  open.push(leases)
  return leases
}
const shares = () => open.map(leases => leases.shards().length).sort((one, other) => one - other)
const split = (count: number) => splitShards(database, count, () => {})

it('more than 64 dispatchers all own shards, when there are more than 64', async () => {
  await split(128)
  // a lease that outlasts the start of all on a busy machine
  for (let n = 0; n < 70; n++) start(30_000)
  await until(
    'all own shards',
    () => shares().join() === [...Array(12).fill(1), ...Array(58).fill(2)].join(),
    60_000,
  )
  const owned = open.flatMap(leases => leases.shards())
  expect(owned.sort((one, other) => one - other)).toEqual([...Array(128).keys()])
})

it('a shard that was taken without an answer is owned as soon as it is renewed', async () => {
  const leases = start(600)
  await until('it owns all', () => leases.shards().length === 64)
  // as by a statement that was committed when its connection broke
  await harness.sql('update dispatch_shard set epoch = epoch + 1, known_epoch = epoch + 1 where shard = 7')
  const [{ epoch } = { epoch: 0 }] = await harness.sql<{ epoch: string }>(
    'select epoch from dispatch_shard where shard = 7',
  )
  await until('it sends for the shard', () => leases.epochOf(7) === Number(epoch))
})

it('a process that does not know the number of shards owns none and is not counted', async () => {
  await split(128)
  // as version 0.1.0 does
  await insertRows(harness, 'dispatch_node', [{ id: 'old', seen_until: secondsAgo(-60) }])
  const take = harness.sql(
    `update dispatch_shard set owner = 'old', epoch = epoch + 1, lease_until = clock_timestamp() + interval '1 minute'
     where shard in (select shard from dispatch_shard where lease_until < clock_timestamp() limit 32 for update skip locked)`,
  )
  await expect(take).rejects.toThrow('dispatch_shard_known')
  const leases = start()
  await until('it owns all', () => leases.shards().length === 128)
  expect(leases.shardOf('b')).toBe(121)
})
