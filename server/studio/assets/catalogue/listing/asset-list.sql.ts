import type { AssetOrder, AssetStatus, AssetType, Visibility } from '#contract/studio/assets.ts'
import type { Db } from '#platform/data/db.ts'
import { plannedOnce, type Statement } from '#platform/data/statement.ts'
import type { Caller } from '#platform/http/caller.ts'
import { firstOf, required } from '#platform/required.ts'
import { accessLevel, activeShareWithCaller, isSharedWithCaller, type Reader } from '../../asset.access.ts'
import { type AssetItemRow, authorJoin, itemColumnsWith, itemJoins } from '../../asset.sql.ts'
import { bucketCounts, bucketTotal } from './bucket-counts.ts'
import { beforeEdge, catalogueScans, pageEnd } from './catalogue-scan.ts'
import {
  callerAccess,
  columnsOf,
  isOnlyShared,
  type ListFilters,
  matchesFilters,
  type Order,
  orders,
  sortBy,
  statusTypeTable,
} from './list-fragments.ts'
import { accessWithManyShares, ordinaryAccess, ordinaryPage, pageWithManyShares } from './ordinary-page.ts'

/** A row of a page; a page without assets still has one row, with the total alone. */
export type PageRow = { total: number } & (AssetItemRow | { id: null })
type PageArgs = Reader & ListFilters & { limit: number; offset: number }

/**
 * One page with the total. The catalogue is read bucket by bucket, each from an index in the requested order,
 * and the first rows of the buckets are merged:
 *
 *  open    assets that everybody may read (for administrators all): one bucket per visibility, status and type
 *  set     assets that the caller's departments may read: one per department set, status and type
 *  author  assets of colleagues in the caller's workspaces, and the caller's own: one per author
 *  shared  assets that are shared with the caller and in none of these buckets, looked up one by one
 *
 * The counters say which buckets hold assets and how many (see bucket-counts.ts). `edge` is the last row of
 * the page after the open buckets: of the other buckets only rows before it are read. When the caller has
 * many department sets or shares, the catalogue is scanned instead (see catalogue-scan.ts). So the work
 * depends on the length of the page, on departments, colleagues and shares, and never on the number of
 * assets.
 */
function pageText(order: Order, openPage: string, isReached: string): string {
  const { from, id, keys } = order
  const columns = columnsOf(order)
  const bounds = [...keys, { column: 'asset_id', bound: "''" }]
  const sortBucket = `order by ${sortBy(order, 'k', id)} limit ${pageEnd}`
  return `
  with ${statusTypeTable},
  ${callerAccess},
  ${bucketCounts},
  open_page as materialized (${openPage} order by ${sortBy(order, 'x')} limit ${pageEnd}),
  edge as materialized (
    select ${bounds.map(({ column, bound }) => `coalesce(l.${column}, ${bound}) as ${column}`).join(', ')}
    from (select) nothing left join (
      select * from open_page x order by ${sortBy(order, 'x')} offset ${pageEnd} - 1 limit 1) l on true),
  ${catalogueScans(order, isReached)},
  page as materialized (
    select x.asset_id, row_number() over (order by ${sortBy(order, 'x')}) as page_position from (
      select * from open_page
      union all
      select ${columnsOf(order, 'w')} from scanned w
      join finished_scan d on d.visibility = w.visibility and d.position = w.position
      union all
      select x.* from edge e cross join department_bucket o cross join lateral (
        select ${columns} from ${from}
        where k.organization_id = $organization and k.listed and k.visibility = 'DEPARTMENT'
          and k.department_set = o.department_set and k.status = o.status and k.type = o.type
          and ${beforeEdge(order)}
        ${sortBucket}) x
      where not exists (select from finished_scan d where d.visibility = 'DEPARTMENT' and d.position = o.position)
      union all
      select x.* from edge e cross join author_bucket o cross join lateral (
        select ${columns} from ${from}
        where ${matchesFilters} and k.author_id = o.author_id and k.visibility = any($closed::text[])
          and (k.visibility = 'WORKSPACE' or (k.author_id = $personId and not (
            k.visibility = 'DEPARTMENT' and k.department_set in (select id from my_department_set))))
          and ${beforeEdge(order)}
        ${sortBucket}) x
      union all
      select ${columns} from edge e cross join (
        select distinct g.asset_id from looked_up o cross join lateral (
          select s.asset_id from asset_share s
          where ${isOnlyShared(activeShareWithCaller)} and s.visibility = o.visibility
            and s.status_type = o.position
            and s.counted_status_type in (0, o.position) offset 0) g) g
      join ${from} on k.organization_id = $organization and k.${id} = g.asset_id
      where k.listed and ${beforeEdge(order)}
    ) x order by page_position limit $limit::integer offset $offset::integer)
  select t.total, i.*
  from (select ${bucketTotal} as total) t
  left join (${shown('page')}) i on true
  order by i.page_position`
}

/**
 * Joins the columns of list items to a page (`asset_id`, `page_position`).
 *
 * @param access the access of the caller to the asset `a`
 * @param counters `x` if the page has the counters of its assets, `c` to look them up
 */
