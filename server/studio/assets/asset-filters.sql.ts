import { limits } from '#contract/limits.ts'
import type { AssetOrder } from '#contract/studio/assets.ts'
import type { Db } from '#platform/data/database.ts'
import { type Statement, sql } from '#platform/data/statement.ts'
import { activeShareWithCaller, isSharedWithCaller, type Reader } from './asset.access.ts'
import { type PageRow, shown } from './listing/asset-list.sql.ts'
import {
  callerAccess,
  columnsOf,
  isOnlyShared,
  isReadableWithoutShare,
  type ListFilters,
  matchesFilters,
  type Order,
  orders,
  sortBy,
  statusTypeTable,
} from './listing/list-fragments.ts'

/** Filters that the counters do not know. At least one of them is set. */
export type Within = {
  authorId?: string
  collectionId?: string
  entityType?: string
  entityId?: string
  tag?: string
}

type Args = [...Reader, ...ListFilters, limit: number, offset: number, ...within: string[]]
const statements = new Map<string, Statement<PageRow, Args>>()
const readable = (id: string) => `(${isReadableWithoutShare('k')} or ${isSharedWithCaller(`k.${id}`)})`

/**
 * The assets of one author, read from the index of authors. The total is the author's counters plus the assets that
 * only a share lets the caller read. $12 limit, $13 offset, $14 author
 */
function byAuthor(order: Order): string {
  return `
  with ${statusTypeTable},
  ${callerAccess},
  page as materialized (
    select x.asset_id, row_number() over (order by ${sortBy(order, 'x')}) as page_position from (
      select ${columnsOf(order)} from ${order.from}
      where ${matchesFilters} and k.author_id = $14 and ${readable(order.id)}
      order by ${sortBy(order, 'k', order.id)}
      limit (select $12::integer) offset (select $13::integer)) x)
  select t.total, i.*
  from (
    select coalesce((
      select sum(y.counts[c.position]) from asset_bucket_count y cross join status_type c
      where y.organization_id = $1 and y.author_id = $14 and y.visibility = any($10::text[] || $11::text[])
        and ${isReadableWithoutShare('y')}), 0) + (
      select count(distinct s.asset_id) from asset_share s
      where ${isOnlyShared(activeShareWithCaller)} and s.author_id = $14) as total) t
  left join (${shown('page')}) i on true
  order by i.page_position`
}

/**
 * The assets of a collection or of linked entities. They are looked up one by one, whatever the statistics say about
 * the average collection, then filtered, counted and sorted.
 * From $14 on: those of collection, kind and id of the entity, tag and author that are set. With a tag, the assets that
 * were created last are looked up first, until there are more than a list may count.
 */
function byFiling(order: Order, within: Within): string {
  let last = 13
  const next = () => `$${++last}`
  const sources: string[] = []
  if (within.collectionId !== undefined) {
    sources.push(`select f.asset_id from collection_asset f
      where f.organization_id = $1 and f.collection_id = ${next()}`)
  }
  if (within.entityType !== undefined || within.entityId !== undefined) {
    const kind = within.entityType === undefined ? '' : ` and l.entity_type = ${next()}`
    const id = within.entityId === undefined ? '' : ` and l.entity_id = ${next()}`
    sources.push(`select l.asset_id from asset_link l where l.organization_id = $1${kind}${id}`)
  }
  const hasTag = within.tag !== undefined
  if (hasTag) {
    sources.push(`select g.asset_id from asset_tag g where g.organization_id = $1 and g.tag = ${next()}`)
  }
  const filed =
    sources.length === 1 && hasTag
      ? `${sources[0]} order by g.asset_id desc`
      : `select distinct asset_id from (${sources.join(' intersect ')}) x${hasTag ? ' order by asset_id desc' : ''}`
  const bound = hasTag ? `limit ${limits.searchTotal + 1}` : ''
  const author = within.authorId === undefined ? '' : ` and k.author_id = ${next()}`
  return `
  with ${statusTypeTable},
  ${callerAccess},
  filed as materialized (${filed}),
  found as materialized (
    select x.* from filed f cross join lateral (
      select ${columnsOf(order)} from ${order.from}
      where ${matchesFilters} and k.${order.id} = f.asset_id${author} and ${readable(order.id)} offset 0) x ${bound}),
  page as materialized (
    select x.asset_id, row_number() over (order by ${sortBy(order, 'x')}) as page_position from found x
    order by page_position limit $12::integer offset $13::integer)
  select t.total, i.*
  from (select count(*) as total from found) t left join (${shown('page')}) i on true
  order by i.page_position`
}

/** One page of the assets that match the filters, with their total. */
export function listWithin(
  db: Db,
  orderBy: AssetOrder,
  within: Within,
  ...args: [...Reader, ...ListFilters, limit: number, offset: number]
): Promise<PageRow[]> {
  const values = [within.collectionId, within.entityType, within.entityId, within.tag, within.authorId]
  const key = `${orderBy} ${values.map(value => value !== undefined)}`
  let statement = statements.get(key)
  if (!statement) {
    const order = orders[orderBy]
    const isFiled = values.slice(0, 4).some(value => value !== undefined)
    statement = sql<PageRow, Args>(isFiled ? byFiling(order, within) : byAuthor(order))
    statements.set(key, statement)
  }
  return db.rows(statement, ...args, ...values.filter(value => value !== undefined))
}
