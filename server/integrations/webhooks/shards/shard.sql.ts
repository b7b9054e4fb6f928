import { crossTenantSql } from '#platform/data/statement.ts'

const why = 'shards hold the endpoints of all organizations'

/** No lease ends later, unless the clock of the database was set back. Owners renew theirs each second. */
const longestLease = "interval '1 minute'"

/** A shard that this process owns. */
export type LeasedShard = { shard: number; epoch: number; crashCount: number }

/** Renews the leases of this process and counts the dispatchers. An owner of 10 seconds resets the crash count. */
export const renewLeases = crossTenantSql<
  { nodes: number; shards: LeasedShard[] },
  { owner: string; seconds: number }
>(
  why,
  `with me as (
     insert into dispatch_node (id, seen_until) values ($owner, clock_timestamp() + make_interval(secs => $seconds))
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
   select (select 1 + count(*)::int from dispatch_node
     where id <> $owner and seen_until > clock_timestamp()) as nodes,
     (select coalesce(json_agg(json_build_object('shard', shard, 'epoch', epoch, 'crashCount', crash_count)), '[]') from ours) as shards`,
)
/** Takes shards without an owner, or whose owner disappeared before the clock was set back. */
export const takeShards = crossTenantSql<LeasedShard, { owner: string; seconds: number; most: number }>(
  why,
  `update dispatch_shard set owner = $owner, epoch = epoch + 1,
     lease_until = (select clock_timestamp()) + make_interval(secs => $seconds), taken_at = (select clock_timestamp()),
     crash_count = case when owner in ('', $owner) then crash_count else least(crash_count + 1, 100) end
   where shard in (
     select shard from dispatch_shard
     where lease_until < (select clock_timestamp()) or lease_until > (select clock_timestamp()) + ${longestLease}
     order by lease_until, shard limit $most
     for update skip locked)
   returning shard, epoch, crash_count as "crashCount"`,
)
export const releaseShards = crossTenantSql<never, { owner: string; shards: number[] }>(
  why,
  `update dispatch_shard set owner = '', lease_until = '-infinity' where owner = $owner and shard = any($shards)`,
)
export const deleteNode = crossTenantSql<never, { owner: string }>(
  why,
  'delete from dispatch_node where id = $owner',
)
