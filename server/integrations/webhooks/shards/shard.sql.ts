import type { CrossTenantTx, Tx } from '#platform/data/db.ts'
import { zeroFromOneNode } from '#platform/data/organization-lock.ts'
import { crossTenantSql } from '#platform/data/statement.ts'

const why = 'shards hold the endpoints of all organizations'

/** The name of the connections of dispatchers. */
export const dispatcherConnections = 'patio dispatcher'

/** No lease ends later, unless the clock of the database was set back. Owners renew theirs each second. */
const longestLease = "interval '1 minute'"

/** A shard that this process owns. */
export type LeasedShard = { shard: number; epoch: number; crash_count: number }

/** The leases of this process, the number of shards, and the rank of this process among the dispatchers that can own a shard. */
export type RenewedLeases = {
  shards: LeasedShard[]
  shard_count: number
  is_splitting: boolean
  nodes: number
  rank: number
}

/** Renews the leases of this process and counts the dispatchers. An owner of 10 seconds resets the crash count. */
export const renewLeases = crossTenantSql<
  RenewedLeases,
  { owner: string; seconds: number; maxShards: number }
>(
  why,
  `with me as (
     insert into dispatch_node (id, seen_until, max_shards)
     values ($owner, clock_timestamp() + make_interval(secs => $seconds), $maxShards)
     on conflict (id) do update set seen_until = excluded.seen_until
   ), gone as (
     delete from dispatch_node where id <> $owner and seen_until not between
       (select clock_timestamp()) - interval '1 minute' and (select clock_timestamp()) + ${longestLease}
   ), ours as (
     update dispatch_shard set lease_until = (select clock_timestamp()) + make_interval(secs => $seconds),
       crash_count = crash_count * (taken_at >= (select clock_timestamp()) - interval '10 seconds')::integer
     where owner = $owner
     returning shard, epoch, crash_count
   )
   select l.shard_count, l.split_into is not null as is_splitting, other.count + 1 as nodes,
     other.earlier as rank,
     (select coalesce(json_agg(json_build_object('shard', shard, 'epoch', epoch, 'crash_count', crash_count)), '[]') from ours) as shards
   from dispatch_shard l
   cross join lateral (
     select count(*)::int as count, count(*) filter (where n.id < $owner)::int as earlier from dispatch_node n
     where n.id <> $owner and n.seen_until > clock_timestamp() and n.max_shards >= l.shard_count) other
   where l.shard = 0`,
)
/**
 * Takes shards without an owner, or whose owner disappeared before the clock was set back. Takes none if their number is not
 * `shardCount`, or while they are split.
 */
export const takeShards = crossTenantSql<
  LeasedShard,
  { owner: string; seconds: number; most: number; shardCount: number }
>(
  why,
  `update dispatch_shard set owner = $owner, epoch = epoch + 1, known_epoch = epoch + 1,
     lease_until = (select clock_timestamp()) + make_interval(secs => $seconds), taken_at = (select clock_timestamp()),
     crash_count = case when owner in ('', $owner) then crash_count else least(crash_count + 1, 100) end
   where shard in (
     select shard from dispatch_shard
     where shard_count = $shardCount and split_into is null
       and (lease_until < (select clock_timestamp()) or lease_until > (select clock_timestamp()) + ${longestLease})
     order by lease_until, shard limit $most
     for update skip locked)
   returning shard, epoch, crash_count`,
)
export const releaseShards = crossTenantSql<never, { owner: string; shards: number[] }>(
  why,
  `update dispatch_shard set owner = '', lease_until = '-infinity' where owner = $owner and shard = any($shards)`,
)
export const deleteNode = crossTenantSql<never, { owner: string }>(
  why,
  'delete from dispatch_node where id = $owner',
)

/** The shards as a whole. `split_into` is null unless they are being split. */
export type ShardLayout = { shard_count: number; split_into: number | null }

/**
 * The lock of the layout of the shards. Any number of transactions that rely on the layout share it. It is not the lock of a row, because
 * two transactions cannot share a row of a table that every node of Citus has.
 */
export const layoutLock = `hashtextextended('shards of the dispatcher', ${zeroFromOneNode})`
const shareLayout = crossTenantSql<never>(why, `select pg_advisory_xact_lock_shared(${layoutLock})`)
export const lockLayout = crossTenantSql<never>(why, `select pg_advisory_xact_lock(${layoutLock})`)
const selectLayout = crossTenantSql<ShardLayout>(
  why,
  'select shard_count, split_into from dispatch_shard where shard = 0',
)

/**
 * The number of shards and the split that is in progress, which stay until the transaction ends. Transactions that write a shard hold
 * them, so that none is left with a former shard when the rows are rewritten. Does not block the renewal of leases.
 */
export async function holdLayout(tx: Tx | CrossTenantTx): Promise<ShardLayout> {
  await tx.rows(shareLayout)
  return tx.one(selectLayout)
}
