// A delivery is due if webhook_due has a row for it, or if it has no attempt yet and a row of webhook_new_range covers it.
// The relay writes one range for all deliveries of a batch to one application, so most deliveries never have a row of
// webhook_due, which is for retries and for deliveries that people send again.

/** Joins deliveries `w` with the row `f` of webhook_new_range that may cover them. */
export const isInRange = `w.organization_id = f.organization_key and w.application_id = f.application_id
  and w.id >= f.first_id and w.id <= f.last_id`

/** True for a delivery `w` that a range covers: others in the range have a row in webhook_due. */
export const isUnattempted = `w.status = 'PENDING' and w.attempts = 0 and not exists (
  select from webhook_due u where u.organization_key = w.organization_id
    and u.application_id = w.application_id and u.delivery_id = w.id)`

/**
 * The due deliveries of an application of the tenant, with `id` and `due_at`: rows `d` of webhook_due, and deliveries `w` that
 * a range `f` covers. `scheduled` and `unattempted` are further conditions, order and limit of the two.
 */
export function dueSql(applicationId: string, scheduled: string, unattempted: string): string {
  return `(select d.delivery_id as id, d.due_at from webhook_due d
     where d.organization_key = $organization and d.application_id = ${applicationId} and ${scheduled})
   union all
   (select w.id, f.written_at from webhook_new_range f
     join webhook_delivery w on w.organization_id = $organization and ${isInRange} and ${isUnattempted}
     where f.organization_key = $organization and f.application_id = ${applicationId} and ${unattempted})`
}

/** Every row by which an application has due deliveries, since when: what Citus reads in place of the applications one by one. */
export const everyDue = `select organization_key, application_id, shard, due_at from webhook_due
  union all select organization_key, application_id, shard, written_at from webhook_new_range`

/**
 * The parts of a recursive `with` that find the applications with due deliveries in the shards of `source`, and since
 * when: one index lookup per application.
 */
export function firstDueSql(source: string): string {
  return [
    firstDueOf('due_first', source, 'webhook_due', 'due_at', 'due_at, w.delivery_id'),
    firstDueOf('new_first', source, 'webhook_new_range', 'written_at', 'first_id'),
    `first as (select * from due_first union all select * from new_first)`,
  ].join()
}

function firstDueOf(name: string, source: string, table: string, time: string, order: string): string {
  const one = (from: string) => `cross join lateral (
    select w.application_id, w.organization_key, w.${time} as due_at from ${table} w where ${from}
    order by w.application_id, w.${order} limit 1) f`
  return `${name} as (
    select s.shard, f.* from ${source} ${one('w.shard = s.shard')}
    union all
    select p.shard, f.* from ${name} p ${one('w.shard = p.shard and w.application_id > p.application_id')})`
}
