import { wideSql } from '#platform/db/statement.ts'
import type { Trigger } from './outcome.ts'

const why = 'a dispatcher sends for the endpoints of all organizations whose shards it leases'

/** A notice that is due, with what is sent. `dueInMs` counts from the moment the statement ran. */
export type DueRow = {
  shard: number
  applicationId: string
  organizationId: string
  deliveryId: string
  attempt: number
  tries: number
  trigger: Trigger
  dueInMs: number
  dueAt: string
  /** Null when its delivery is gone. */
  event: string | null
  body: string | null
}
/** Where an application is told, and whether it may be now. */
export type EndpointRow = {
  organizationId: string
  applicationId: string
  shard: number
  url: string
  isOpen: boolean
  maxPerSecond: number | null
  scopes: string[]
  secrets: { id: string; sealed: string; state: string }[]
  isFailing: boolean
}

/** The applications that have something due within a second, one look at the index for each. */
export const withWork = wideSql<
  { shard: number; applicationId: string; organizationId: string },
  [shards: number[]]
>(
  why,
  `with recursive walk as (
     select s.shard, f.* from unnest($1::smallint[]) s (shard) cross join lateral (
       select d.application_id, d.organization_key, d.due_at from webhook_due d where d.shard = s.shard
       order by d.application_id, d.due_at, d.delivery_id limit 1) f
     union all
     select w.shard, n.* from walk w cross join lateral (
       select d.application_id, d.organization_key, d.due_at from webhook_due d
       where d.shard = w.shard and d.application_id > w.application_id
       order by d.application_id, d.due_at, d.delivery_id limit 1) n
   )
   select shard, application_id as "applicationId", organization_key as "organizationId" from walk
   where due_at <= now() + interval '1 second'`,
)

/** What is due next of some applications, after a place in each; `inHand` are left out. */
export const nextDue = wideSql<
  DueRow,
  [
    shards: number[],
    applicationIds: string[],
    dueAfter: string[],
    idsAfter: string[],
    most: number[],
    inHand: string[],
  ]
>(
  why,
  `select d.shard, d.application_id as "applicationId", d.organization_key as "organizationId",
     d.delivery_id as "deliveryId", d.attempt, d.tries, d.trigger, d.due_at as "dueAt",
     extract(epoch from d.due_at - now())::float8 * 1000 as "dueInMs", w.event, w.body
   from unnest($1::smallint[], $2::text[], $3::timestamptz[], $4::text[], $5::integer[])
     l (shard, application_id, due_after, id_after, most)
   cross join lateral (
     select * from webhook_due d
     where d.shard = l.shard and d.application_id = l.application_id
       and (d.due_at, d.delivery_id) > (l.due_after, l.id_after)
       and d.due_at <= now() + interval '1 second' and d.delivery_id <> all ($6::text[])
     order by d.due_at, d.delivery_id limit l.most) d
   left join webhook_delivery w
     on w.organization_id = d.organization_key and w.application_id = d.application_id and w.id = d.delivery_id`,
)

/** The endpoints of some applications as they are now. One that is missing is gone. */
export const endpointsOf = wideSql<EndpointRow, [organizationIds: string[], applicationIds: string[]]>(
  why,
  `select e.organization_id as "organizationId", e.application_id as "applicationId", e.shard, e.url,
     e.status = 'ACTIVE' and a.status = 'ACTIVE' as "isOpen", e.max_per_second as "maxPerSecond", a.scopes,
     (select coalesce(json_agg(json_build_object('id', s.id, 'sealed', s.sealed, 'state', s.state)), '[]')
      from webhook_secret s where s.organization_id = e.organization_id and s.application_id = e.application_id
        and s.state in ('CURRENT', 'PREPARED')) as secrets,
     e.failing_since is not null as "isFailing"
   from unnest($1::text[], $2::text[]) l (organization_id, application_id)
   join webhook_endpoint e on e.organization_id = l.organization_id and e.application_id = l.application_id
   join application a on a.organization_id = e.organization_id and a.id = e.application_id`,
)

/**
 * Records attempts and what follows them, all or nothing. A row counts only while its shard is ours in the same epoch
 * and the attempt is the one that is due: whoever was overtaken, and whatever was recorded before, writes nothing.
 * The next attempt is due by the clock of the database, `waitMs` after the end of this one, which was `agoMs` ago; the
 * column rounds to milliseconds, so one more keeps it from being early.
 */
export const settle = wideSql<
  { deliveryId: string },
  [owner: string, rows: string, from: string, to: string]
>(
  why,
  `with r as materialized (
     select r.* from json_to_recordset($2::json) as r(
       shard smallint, epoch bigint, "organizationId" text, "applicationId" text, "deliveryId" text, attempt smallint,
       trigger text, "agoMs" float8, "durationMs" integer, "waitMs" integer, final text, outcome text, status smallint,
       answer text, headers json, times json, address text, "secretId" text, error text, unsent boolean)
     join dispatch_shard s on s.shard = r.shard and s.owner = $1 and s.epoch = r.epoch
   ), done as (
     delete from webhook_due d using r
     where r."waitMs" is null and d.application_id = r."applicationId" and d.delivery_id = r."deliveryId"
       and d.attempt = r.attempt
     returning r.*
   ), again as (
     update webhook_due d set attempt = d.attempt + 1, tries = d.tries + 1,
       due_at = clock_timestamp() + make_interval(secs => (r."waitMs" - r."agoMs" + 1) / 1000)
     from r
     where r."waitMs" is not null and d.application_id = r."applicationId" and d.delivery_id = r."deliveryId"
       and d.attempt = r.attempt
     returning r.*
   ), ours as materialized (
     select * from done union all select * from again
   ), told as (
     insert into webhook_attempt (organization_id, delivery_id, n, trigger, started_at, duration_ms, timings, outcome,
       status, answer, answer_headers, address, secret_id, error)
     select o."organizationId", o."deliveryId", o.attempt, o.trigger,
       clock_timestamp() - make_interval(secs => (o."agoMs" + o."durationMs") / 1000), o."durationMs", o.times, o.outcome,
       o.status, o.answer, o.headers, o.address, o."secretId", o.error
     from ours o where not o.unsent
     on conflict do nothing
   ), closed as (
     update webhook_delivery w set status = case when o.final is null or w.status = 'DELIVERED' then w.status else o.final end,
       attempts = case when o.unsent then w.attempts else o.attempt end, outcome = o.outcome, last_status = o.status,
       finished_at = case when o.final is not null
         then clock_timestamp() - make_interval(secs => o."agoMs" / 1000) else w.finished_at end
     from ours o
     where w.organization_id = o."organizationId" and w.application_id = o."applicationId" and w.id = o."deliveryId"
       and w.id >= $3 and w.id <= $4
   )
   select "deliveryId" from ours`,
)

