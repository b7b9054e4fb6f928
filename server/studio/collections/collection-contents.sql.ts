import type { AssetOrder } from '#contract/studio/assets.ts'
import type { Db } from '#platform/data/database.ts'
import { type Statement, sql } from '#platform/data/statement.ts'
import { isShared, type Reader } from '../assets/asset.access.ts'
import { listWithin } from '../assets/asset-filters.sql.ts'
import { type PageRow, shown } from '../assets/listing/asset-list.sql.ts'
import {
  cell,
  columnsOf,
  type Order,
  onOwnShelf,
  orders,
  reach,
  type Shelves,
  sortBy,
} from '../assets/listing/shelves.ts'
import { isWalk, type Sizes } from './collection.rules.ts'
import { shared, tallied } from './collection-list.sql.ts'

/** The tally row of everybody, for all that is wanted. */
const ofEverybody = `t.organization_id = $1 and t.author_id = '' and t.department_set = ''
  and t.visibility = any($10::text[] || $11::text[])`

const wantedCells = '(select sum(t.counts[c.at]) from cell c)'

// $2 to $11 as in lists of assets, $12 collection. What is shared with the caller is left out: it may be much, and
// only makes a walk shorter
const selectSizes = sql<Sizes, [...Reader, ...Shelves, collectionId: string]>(`
  with ${cell}, ${reach},
  page as materialized (select $12::text as id),
  ${tallied(wantedCells)}
  select case when $3::boolean then f.n else coalesce((select n from tallied), 0) end as readable, f.n as filed,
    coalesce((select sum(t.counts[c.at]) from asset_tally t cross join cell c where ${ofEverybody}), 0)::integer as listed
  from (
    select coalesce(sum(t.counts[c.at]), 0)::integer as n from collection_tally t cross join cell c
    where t.collection_id = $12 and ${ofEverybody}) f`)

/**
 * The catalogue in its order, all of its shelves merged row by row, and what is filed in the collection picked
 * out of it until the page is full. The shelves stand in the parameters, so that there are few statements.
 * $12 limit, $13 offset, $14 collection
 */
function walkText(order: Order, visibilities: number, cells: number): string {
  const shelves: string[] = []
  for (let visible = 1; visible <= visibilities; visible++) {
    for (let at = 1; at <= cells; at++) {
      shelves.push(`(select ${columnsOf(order)}, k.author_id, k.visibility, k.department_set from ${order.from}
        where k.organization_id = $1 and k.listed and k.visibility = ($10::text[] || $11::text[])[${visible}]
          and k.status = ($8::text[])[${at}] and k.type = ($9::text[])[${at}]
        order by ${sortBy(order, 'k', order.id)})`)
    }
  }
  return `
  with ${cell}, ${reach},
  page as materialized (select $14::text as id),
  ${tallied(wantedCells)},
  ${shared},
  found as materialized (
    select z.asset_id, row_number() over (order by ${sortBy(order, 'z')}) as place from (
      select x.* from (
        select y.* from (${shelves.join(' union all ')}) y order by ${sortBy(order, 'y')} offset 0) x
      where (select true from collection_asset f
          where f.organization_id = $1 and f.collection_id = $14 and f.asset_id = x.asset_id)
        and (${onOwnShelf('x')} or ${isShared('x.asset_id')})
      order by ${sortBy(order, 'x')} limit $12 offset $13) z)
  select t.total, i.*
  from (select coalesce((select n from tallied), 0) + coalesce((select n from shared), 0) as total) t
  left join (${shown('found')}) i on true
  order by i.place`
}

type WalkArgs = [...Reader, ...Shelves, limit: number, offset: number, collectionId: string]
const walks = new Map<string, Statement<PageRow, WalkArgs>>()

function walk(orderBy: AssetOrder, visibilities: number, cells: number): Statement<PageRow, WalkArgs> {
  const key = `${orderBy} ${visibilities} ${cells}`
  const known = walks.get(key)
  if (known) return known
  const made = sql<PageRow, WalkArgs>(walkText(orders[orderBy], visibilities, cells))
  walks.set(key, made)
  return made
}

/**
 * One page of the assets of a collection with the number of all that the caller may read. Of a small collection
 * the page is found by its filings, of a large one by its place in the catalogue, and their number is known from
 * the tally: the work stays below what both take where they meet.
 */
export async function listContents(
  db: Db,
  orderBy: AssetOrder,
  collectionId: string,
  ...args: [...Reader, ...Shelves, limit: number, offset: number]
): Promise<PageRow[]> {
  const [limit, offset] = args.slice(-2) as [number, number]
  const shelves = args.slice(0, -2) as [...Reader, ...Shelves]
  const sizes = (await db.first(selectSizes, ...shelves, collectionId))!
  if (!isWalk(sizes, limit + offset)) return listWithin(db, orderBy, { collectionId }, ...args)
  return db.rows(walk(orderBy, args[8].length + args[9].length, args[6].length), ...args, collectionId)
}
