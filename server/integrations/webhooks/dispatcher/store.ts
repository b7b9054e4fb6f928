import type { AttemptRecord } from '#contract/integrations/deliveries.ts'
import { wideSql } from '#platform/db/statement.ts'
import type { About } from '#platform/emit.ts'
import { hasModule } from '#server/identity/index.ts'
import type { Outcome, Trigger } from './outcome.ts'

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
  about: About | null
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
     extract(epoch from d.due_at - now())::float8 * 1000 as "dueInMs", w.event, w.subject as about, w.body
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
     e.status = 'ACTIVE' and a.status = 'ACTIVE' and ${hasModule('integrations')} as "isOpen", e.max_per_second as "maxPerSecond", a.scopes,
     (select coalesce(json_agg(json_build_object('id', s.id, 'sealed', s.sealed, 'state', s.state)), '[]')
      from webhook_secret s where s.organization_id = e.organization_id and s.application_id = e.application_id
        and s.state in ('CURRENT', 'PREPARED')) as secrets,
     e.failing_since is not null as "isFailing"
   from unnest($1::text[], $2::text[]) l (organization_id, application_id)
   join webhook_endpoint e on e.organization_id = l.organization_id and e.application_id = l.application_id
   join application a on a.organization_id = e.organization_id and a.id = e.application_id
   join organization o on o.id = e.organization_id`,
)

/** What came of an attempt that is recorded. `waitMs` is null at its end, `record` when nothing was sent. */
export type SettleRow = {
  shard: number
  epoch: number
  organizationId: string
  applicationId: string
  deliveryId: string
  attempt: number
  agoMs: number
  durationMs: number
  waitMs: number | null
  final: 'DELIVERED' | 'FAILED' | 'NOT_AUTHORIZED' | null
  outcome: Outcome | null
  status: number | null
  unsent: boolean
  record: AttemptRecord | null
}
/** The columns of `settle`: arrays of what needs no quotes, which cost half of what JSON does, and JSON of the records. */
const plain = [
  ...(['shard', 'epoch', 'organizationId', 'applicationId', 'deliveryId', 'attempt'] as const),
  ...(['agoMs', 'durationMs', 'waitMs', 'final', 'outcome', 'status', 'unsent'] as const),
]

type SettleArgs = [owner: string, from: string, to: string, size: number, ...columns: string[]]

/** The arguments of `settle`; one row at least. */
export function settleArgs(owner: string, rows: readonly SettleRow[]): SettleArgs {
  const ids = rows.map(({ deliveryId }) => deliveryId)
  const before = (a: string, b: string) => (a < b ? a : b)
  const after = (a: string, b: string) => (a > b ? a : b)
  return [
    ...([owner, ids.reduce(before), ids.reduce(after), rows.length] as const),
    ...plain.map(name => `{${rows.map(row => row[name] ?? 'NULL').join()}}`),
    JSON.stringify(rows.map(({ record }) => record)),
  ]
}

const isFirst = 'o.attempt = 1 and not o.unsent'
const startedAt = `clock_timestamp() - make_interval(secs => (o."agoMs" + o."durationMs") / 1000)`

/**
 * Records attempts and what follows them, all or nothing. A row counts only while its shard is ours in the same epoch
 * and the attempt is the one that is due: whoever was overtaken, and whatever was recorded before, writes nothing.
 * The next attempt is due by the clock of the database, `waitMs` after the end of this one, which was `agoMs` ago; the
 * column rounds to milliseconds, so one more keeps it from being early. `recorded` names those that count when they are
 * fewer than the `size` of the batch; null: all of them.
 */
export const settle = wideSql<{ recorded: string[] | null }, SettleArgs>(
  why,
  `with r as materialized (
     select r.* from rows from (
       unnest($5::smallint[], $6::bigint[], $7::text[], $8::text[], $9::text[], $10::smallint[], $11::float8[],
         $12::integer[], $13::integer[], $14::text[], $15::text[], $16::smallint[], $17::boolean[]),
       json_array_elements($18::json)
     ) as r(shard, epoch, "organizationId", "applicationId", "deliveryId", attempt, "agoMs",
       "durationMs", "waitMs", final, outcome, status, unsent, record)
     where ((r.shard, r.epoch) in (select s.shard, s.epoch from dispatch_shard s where s.owner = $1)) is true
   ), done as (
     delete from webhook_due d using r
     where r."waitMs" is null and d.application_id = r."applicationId" and d.delivery_id = r."deliveryId"
       and d.attempt = r.attempt
     returning r.*
   ), again as (
     update webhook_due d set attempt = d.attempt + 1, tries = d.tries + 1, starts = 0,
       due_at = clock_timestamp() + make_interval(secs => (r."waitMs" - r."agoMs" + 1) / 1000)
     from r
     where r."waitMs" is not null and d.application_id = r."applicationId" and d.delivery_id = r."deliveryId"
       and d.attempt = r.attempt
     returning r.*
   ), ours as materialized (
     select * from done union all select * from again
   ), told as (
     insert into webhook_attempt (organization_id, delivery_id, n, started_at, record)
     select o."organizationId", o."deliveryId", o.attempt, ${startedAt}, o.record
     from ours o where not o.unsent and o.attempt > 1
   ), closed as (
     update webhook_delivery w set status = case when o.final is null or w.status = 'DELIVERED' then w.status else o.final end,
       attempts = case when o.unsent then w.attempts else o.attempt end, outcome = o.outcome, last_status = o.status,
       finished_at = case when o.final is not null
         then clock_timestamp() - make_interval(secs => o."agoMs" / 1000) else w.finished_at end,
       first_started_at = case when ${isFirst} then ${startedAt} else w.first_started_at end,
       first_record = case when ${isFirst} then o.record else w.first_record end
     from ours o
     where w.organization_id = o."organizationId" and w.application_id = o."applicationId" and w.id = o."deliveryId"
       and w.id >= $2 and w.id <= $3
   )
   select case when count(*) < $4 then coalesce(json_agg("deliveryId"), '[]') end as recorded from ours`,
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

/** Counts that an attempt is begun, while its shard is ours. */
export const countStart = wideSql<
  { starts: number },
  [owner: string, shard: number, epoch: number, applicationId: string, deliveryId: string, attempt: number]
>(
  why,
  `update webhook_due d set starts = d.starts + 1 from dispatch_shard s
   where s.shard = $2 and s.owner = $1 and s.epoch = $3
     and d.application_id = $4 and d.delivery_id = $5 and d.attempt = $6
   returning d.starts`,
)
