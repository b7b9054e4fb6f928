/**
 * Deliveries of one application that were written together, by their ids: a row of webhook_new_range. It stands for those
 * that have had no attempt, and goes with the last of them. What follows a first attempt is a row of webhook_due.
 */
export type NewRange = {
  firstId: string
  lastId: string
  /** How many of them this process has in hand, as far as it knows: when none is left, the row may go. */
  loadedCount: number
}

/** Ties deliveries `w` to the row `f` of webhook_new_range that may stand for them. */
export const isInRange = `w.organization_id = f.organization_key and w.application_id = f.application_id
  and w.id >= f.first_id and w.id <= f.last_id`

/** True of a delivery `w` for which a row of webhook_new_range stands: others between its ids have one of webhook_due. */
export const isUnattempted = `w.status = 'PENDING' and w.attempts = 0 and not exists (
  select from webhook_due u where u.application_id = w.application_id and u.delivery_id = w.id)`

/**
 * The parts of a recursive `with` that find the applications for which something is due in the shards of `source`, and
 * since when: one look at the index for each application.
 */
export function firstDueSql(source: string): string {
  return [
    firstDueOf('due_first', source, 'webhook_due', 'due_at', 'due_at, w.delivery_id'),
    firstDueOf('fresh_first', source, 'webhook_new_range', 'written_at', 'first_id'),
    `first as (select * from due_first union all select * from fresh_first)`,
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
