import { crossTenantSql } from '#platform/data/statement.ts'
import type { EventSubject } from '#platform/events/emit.ts'
import { everyDue, firstDueSql, isInRange, isUnattempted } from '../../due.sql.ts'
import type { DeliveryTrigger } from '../../due-delivery.ts'

const why = 'a dispatcher sends for all organizations whose shards it leases'

/** The pause between two looks for due deliveries while a dispatcher has no queue: the longest one. */
export const idlePollMs = 2_000
/** How far a look looks ahead: past the next one, which comes later when the database is slow. */
const lookAheadSeconds = (idlePollMs + 1_000) / 1_000
const isNearlyDue = `due_at <= now() + interval '${lookAheadSeconds} seconds'`

/** Applications with a delivery that is due before the next look, or soon after it. */
export const selectWithWork = crossTenantSql<
  { shard: number; application_id: string; organization_key: string },
  { shards: number[] }
>(
  why,
  `with recursive ${firstDueSql('unnest($shards::smallint[]) s (shard)')}
   select distinct shard, application_id, organization_key from first
   where ${isNearlyDue}`,
  {
    onCitus: `select distinct shard, application_id, organization_key
      from (${everyDue}) f where shard = any($shards::smallint[]) and ${isNearlyDue}`,
  },
)

/** A due delivery with its body. */
type DueContent = {
  shard: number
  application_id: string
  organization_key: string
  /** Null if the range has no other delivery to send. */
  delivery_id: string | null
  /** Null if the delivery no longer exists. */
  event: string | null
  about: EventSubject | null
  body: string | null
}
type Range = { first_id: string; last_id: string }
type Schedule = {
  attempt: number
  retries: number
  trigger: DeliveryTrigger
  /** From the time of the statement. */
  due_in_ms: number
}
/** A row of webhook_due. */
export type ScheduledRow = DueContent & Schedule & { due_at: string }
/** A delivery without an attempt that a row of webhook_new_range covers. */
export type UnattemptedRow = DueContent & Range
/** One or the other. */
export type OrderedRow = DueContent & Schedule & { [Name in keyof Range]: string | null }
export type DueRow = ScheduledRow | UnattemptedRow | OrderedRow

/** Columns of a due delivery `n` of an application. */
const content = (
  delivery: string,
  application = 'l',
) => `${application}.shard, ${application}.application_id, n.organization_key, n.id as delivery_id,
     ${delivery}.event, ${delivery}.subject as about, ${delivery}.body`
const range = 'n.first_id, n.last_id'
const schedule = `n.attempt, n.retries, n.trigger, extract(epoch from n.due_at - now())::float8 * 1000 as due_in_ms`
const joinDelivery = `left join webhook_delivery w
     on w.organization_id = n.organization_key and w.application_id = l.application_id and w.id = n.id`
/** Columns of `n`: of a row `d` of webhook_due, and of a delivery `u` that a range `f` covers. */
const scheduledColumns = `d.organization_key, null as first_id, null as last_id, d.delivery_id as id,
  d.attempt, d.retries, d.trigger, d.due_at`
const unattemptedColumns = 'f.organization_key, f.first_id, f.last_id, u.id'
const firstAttempt = `1::smallint as attempt, 0::smallint as retries, 'AUTOMATIC' as trigger, f.written_at as due_at`
const isNotLoaded = (id: string) => `${id} not in (select unnest($loadedIds::text[]))`
const isDueSoon = `d.due_at <= now() + interval '1 second'`

type LoadArgs = { shards: number[]; applicationIds: string[]; most: number[]; loadedIds: string[] }

/** The next rows of webhook_due of some applications, each after a cursor and without `loadedIds`. */
export const nextScheduled = crossTenantSql<
  ScheduledRow,
  LoadArgs & { dueAfter: string[]; idsAfter: string[] }
>(
  why,
  `select ${content('w')}, ${schedule}, n.due_at
   from unnest($shards::smallint[], $applicationIds::text[], $dueAfter::timestamptz[], $idsAfter::text[],
     $most::integer[])
     l (shard, application_id, due_after, id_after, most)
   cross join lateral (
     select ${scheduledColumns} from webhook_due d
     where d.shard = l.shard and d.application_id = l.application_id
       and (d.due_at, d.delivery_id) > (l.due_after, l.id_after)
       and ${isDueSoon} and ${isNotLoaded('d.delivery_id')}
     order by d.due_at, d.delivery_id limit l.most) n
   ${joinDelivery}`,
  {
    // all rows of an application are on one node, which numbers them
    onCitus: `select ${content('w', 'n')}, ${schedule}, n.due_at
      from (
        select l.shard, l.application_id, l.most, ${scheduledColumns},
          row_number() over (partition by d.organization_key, d.application_id order by d.due_at, d.delivery_id) as place
        from webhook_due d
        join unnest($shards::smallint[], $applicationIds::text[], $dueAfter::timestamptz[], $idsAfter::text[],
          $most::integer[]) l (shard, application_id, due_after, id_after, most)
          on d.shard = l.shard and d.application_id = l.application_id
        where (d.due_at, d.delivery_id) > (l.due_after, l.id_after) and ${isDueSoon}
          and ${isNotLoaded('d.delivery_id')}) n
      left join webhook_delivery w
        on w.organization_id = n.organization_key and w.application_id = n.application_id and w.id = n.id
      where n.place <= n.most`,
  },
)

