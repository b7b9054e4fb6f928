import type { AssetOrder, AssetStatus, AssetType, Visibility } from '#contract/studio/assets.ts'
import type { Db } from '#platform/data/database.ts'
import { type Statement, sql } from '#platform/data/statement.ts'
import { isShared, type Reader, reachingShare } from '../asset.access.ts'
import { type ItemRow, itemColumns, itemJoins } from '../asset.sql.ts'
import { countedShelves } from './counted.ts'
import {
  cell,
  columnsOf,
  type Order,
  onlyShared,
  orders,
  reach,
  type Shelves,
  sortBy,
  wanted,
} from './shelves.ts'
import { beforeEdge, length, walks } from './walk.ts'

/** A row of a page; a page without assets still has one row, with the total alone. */
export type PageRow = { total: number } & (ItemRow | { id: null })
type PageArgs = [...Reader, ...Shelves, limit: number, offset: number]

/**
 * One page with the number of all. The catalogue is read shelf by shelf, each shelf from an index in the
 * order that is asked for, and the heads of the shelves are merged:
 *
 *  open    what everybody may read (for administrators everything): one shelf per visibility, status and type
 *  set     what the caller's departments may read: one per set of departments, status and type
 *  author  what colleagues of the caller's workspaces made for those, and what the caller made: one per author
 *  shared  what is shared with the caller and on none of the shelves before, looked for one by one
 *
 * Which shelves hold anything, and how much, is known from the tallies (see counted.ts). `edge` is the last place of
 * the page after the open shelves: of the others only what comes before it is read. Where many sets or shares are
 * the caller's, the catalogue is walked instead of them (see walk.ts). So the work depends on the length of the page,
 * on departments, colleagues and shares, and never on how many assets there are.
 *
 * $7 to $11 what is wanted, $12 limit, $13 offset
 */
function pageText(order: Order, openPage: string, isReached: string): string {
  const { from, id, keys } = order
  const columns = columnsOf(order)
  const bounds = [...keys, { column: 'asset_id', bound: "''" }]
  const sortShelf = `order by ${sortBy(order, 'k', id)} limit ${length}`
  return `
  with ${cell},
  ${reach},
  ${countedShelves},
  open_page as materialized (${openPage} order by ${sortBy(order, 'x')} limit ${length}),
  edge as materialized (
    select ${bounds.map(({ column, bound }) => `coalesce(l.${column}, ${bound}) as ${column}`).join(', ')}
    from (select) nothing left join (
      select * from open_page x order by ${sortBy(order, 'x')} offset ${length} - 1 limit 1) l on true),
  ${walks(order, isReached)},
  page as materialized (
    select x.asset_id, row_number() over (order by ${sortBy(order, 'x')}) as place from (
      select * from open_page
      union all
      select ${columnsOf(order, 'w')} from walked w join walk_done d on d.visibility = w.visibility and d.at = w.at
      union all
      select x.* from edge e cross join set_shelf o cross join lateral (
        select ${columns} from ${from}
        where k.organization_id = $1 and k.listed and k.visibility = 'DEPARTMENT'
          and k.department_set = o.department_set and k.status = o.status and k.type = o.type
          and ${beforeEdge(order)}
        ${sortShelf}) x
      where not exists (select from walk_done d where d.visibility = 'DEPARTMENT' and d.at = o.at)
      union all
      select x.* from edge e cross join author_shelf o cross join lateral (
        select ${columns} from ${from}
        where ${wanted} and k.author_id = o.author_id and k.visibility = any($11::text[])
          and (k.visibility = 'WORKSPACE' or (k.author_id = $2 and not (
            k.visibility = 'DEPARTMENT' and k.department_set in (select id from my_set))))
          and ${beforeEdge(order)}
        ${sortShelf}) x
      union all
      select ${columns} from edge e cross join (
        select distinct g.asset_id from looked_for o cross join lateral (
          select s.asset_id from asset_share s
          where ${onlyShared(reachingShare)} and s.visibility = o.visibility and s.cell = o.at
            and s.tallied_cell in (0, o.at) offset 0) g) g
      join ${from} on k.organization_id = $1 and k.${id} = g.asset_id
      where k.listed and ${beforeEdge(order)}
    ) x order by place limit $12::integer offset $13::integer)
  select t.total, i.*
  from (select coalesce((select sum(n) from open_shelf), 0) + coalesce((select sum(n) from set_shelf), 0)
      + coalesce((select sum(n) from author_shelf), 0) + coalesce((select sum(n) from share_shelf), 0)
      + (select count(*) from by_unit_alone) as total) t
  left join (${shown('page')}) i on true
  order by i.place`
}

