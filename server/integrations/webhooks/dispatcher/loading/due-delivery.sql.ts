import { crossTenantSql } from '#platform/data/statement.ts'
import type { EventSubject } from '#platform/events/emit.ts'
import { hasModule } from '#server/identity/index.ts'
import { firstDueSql, isInRange, isUnattempted } from '../../new-range.ts'
import type { DeliveryTrigger } from '../attempt-outcome.ts'

const why = 'a dispatcher sends for all organizations whose shards it leases'

/** A due delivery with its body. `dueInMs` counts from the time of the statement. */
export type DueDeliveryRow = {
  shard: number
  applicationId: string
  organizationId: string
  deliveryId: string
  attempt: number
  retries: number
  trigger: DeliveryTrigger
  dueInMs: number
  dueAt: string
  /** Null if the delivery no longer exists. */
  event: string | null
  about: EventSubject | null
  body: string | null
}
/** The endpoint of an application, and whether it is active. */
export type EndpointRow = {
  organizationId: string
  applicationId: string
  shard: number
  url: string
  isOpen: boolean
  maxPerSecond: number | null
  isOrdered: boolean
  hasStandardHeaders: boolean
  scopes: string[]
  secrets: { id: string; sealed: string; state: string }[]
  isFailing: boolean
}

/** Applications with a delivery that is due within a second. */
export const selectWithWork = crossTenantSql<
  { shard: number; applicationId: string; organizationId: string },
  { shards: number[] }
>(
  why,
  `with recursive ${firstDueSql('unnest($shards::smallint[]) s (shard)')}
   select distinct shard, application_id as "applicationId", organization_key as "organizationId" from first
   where due_at <= now() + interval '1 second'`,
)

/** The next due deliveries of some applications, each after a cursor and without `loadedIds`. */
export const nextDue = crossTenantSql<
  DueDeliveryRow,
  {
    shards: number[]
    applicationIds: string[]
    dueAfter: string[]
    idsAfter: string[]
    most: number[]
    loadedIds: string[]
  }
>(
  why,
  `select d.shard, d.application_id as "applicationId", d.organization_key as "organizationId",
     d.delivery_id as "deliveryId", d.attempt, d.retries, d.trigger, d.due_at as "dueAt",
     extract(epoch from d.due_at - now())::float8 * 1000 as "dueInMs", w.event, w.subject as about, w.body
   from unnest($shards::smallint[], $applicationIds::text[], $dueAfter::timestamptz[], $idsAfter::text[],
     $most::integer[])
     l (shard, application_id, due_after, id_after, most)
   cross join lateral (
     select * from webhook_due d
     where d.shard = l.shard and d.application_id = l.application_id
       and (d.due_at, d.delivery_id) > (l.due_after, l.id_after)
       and d.due_at <= now() + interval '1 second' and d.delivery_id not in (select unnest($loadedIds::text[]))
     order by d.due_at, d.delivery_id limit l.most) d
   left join webhook_delivery w
     on w.organization_id = d.organization_key and w.application_id = d.application_id and w.id = d.delivery_id`,
)

/** A delivery without an attempt, with its body. */
export type UnattemptedRow = {
  shard: number
  applicationId: string
  organizationId: string
  firstId: string
  lastId: string
  /** Null if the range has no other delivery to send. */
  deliveryId: string | null
  event: string
  about: EventSubject
  body: string
}

/** The next deliveries without an attempt of some applications, each after a cursor and without `loadedIds`. */
export const nextUnattempted = crossTenantSql<
  UnattemptedRow,
  {
    shards: number[]
    applicationIds: string[]
    rangesFrom: string[]
    idsAfter: string[]
    most: number[]
    loadedIds: string[]
  }
>(
  why,
  `select l.shard, l.application_id as "applicationId", n.organization_key as "organizationId",
     n.first_id as "firstId", n.last_id as "lastId", n.id as "deliveryId", n.event, n.subject as about, n.body
   from unnest($shards::smallint[], $applicationIds::text[], $rangesFrom::text[], $idsAfter::text[], $most::integer[])
     l (shard, application_id, range_from, id_after, most)
   cross join lateral (
     select f.organization_key, f.first_id, f.last_id, d.* from webhook_new_range f
     left join lateral (
       select w.id, w.event, w.subject, w.body from webhook_delivery w
       where ${isInRange} and w.id > l.id_after and w.id not in (select unnest($loadedIds::text[]))
         and ${isUnattempted}
       order by w.id limit l.most) d on true
     where f.shard = l.shard and f.application_id = l.application_id and f.first_id >= l.range_from
     order by f.first_id, d.id limit l.most) n`,
)

/** A delivery to an ordered endpoint, with or without an attempt. */
export type OrderedRow = Omit<DueDeliveryRow, 'deliveryId' | 'dueAt'> & {
  /** Null if a range has no other delivery to send. */
  deliveryId: string | null
  /** The range that contains it; null for a row of webhook_due. */
  firstId: string | null
  lastId: string | null
}

