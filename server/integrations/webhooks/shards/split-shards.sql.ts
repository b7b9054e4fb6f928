import type { CrossTenantTx } from '#platform/data/db.ts'
import { crossTenantSql } from '#platform/data/statement.ts'
import { dispatcherConnections, lockLayout, type ShardLayout } from './shard.sql.ts'

const why = 'shards hold the endpoints of all organizations'

const isHeld = `owner <> '' and lease_until >= (select clock_timestamp())`

export const readLayout = crossTenantSql<ShardLayout & { held_shards: number; dispatchers: number }>(
  why,
  `select min(shard_count) as shard_count, min(split_into) as split_into,
     count(*) filter (where ${isHeld})::int as held_shards,
     count(distinct owner) filter (where ${isHeld})::int as dispatchers
   from dispatch_shard`,
)

/** A shard while its row is locked. */
export type LockedShard = ShardLayout & {
  shard: number
  epoch: number
  crash_count: number
  is_held: boolean
  /** True if its owner knows how many shards there are. */
  is_owner_current: boolean
}
const selectShards = crossTenantSql<LockedShard>(
  why,
  `select shard, shard_count, split_into, epoch, crash_count, ${isHeld} as is_held,
     known_epoch = epoch as is_owner_current
   from dispatch_shard order by shard for update`,
)

/** Locks all shards: waits for who takes, renews or releases some, and for transactions that hold their number. */
export async function lockShards(tx: CrossTenantTx): Promise<LockedShard[]> {
  await tx.rows(lockLayout)
  return tx.rows(selectShards)
}

/** Asks the owners to release all shards. Those that expired are free. */
export const announceSplit = crossTenantSql<never, { splitInto: number; held: number[] }>(
  why,
  `update dispatch_shard set split_into = $splitInto,
     owner = case when shard = any($held::smallint[]) then owner else '' end`,
)
/** Ends all ownership of the existing shards, which are of another number from now on. */
export const renumberShards = crossTenantSql<never, { shardCount: number; epoch: number }>(
  why,
  `update dispatch_shard set shard_count = $shardCount, epoch = $epoch, owner = '', lease_until = '-infinity'`,
)
export const insertShards = crossTenantSql<
  never,
  { shardCount: number; epoch: number; shards: number[]; crashCounts: number[] }
>(
  why,
  `insert into dispatch_shard (shard, shard_count, split_into, epoch, crash_count)
   select n.shard, $shardCount, $shardCount, $epoch, n.crash_count
   from unnest($shards::smallint[], $crashCounts::smallint[]) as n (shard, crash_count)`,
)
/** From now on, dispatchers take the shards. */
export const endSplit = crossTenantSql<never, { shardCount: number }>(
  why,
  'update dispatch_shard set split_into = null where split_into = $shardCount',
)
/** The statements and transactions that dispatchers are running. A result may be written as of their beginning. */
export const dispatcherTransactions = crossTenantSql<{ id: string }>(
  why,
  `select pid || ' ' || xact_start as id from pg_stat_activity
   where datname = current_database() and application_name = '${dispatcherConnections}' and xact_start is not null`,
)

/** The rows that one statement reads, and moves to other shards. */
const chunkSize = 1_000

/** A row that stores the shard of an application. */
export type StoredShard = { application_id: string; shard: number }
export type EndpointShard = StoredShard & { organization_id: string }
export type RangeShard = StoredShard & { first_id: string }
export type DueShard = StoredShard & { delivery_id: string }

// the primary key
export const endpointsAfter = crossTenantSql<
  EndpointShard,
  { organizationId: string; applicationId: string }
>(
  why,
  `select e.organization_id, e.application_id, e.shard from webhook_endpoint e
   where (e.organization_id, e.application_id) > ($organizationId, $applicationId)
   order by e.organization_id, e.application_id limit ${chunkSize}`,
)
export const moveEndpoints = crossTenantSql<
  never,
  { organizationIds: string[]; applicationIds: string[]; shards: number[] }
>(
  why,
  `update webhook_endpoint e set shard = m.shard
   from unnest($organizationIds::text[], $applicationIds::text[], $shards::smallint[]) m (organization_id, application_id, shard)
   where e.organization_id = m.organization_id and e.application_id = m.application_id`,
)
// index webhook_new_range_key
export const rangesAfter = crossTenantSql<
  RangeShard,
  { shard: number; applicationId: string; firstId: string }
>(
  why,
  `select f.shard, f.application_id, f.first_id from webhook_new_range f
   where (f.shard, f.application_id, f.first_id) > ($shard, $applicationId, $firstId)
   order by f.shard, f.application_id, f.first_id limit ${chunkSize}`,
)
export const moveRanges = crossTenantSql<
  never,
  { formerShards: number[]; applicationIds: string[]; firstIds: string[]; shards: number[] }
>(
  why,
  `update webhook_new_range f set shard = m.shard
   from unnest($formerShards::smallint[], $applicationIds::text[], $firstIds::text[], $shards::smallint[])
     m (former_shard, application_id, first_id, shard)
   where f.shard = m.former_shard and f.application_id = m.application_id and f.first_id = m.first_id`,
)
// index webhook_due_key
export const dueAfter = crossTenantSql<DueShard, { applicationId: string; deliveryId: string }>(
  why,
  `select d.shard, d.application_id, d.delivery_id from webhook_due d
   where (d.application_id, d.delivery_id) > ($applicationId, $deliveryId)
   order by d.application_id, d.delivery_id limit ${chunkSize}`,
)
export const moveDue = crossTenantSql<
  never,
  { applicationIds: string[]; deliveryIds: string[]; shards: number[] }
>(
  why,
  `update webhook_due d set shard = m.shard
   from unnest($applicationIds::text[], $deliveryIds::text[], $shards::smallint[]) m (application_id, delivery_id, shard)
   where d.application_id = m.application_id and d.delivery_id = m.delivery_id`,
)