/** Notices whose delivery or endpoint is gone are not due any more. */
export const forgetDue = wideSql<never, [applicationIds: string[], deliveryIds: string[]]>(
  why,
  `delete from webhook_due d using unnest($1::text[], $2::text[]) g (application_id, delivery_id)
   where d.application_id = g.application_id and d.delivery_id = g.delivery_id`,
)
export const forgetDueOf = wideSql<never, [shard: number, applicationId: string]>(
  why,
  `with gone as (
     delete from webhook_due where (application_id, delivery_id) in (
       select application_id, delivery_id from webhook_due where shard = $1 and application_id = $2
       order by due_at, delivery_id limit 1000)
     returning organization_key, application_id, delivery_id
   )
   update webhook_delivery w set status = 'CANCELLED', finished_at = now() from gone g
   where w.organization_id = g.organization_key and w.application_id = g.application_id and w.id = g.delivery_id
     and w.status = 'PENDING'`,
)

/** What attempts say of endpoints since the last time: in one row each, at most once a second. */
export type HealthRow = {
  organizationId: string
  applicationId: string
  hasDelivered: boolean
  /** Since the last success. */
  failedAttempts: number
  failedDeliveries: number
  isGone: boolean
}
// as they will be: also read again by an update that waited for another one
const since = `case when h."failedAttempts" = 0 then case when h."hasDelivered" then null else e.failing_since end
  when h."hasDelivered" then now() else coalesce(e.failing_since, now()) end`
const failed = `case when h."hasDelivered" then 0 else e.failed_in_row end + h."failedDeliveries"`
const isOver = `e.status = 'ACTIVE' and ${failed} >= $2 and ${since} <= now() - make_interval(mins => $3)`

/** Notes the health of endpoints and holds those that failed for too long. Tells which it has held. */
export const noteHealth = wideSql<
  { applicationId: string; isHeld: boolean },
  [rows: string, holdDeliveries: number, holdMinutes: number]
>(
  why,
  `update webhook_endpoint e set failing_since = ${since}, failed_in_row = ${failed},
     gone_at = case when h."isGone" then now() when h."hasDelivered" then null else e.gone_at end,
     last_delivered_at = case when h."hasDelivered" then now() else e.last_delivered_at end,
     status = case when ${isOver} then 'HELD' else e.status end,
     held_reason = case when ${isOver} then 'FAILING' else e.held_reason end,
     held_at = case when ${isOver} then now() else e.held_at end
   from json_to_recordset($1::json) as h(
     "organizationId" text, "applicationId" text, "hasDelivered" boolean, "failedAttempts" integer,
     "failedDeliveries" integer, "isGone" boolean)
   where e.organization_id = h."organizationId" and e.application_id = h."applicationId"
   returning e.application_id as "applicationId",
     e.status = 'HELD' and e.held_reason = 'FAILING' and e.held_at = now()::timestamptz(3) as "isHeld"`,
)

/** A sign of life: renews the shards that are ours and counts the dispatchers. */
export const beat = wideSql<
  { nodes: number; shards: { shard: number; epoch: number }[] },
  [owner: string, seconds: number]
>(
  why,
  `with me as (
     insert into dispatch_node (id, seen_until) values ($1, clock_timestamp() + make_interval(secs => $2))
     on conflict (id) do update set seen_until = excluded.seen_until
   ), gone as (
     delete from dispatch_node where seen_until < clock_timestamp() - interval '1 minute'
   ), ours as (
     update dispatch_shard set lease_until = clock_timestamp() + make_interval(secs => $2) where owner = $1
     returning shard, epoch
   )
   select (select 1 + count(*)::int from dispatch_node where id <> $1 and seen_until > clock_timestamp()) as nodes,
     (select coalesce(json_agg(json_build_object('shard', shard, 'epoch', epoch)), '[]') from ours) as shards`,
)
/** Takes some shards that nobody holds. */
export const takeShards = wideSql<
  { shard: number; epoch: number },
  [owner: string, seconds: number, most: number]
>(
  why,
  `update dispatch_shard set owner = $1, epoch = epoch + 1, lease_until = clock_timestamp() + make_interval(secs => $2)
   where shard in (
     select shard from dispatch_shard where lease_until < clock_timestamp() order by lease_until, shard limit $3
     for update skip locked)
   returning shard, epoch`,
)
export const giveShardsBack = wideSql<never, [owner: string, shards: number[]]>(
  why,
  `update dispatch_shard set owner = '', lease_until = '-infinity' where owner = $1 and shard = any($2)`,
)
export const leave = wideSql<never, [owner: string]>(why, 'delete from dispatch_node where id = $1')