/**
 * The next deliveries of some ordered endpoints, without `loadedIds`: automatic ones in the order of their ids, whenever
 * they are due, and manual retries and recoveries that are due now.
 */
export const nextOrdered = crossTenantSql<
  OrderedRow,
  { shards: number[]; applicationIds: string[]; most: number[]; loadedIds: string[] }
>(
  why,
  `select l.shard, l.application_id as "applicationId", n.organization_key as "organizationId",
     n.first_id as "firstId", n.last_id as "lastId", n.id as "deliveryId", n.attempt, n.retries, n.trigger,
     extract(epoch from n.due_at - now())::float8 * 1000 as "dueInMs", w.event, w.subject as about, w.body
   from unnest($shards::smallint[], $applicationIds::text[], $most::integer[]) l (shard, application_id, most)
   cross join lateral (
     (select * from (
       (select d.organization_key, null as first_id, null as last_id, d.delivery_id as id, d.attempt,
          d.retries, d.trigger, d.due_at
        from webhook_due d
        where d.application_id = l.application_id and d.trigger = 'AUTOMATIC'
          and d.delivery_id not in (select unnest($loadedIds::text[]))
        order by d.delivery_id limit l.most)
       union all
       (select f.organization_key, f.first_id, f.last_id, u.id, 1::smallint, 0::smallint, 'AUTOMATIC', f.written_at
        from webhook_new_range f
        left join lateral (
          select w.id from webhook_delivery w
          where ${isInRange} and w.id not in (select unnest($loadedIds::text[])) and ${isUnattempted}
          order by w.id limit l.most) u on true
        where f.shard = l.shard and f.application_id = l.application_id
        order by f.first_id, u.id limit l.most)) a
      order by coalesce(a.id, a.first_id) limit l.most)
     union all
     (select d.organization_key, null, null, d.delivery_id, d.attempt, d.retries, d.trigger, d.due_at
      from webhook_due d
      where d.shard = l.shard and d.application_id = l.application_id and d.trigger <> 'AUTOMATIC'
        and d.due_at <= now() + interval '1 second' and d.delivery_id not in (select unnest($loadedIds::text[]))
      order by d.due_at, d.delivery_id limit l.most)) n
   left join webhook_delivery w
     on w.organization_id = n.organization_key and w.application_id = l.application_id and w.id = n.id`,
)

/** The current endpoints of some applications. A missing one was deleted. */
export const selectEndpoints = crossTenantSql<
  EndpointRow,
  { organizationIds: string[]; applicationIds: string[] }
>(
  why,
  `select e.organization_id as "organizationId", e.application_id as "applicationId", e.shard, e.url,
     e.status = 'ACTIVE' and a.status = 'ACTIVE' and ${hasModule('integrations')} as "isOpen",
     e.max_per_second as "maxPerSecond", e.is_ordered as "isOrdered", e.has_standard_headers as "hasStandardHeaders",
     a.scopes,
     (select coalesce(json_agg(json_build_object('id', s.id, 'sealed', s.sealed, 'state', s.state)), '[]')
      from webhook_secret s where s.organization_id = e.organization_id and s.application_id = e.application_id
        and s.state in ('CURRENT', 'PREPARED')) as secrets,
     (e.failing_since is not null or e.paused_for_failing_at > coalesce(e.recovered_at, '-infinity')) is true
       as "isFailing"
   from unnest($organizationIds::text[], $applicationIds::text[]) l (organization_id, application_id)
   join webhook_endpoint e on e.organization_id = l.organization_id and e.application_id = l.application_id
   join application a on a.organization_id = e.organization_id and a.id = e.application_id
   join organization o on o.id = e.organization_id`,
)

/** Deletes due rows whose delivery or endpoint no longer exists. */
export const deleteDue = crossTenantSql<never, { applicationIds: string[]; deliveryIds: string[] }>(
  why,
  `delete from webhook_due d using unnest($applicationIds::text[], $deliveryIds::text[]) g (application_id, delivery_id)
   where d.application_id = g.application_id and d.delivery_id = g.delivery_id`,
)
export const cancelAllDue = crossTenantSql<never, { shard: number; applicationId: string }>(
  why,
  `with due as (
     delete from webhook_due where (application_id, delivery_id) in (
       select application_id, delivery_id from webhook_due where shard = $shard and application_id = $applicationId
       order by due_at, delivery_id limit 1000)
     returning organization_key, application_id, delivery_id as first_id, delivery_id as last_id
   ), fresh as (
     delete from webhook_new_range where (shard, application_id, first_id) in (
       select shard, application_id, first_id from webhook_new_range
       where shard = $shard and application_id = $applicationId
       order by first_id limit 100)
     returning organization_key, application_id, first_id, last_id
   )
   update webhook_delivery w set status = 'CANCELLED', finished_at = now()
   from (select * from due union all select * from fresh) f where ${isInRange} and w.status = 'PENDING'`,
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