/** The next deliveries without an attempt of some applications, each after a cursor and without `loadedIds`. */
export const nextUnattempted = crossTenantSql<
  UnattemptedRow,
  LoadArgs & { rangesFrom: string[]; idsAfter: string[] }
>(
  why,
  `select ${content('n')}, ${range}
   from unnest($shards::smallint[], $applicationIds::text[], $rangesFrom::text[], $idsAfter::text[], $most::integer[])
     l (shard, application_id, range_from, id_after, most)
   cross join lateral (
     select ${unattemptedColumns}, u.event, u.subject, u.body from webhook_new_range f
     left join lateral (
       select w.id, w.event, w.subject, w.body from webhook_delivery w
       where ${isInRange} and w.id > l.id_after and ${isNotLoaded('w.id')} and ${isUnattempted}
       order by w.id limit l.most) u on true
     where f.shard = l.shard and f.application_id = l.application_id and f.first_id >= l.range_from
     order by f.first_id, u.id limit l.most) n`,
  {
    onCitus: `select ${content('n', 'n')}, ${range}
      from (
        select l.shard, l.application_id, l.most, f.organization_key, f.first_id, f.last_id,
          w.id, w.event, w.subject, w.body,
          row_number() over (partition by f.organization_key, f.application_id order by f.first_id, w.id) as place
        from webhook_new_range f
        join unnest($shards::smallint[], $applicationIds::text[], $rangesFrom::text[], $idsAfter::text[],
          $most::integer[]) l (shard, application_id, range_from, id_after, most)
          on f.shard = l.shard and f.application_id = l.application_id
        left join (
          select v.organization_id, v.application_id, v.id, v.event, v.subject, v.body from webhook_delivery v
          left join webhook_due u on u.organization_key = v.organization_id and u.application_id = v.application_id
            and u.delivery_id = v.id
          where v.status = 'PENDING' and v.attempts = 0 and u.delivery_id is null and ${isNotLoaded('v.id')}) w
          on ${isInRange} and w.id > l.id_after
        where f.first_id >= l.range_from) n
      where n.place <= n.most`,
  },
)

/**
 * The next deliveries of some ordered endpoints, without `loadedIds`: automatic ones in the order of their ids, whenever
 * they are due, and manual retries and recoveries that are due now.
 */
export const nextOrdered = crossTenantSql<OrderedRow, LoadArgs>(
  why,
  `select ${content('w')}, ${range}, ${schedule}
   from unnest($shards::smallint[], $applicationIds::text[], $most::integer[]) l (shard, application_id, most)
   cross join lateral (
     (select * from (
       (select ${scheduledColumns} from webhook_due d
        where d.application_id = l.application_id and d.trigger = 'AUTOMATIC' and ${isNotLoaded('d.delivery_id')}
        order by d.delivery_id limit l.most)
       union all
       (select ${unattemptedColumns}, ${firstAttempt} from webhook_new_range f
        left join lateral (
          select w.id from webhook_delivery w
          where ${isInRange} and ${isNotLoaded('w.id')} and ${isUnattempted}
          order by w.id limit l.most) u on true
        where f.shard = l.shard and f.application_id = l.application_id
        order by f.first_id, u.id limit l.most)) a
      order by coalesce(a.id, a.first_id) limit l.most)
     union all
     (select ${scheduledColumns} from webhook_due d
      where d.shard = l.shard and d.application_id = l.application_id and d.trigger <> 'AUTOMATIC'
        and ${isDueSoon} and ${isNotLoaded('d.delivery_id')}
      order by d.due_at, d.delivery_id limit l.most)) n
   ${joinDelivery}`,
)

/** Deletes rows of webhook_due whose delivery no longer exists. */
export const deleteDue = crossTenantSql<never, { applicationIds: string[]; deliveryIds: string[] }>(
  why,
  `delete from webhook_due d using unnest($applicationIds::text[], $deliveryIds::text[]) g (application_id, delivery_id)
   where d.application_id = g.application_id and d.delivery_id = g.delivery_id`,
)
/** Deletes ranges without a delivery to send. */
export const deleteEmptyRanges = crossTenantSql<
  never,
  { applicationIds: string[]; shards: number[]; firstIds: string[] }
>(
  why,
  `delete from webhook_new_range f using unnest($applicationIds::text[], $shards::smallint[],
    $firstIds::text[]) g (application_id, shard, first_id)
   where f.shard = g.shard and f.application_id = g.application_id and f.first_id = g.first_id
     and not exists (select from webhook_delivery w where ${isInRange} and ${isUnattempted})`,
)
