import { columnsOf, type Order, onOwnShelf, sortBy } from './shelves.ts'

/** How far a page reaches: $12 limit, $13 offset. */
export const length = '(select $12::integer + $13::integer)'
/** Looking for this many sets or shares one by one is less work than a walk. */
const fewLooks = 8

/**
 * Walks through closed parts of the catalogue, one visibility, status and type each: from the head in the order of
 * the list until the page is full of what is the caller's by departments or shares, or its edge is reached. A walk may
 * go some times as far (`most`) as that should take, and no further than it is worth. One that gets there, which its
 * last row says, was led astray, and that part is read shelf by shelf and share by share after all. `walked` has
 * the caller's assets of the walks that are done.
 *
 * @param isReached true when a share reaches the caller that is about the asset `k`
 */
export function walks(order: Order, isReached: string): string {
  const { from, id } = order
  const isTheirs = `case when k.visibility = 'DEPARTMENT' and k.department_set in (select id from my_set) then true
    when ${onOwnShelf('k')} then false else ${isReached} end`
  return `
  walk as materialized (
    select o.visibility, o.at, o.status, o.type,
      least(100 + 4 * ${length} * y.n / o.n, 20 + 2 * o.sets + o.shares / 2)::bigint as most
    from my_shelf o cross join lateral (
      select sum(t.counts[o.at]) as n from asset_tally t
      where t.organization_id = $1 and t.author_id = '' and t.department_set = ''
        and t.visibility = o.visibility) y
    where o.sets + o.shares > ${fewLooks}),
  walked as materialized (
    select o.visibility, o.at, x.* from walk o cross join edge e cross join lateral (
      select y.* from (
        select ${columnsOf(order)}, ${isTheirs} as is_theirs,
          row_number() over (order by ${sortBy(order, 'k', id)}) as step
        from ${from}
        where k.organization_id = $1 and k.listed and k.visibility = o.visibility and k.status = o.status
          and k.type = o.type and ${beforeEdge(order)}
        order by ${sortBy(order, 'k', id)} limit o.most) y
      where y.is_theirs or y.step = o.most limit ${length}) x),
  walk_done as materialized (
    select o.visibility, o.at from walk o where not exists (
      select from walked w where w.visibility = o.visibility and w.at = o.at and w.step = o.most)),
  looked_for as materialized (
    select o.visibility, o.at from my_shelf o where o.shares > 0 and not exists (
      select from walk_done d where d.visibility = o.visibility and d.at = o.at))`
}

/** An asset `k` comes before the last of the open shelves `e`. */
export function beforeEdge({ keys, id, descending }: Order): string {
  const place = (alias: string, last: string) =>
    [...keys.map(key => `${alias}.${key.column}`), `${alias}.${last}`].join(', ')
  return `(${place('k', id)}) ${descending ? '>' : '<'} (${place('e', 'asset_id')})`
}