/** The assets of a page, `asset_id` and `place`, as lists show them. */
export function shown(page: string): string {
  return `select x.place, ${itemColumns}
    from ${page} x join asset a on a.organization_id = $1 and a.id = x.asset_id ${itemJoins}`
}

/** The first pages: the head of each open shelf that holds anything. */
function headsOfShelves(order: Order): string {
  return `
    select x.* from open_shelf o cross join lateral (
      select ${columnsOf(order)} from ${order.from}
      where k.organization_id = $1 and k.listed and k.visibility = o.visibility and k.status = o.status
        and k.type = o.type
      order by ${sortBy(order, 'k', order.id)} limit ${length}) x`
}

/** Pages far behind: the shelves merged row by row, so that no shelf is read further than the page reaches. */
function mergedShelves(
  order: Order,
  visible: readonly string[],
  cells: readonly (readonly string[])[],
): string {
  const shelf = (visibility: string, [status, type]: readonly string[]) => `(
    select ${columnsOf(order)} from ${order.from}
    where k.organization_id = $1 and k.listed and k.visibility = '${visibility}' and k.status = '${status}'
      and k.type = '${type}'
    order by ${sortBy(order, 'k', order.id)} limit ${length})`
  const shelves = visible.flatMap(visibility => cells.map(one => shelf(visibility, one)))
  return `select x.* from (${shelves.join(' union all ')}) x`
}

const firstPages = Object.fromEntries(
  Object.entries(orders).map(([name, order]) => [
    name,
    sql<PageRow, PageArgs>(pageText(order, headsOfShelves(order), isShared(`k.${order.id}`))),
  ]),
) as Record<AssetOrder, Statement<PageRow, PageArgs>>

const farPages = new Map<string, Statement<PageRow, PageArgs>>()
const farFrom = 200
const veryFarFrom = 4_000

/** One page of the catalogue with the number of all assets that it is cut from. */
export function listPage(db: Db, orderBy: AssetOrder, ...args: PageArgs): Promise<PageRow[]> {
  const [limit, offset] = args.slice(-2) as [number, number]
  const open = args[8]
  if (limit + offset <= farFrom || open.length === 0) return db.rows(firstPages[orderBy], ...args)
  return db.rows(farPage(orderBy, limit + offset > veryFarFrom, open, args[6], args[7]), ...args)
}

function farPage(
  orderBy: AssetOrder,
  isVeryFar: boolean,
  open: readonly Visibility[],
  statuses: readonly AssetStatus[],
  types: readonly AssetType[],
): Statement<PageRow, PageArgs> {
  const cells = statuses.map((status, at) => [status, types[at]!])
  const key = `${orderBy} ${isVeryFar} ${open.join()} ${cells.join()}`
  const known = farPages.get(key)
  if (known) return known
  const order = orders[orderBy]
  // where very many rows are walked, all that is shared is gathered once instead of asked for row by row
  const isReached = isVeryFar ? `k.${order.id} in (select asset_id from granted)` : isShared(`k.${order.id}`)
  const made = sql<PageRow, PageArgs>(pageText(order, mergedShelves(order, open, cells), isReached))
  farPages.set(key, made)
  return made
}
