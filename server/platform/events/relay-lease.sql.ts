import { zeroFromOneNode } from '../data/organization-lock.ts'
import { crossTenantSql, oneServerLock } from '../data/statement.ts'

const crossTenantReason = 'a lease of the relay covers many organizations'

/** The number of shards of the outbox, which leases are made of. The database alone computes the shard of a row. */
export const outboxShards = 64
/** The shard of an outbox row. */
export const shardOfRow = `(hashtextextended(organization_id, 0) & 63)`

/** The index that serves the rows of a shard, for a relay with several leases. Runs outside a transaction, like the next one. */
export const createShardIndex = `create index concurrently if not exists outbox_shard on outbox (${shardOfRow}, created_at, id)`
export const dropShardIndex = 'drop index concurrently if exists outbox_shard'
/** The same index, if its build was interrupted: it costs writes and serves nobody. */
export const unfinishedShardIndex = `select from pg_index where indexrelid = to_regclass('outbox_shard') and not indisvalid`

/**
 * Taking a lease adds this to its fence. The fences of the leases begin with different remainders, so no two leases ever have the
 * same fence, and a fence alone says which lease it belongs to.
 */
export const fenceStep = 64

/** Every write of the relay changes no row unless all of its leases are still its own. `$fences` are their fences. */
export const areCurrentFences = `(select count(*) from relay_lease where fence = any($fences::bigint[]))
  = cardinality($fences::bigint[])`

/**
 * The arguments of the advisory lock of a lease, which has the same one under all its fences. Transactions of the relay share the lock of
 * each lease that they use, and a process that takes a lease has it alone. On one server the rows are locked as well, because processes of
 * version 0.1.0 lock nothing else. On Citus two transactions cannot share a row of a table that every node has.
 */
const lockOf = (fence: string) =>
  `hashtext('lease of the relay'), (${fence} % ${fenceStep})::int + ${zeroFromOneNode}::int`

/** A lease that a process holds, or held. */
export type HeldLease = { name: string; fence: number }

/** The order in which a transaction locks several leases and waits for them. */
const leaseOrder = 'name collate "C"'
const moment = '(select clock_timestamp())'
const expiry = `${moment} + make_interval(secs => $seconds)`

/**
 * Renews the leases of a process (`fences`), and takes others: free ones up to an equal share, and one after the other of those
 * processes that have at least two more. A lease is free when it has expired, was released, or the connection of its holder is gone.
 * Taking a held lease is safe, because its fence changes. Does not wait for a holder that is writing: `isBusy` says that a wanted lease
 * could not be taken for this reason. Renews first, so that it waits for nobody while it holds locks of others.
 */
export const renewAndTakeLeases = crossTenantSql<
  { leases: HeldLease[]; isBusy: boolean },
  { fences: readonly number[]; holder: string; seconds: number }
>(
  crossTenantReason,
  `with own as (
     select fence from relay_lease where fence = any($fences::bigint[]) order by ${leaseOrder} ${oneServerLock('for update')}
   ), renewed as (
     update relay_lease l set expires_at = ${expiry} from own o where l.fence = o.fence returning l.name, l.fence
   ), lease as (
     select name, fence, holder, fence = any($fences::bigint[]) as is_own, fence <> all($fences::bigint[]) and (
       expires_at < ${moment}
       or not exists (select from pg_stat_activity a where a.application_name = relay_lease.holder)) as is_free
     from relay_lease
   ), share as (
     select count(*) as leases, count(*) filter (where is_own) as own,
       count(distinct holder) filter (where not is_own and not is_free) + 1 as holders
     from lease
   ), other as (
     select fence, is_free,
       row_number() over (partition by is_free, case when not is_free then holder end order by fence) as rank
     from lease where not is_own
   ), wanted as (
     select o.fence from other o cross join share s
     where case when o.is_free then s.own * s.holders < s.leases else o.rank >= s.own + 2 end
     order by o.is_free desc, o.rank desc
     limit (select greatest(1, leases / holders - own) from share)
   ), unused as (
     select fence from wanted where pg_try_advisory_xact_lock(${lockOf('fence')})
   ), idle as (
     select fence from relay_lease where fence = any(array(select fence from unused)) ${oneServerLock('for update skip locked')}
   ), taken as (
     update relay_lease l set fence = l.fence + ${fenceStep}, holder = $holder, expires_at = ${expiry}
     from idle i where l.fence = i.fence
     returning l.name, l.fence
   ), held as (
     select * from renewed union all select * from taken
   )
   select (select coalesce(json_agg(json_build_object('name', name, 'fence', fence)), '[]') from held) as leases,
     (select count(*) from wanted) > (select count(*) from taken) as "isBusy"`,
)
export const releaseLeases = crossTenantSql<never, { fences: readonly number[] }>(
  crossTenantReason,
  `update relay_lease set expires_at = ${moment}, holder = '' where fence = any($fences::bigint[])`,
)
/** The first statement of each of the relay's transactions: nobody can take these leases before it ends. */
export const shareLeases = crossTenantSql<never, { fences: readonly number[] }>(
  crossTenantReason,
  `select pg_advisory_xact_lock_shared(${lockOf('f.fence')}) from unnest($fences::bigint[]) f (fence)
   order by f.fence % ${fenceStep}`,
)
/**
 * The second one, which sees what was committed before the leases were shared: how many of them are still the relay's own. The outbox is
 * vacuumed while it is empty, and may hold a backlog of any size later. A plan for the one takes minutes for the other, so the following
 * statements are planned again.
 */
export const holdLeases = crossTenantSql<{ count: number }, { fences: readonly number[] }>(
  crossTenantReason,
  `with held as (
     select fence from relay_lease where fence = any($fences::bigint[]) order by ${leaseOrder} ${oneServerLock('for share')})
   select count(*)::int as count, set_config('plan_cache_mode', 'force_custom_plan', true) from held`,
)

/** All leases, in the order of their shards. */
export const listLeases = crossTenantSql<{ name: string; holder: string | null }>(
  crossTenantReason,
  `select name, case when expires_at >= clock_timestamp() and holder <> '' then holder end as holder
   from relay_lease order by fence % ${fenceStep}`,
)
/** One layout is written after the other. */
export const awaitOtherLayout = crossTenantSql<never>(
  crossTenantReason,
  `select pg_advisory_xact_lock(hashtextextended('layout of the relay', 0))`,
)
/** Waits for the batches in flight, which hold their leases. The leases stay as they are then. */
export const lockLeases = crossTenantSql<never>(
  crossTenantReason,
  `select pg_advisory_xact_lock(${lockOf('n')}) from generate_series(0, ${fenceStep - 1}) n order by n`,
)
export const readLeases = crossTenantSql<{ fence: number }>(
  crossTenantReason,
  `select fence from relay_lease order by ${leaseOrder} ${oneServerLock('for update')}`,
)
export const deleteLeases = crossTenantSql<never>(crossTenantReason, 'delete from relay_lease')
export const insertLeases = crossTenantSql<never, { names: string[]; fences: number[] }>(
  crossTenantReason,
  `insert into relay_lease (name, fence, holder, expires_at)
   select n.name, n.fence, '', clock_timestamp() from unnest($names::text[], $fences::bigint[]) as n (name, fence)`,
)