export function shown(page: string, access = accessLevel, counters: 'c' | 'x' = 'c'): string {
  return `select x.page_position, ${itemColumnsWith(access, counters)}
    from ${page} x join asset a on a.organization_id = $organization and a.id = x.asset_id
    ${counters === 'c' ? itemJoins : authorJoin}`
}

/** For the first pages: the first rows of each open bucket that holds assets. */
function topOfEachBucket(order: Order): string {
  return `
    select x.* from open_bucket o cross join lateral (
      select ${columnsOf(order)} from ${order.from}
      where k.organization_id = $organization and k.listed and k.visibility = o.visibility and k.status = o.status
        and k.type = o.type
      order by ${sortBy(order, 'k', order.id)} limit ${pageEnd}) x`
}

/** For pages far behind: the buckets merged row by row, so that none is read further than the page needs. */
function mergedBuckets(
  order: Order,
  visible: readonly string[],
  statusTypes: readonly (readonly string[])[],
): string {
  const bucket = (visibility: string, [status, type]: readonly string[]) => `(
    select ${columnsOf(order)} from ${order.from}
    where k.organization_id = $organization and k.listed and k.visibility = '${visibility}'
      and k.status = '${status}'
      and k.type = '${type}'
    order by ${sortBy(order, 'k', order.id)} limit ${pageEnd})`
  const buckets = visible.flatMap(visibility => statusTypes.map(one => bucket(visibility, one)))
  return `select x.* from (${buckets.join(' union all ')}) x`
}

type Statements<Row> = Record<AssetOrder, Statement<Row, PageArgs>>
const eachOrder = <Row>(write: (order: Order) => string) =>
  Object.fromEntries(
    Object.entries(orders).map(([name, order]) => [name, plannedOnce<Row, PageArgs>(write(order))]),
  ) as Statements<Row>

/** A row of a walked page. `total` is null when another statement reads the page. */
type WalkedRow = PageRow | { total: null; id: null }
const walkedPage = (order: Order, ctes: string, access: string, columns: string) => `
  with ${ctes}
  select ${columns}, i.* from total t left join (
    ${shown('page', access, order.hasCounters ? 'x' : 'c')}) i on true
  order by i.page_position`
const ordinaryPages = eachOrder<WalkedRow & { has_many_shares: boolean }>(order =>
  walkedPage(order, ordinaryPage(order), ordinaryAccess, 't.n as total, t.has_many_shares'),
)
const pagesWithManyShares = eachOrder<WalkedRow>(order =>
  walkedPage(order, pageWithManyShares(order), accessWithManyShares, 't.n as total'),
)
const firstPages = eachOrder<PageRow>(order =>
  pageText(order, topOfEachBucket(order), isSharedWithCaller(`k.${order.id}`)),
)

const farPages = new Map<string, Statement<PageRow, PageArgs>>()
const farFrom = 200
const veryFarFrom = 4_000

/** Callers who had many shares at their last page. Both statements are right for them, and one of the two is in vain. */
const withManyShares = new WeakSet<Caller>()

/** One page of the catalogue with the total. */
export async function listPage(
  db: Db,
  caller: Caller,
  orderBy: AssetOrder,
  args: PageArgs,
): Promise<PageRow[]> {
  const { limit, offset, open, statuses, types } = args
  if (limit + offset <= farFrom)
    return (await walkedRows(db, caller, orderBy, args)) ?? db.rows(firstPages[orderBy], args)
  if (open.length === 0) return db.rows(firstPages[orderBy], args)
  return db.rows(farPage(orderBy, limit + offset > veryFarFrom, open, statuses, types), args)
}

/** A page that is walked; undefined if the walk ended before the page was full. */
async function walkedRows(
  db: Db,
  caller: Caller,
  orderBy: AssetOrder,
  args: PageArgs,
): Promise<PageRow[] | undefined> {
  if (!withManyShares.has(caller)) {
    const rows = await db.rows(ordinaryPages[orderBy], args)
    if (firstOf(rows).total !== null) return rows as PageRow[]
    if (!firstOf(rows).has_many_shares) return undefined
    withManyShares.add(caller)
  }
  const rows = await db.rows(pagesWithManyShares[orderBy], args)
  return firstOf(rows).total === null ? undefined : (rows as PageRow[])
}

function farPage(
  orderBy: AssetOrder,
  isVeryFar: boolean,
  open: readonly Visibility[],
  statuses: readonly AssetStatus[],
  types: readonly AssetType[],
): Statement<PageRow, PageArgs> {
  const statusTypes = statuses.map((status, at) => [
    status,
    required(types[at], 'the type of a share of the catalogue'),
  ])
  const key = `${orderBy} ${isVeryFar} ${open.join()} ${statusTypes.join()}`
  const known = farPages.get(key)
  if (known) return known
  const order = orders[orderBy]
  // when very many rows are scanned, all shares are read once instead of looked up row by row
  const isReached = isVeryFar
    ? `k.${order.id} in (select asset_id from granted)`
    : isSharedWithCaller(`k.${order.id}`)
  const made = plannedOnce<PageRow, PageArgs>(
    pageText(order, mergedBuckets(order, open, statusTypes), isReached),
  )
  farPages.set(key, made)
  return made
}
