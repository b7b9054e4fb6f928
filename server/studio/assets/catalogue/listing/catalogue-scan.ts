import { isReadableWithoutShare } from '../../asset.access.ts'
import { columnsOf, type Order, sortBy } from './list-fragments.ts'

/** The number of rows up to the end of the page. */
export const pageEnd = '(select $limit::integer + $offset::integer)'
/** Up to this many department sets or shares are looked up one by one; above, a scan is less work. */
const fewLookups = 8

/**
 * Scans closed parts of the catalogue, one visibility, status and type each, in the order of the list, until
 * the page is full of assets that the caller reads through departments or shares, or `edge` is reached.
 * `most` bounds the rows of a scan. A scan that reaches the bound, which its last row shows, found too few:
 * that part is then read bucket by bucket and share by share. `scanned` has the caller's assets of the
 * finished scans.
 *
 * @param isReached true when a share gives the caller access to the asset `k`
 */
export function catalogueScans(order: Order, isReached: string): string {
  const { from, id } = order
  const isTheirs = `case when k.visibility = 'DEPARTMENT' and k.department_set in (select id from my_department_set) then true
    when ${isReadableWithoutShare('k')} then false else ${isReached} end`
  return `
  scan as materialized (
    select o.visibility, o.position, o.status, o.type,
      least(100 + 4 * ${pageEnd} * y.n / o.n, 20 + 2 * o.sets + o.shares / 2)::bigint as most
    from closed_bucket o cross join lateral (
      select sum(t.counts[o.position]) as n from asset_bucket_count t
      where t.organization_id = $organization and t.author_id = '' and t.department_set = ''
        and t.visibility = o.visibility) y
    where o.sets + o.shares > ${fewLookups}),
  scanned as materialized (
    select o.visibility, o.position, x.* from scan o cross join edge e cross join lateral (
      select y.* from (
        select ${columnsOf(order)}, ${isTheirs} as is_theirs,
          row_number() over (order by ${sortBy(order, 'k', id)}) as step
        from ${from}
        where k.organization_id = $organization and k.listed and k.visibility = o.visibility and k.status = o.status
          and k.type = o.type and ${beforeEdge(order)}
        order by ${sortBy(order, 'k', id)} limit o.most) y
      where y.is_theirs or y.step = o.most limit ${pageEnd}) x),
  finished_scan as materialized (
    select o.visibility, o.position from scan o where not exists (
      select from scanned w where w.visibility = o.visibility and w.position = o.position and w.step = o.most)),
  looked_up as materialized (
    select o.visibility, o.position from closed_bucket o where o.shares > 0 and not exists (
      select from finished_scan d where d.visibility = o.visibility and d.position = o.position))`
}

/** True when the asset `k` comes before the last row `e` of the page of the open buckets. */
export function beforeEdge({ keys, id, descending }: Order): string {
  const keysOf = (alias: string, last: string) =>
    [...keys.map(key => `${alias}.${key.column}`), `${alias}.${last}`].join(', ')
  return `(${keysOf('k', id)}) ${descending ? '>' : '<'} (${keysOf('e', 'asset_id')})`
}
