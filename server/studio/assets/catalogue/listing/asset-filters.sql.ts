import { limits } from '#contract/limits.ts'
import type { AssetOrder } from '#contract/studio/assets.ts'
import type { Db } from '#platform/data/db.ts'
import { plannedOnce, type Statement } from '#platform/data/statement.ts'
import {
  activeShareWithCaller,
  isReadableWithoutShare,
  isSharedWithCaller,
  type Reader,
} from '../../asset.access.ts'
import { type PageRow, shown } from './asset-list.sql.ts'
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

/** Filters that the counters do not know. At least one of them is set. */
export type Within = {
  authorId?: string
  collectionId?: string
  entityType?: string
  entityId?: string
  tag?: string
}

export type WithinArgs = Reader & ListFilters & { limit: number; offset: number }
type Args = WithinArgs & { readonly [Name in keyof Within]-?: string }
const statements = new Map<string, Statement<PageRow, Args>>()
const readable = (id: string) => `(${isReadableWithoutShare('k')} or ${isSharedWithCaller(`k.${id}`)})`

/**
 * The assets of one author, read from the index of authors. The total is the author's counters plus the assets that
 * only a share lets the caller read.
 */
function byAuthor(order: Order): string {
  return `
  with ${statusTypeTable},
  ${callerAccess},
  page as materialized (
    select x.asset_id, row_number() over (order by ${sortBy(order, 'x')}) as page_position from (
      select ${columnsOf(order)} from ${order.from}
      where ${matchesFilters} and k.author_id = $authorId and ${readable(order.id)}
      order by ${sortBy(order, 'k', order.id)}
      limit (select $limit::integer) offset (select $offset::integer)) x)
  select t.total, i.*
  from (
    select coalesce((
      select sum(y.counts[c.position]) from asset_bucket_count y cross join status_type c
      where y.organization_id = $organization and y.author_id = $authorId
        and y.visibility = any($open::text[] || $closed::text[])
        and ${isReadableWithoutShare('y')}), 0) + (
      select count(distinct s.asset_id) from asset_share s
      where ${isOnlyShared(activeShareWithCaller)} and s.author_id = $authorId) as total) t
  left join (${shown('page')}) i on true
  order by i.page_position`
}

/**
 * The assets of a collection or of linked entities. They are looked up one by one, whatever the statistics say about
 * the average collection, then filtered, counted and sorted.
 * With a tag, the assets that
 * were created last are looked up first, until there are more than a list may count.
 */
function byFiling(order: Order, within: Within): string {
  const sources: string[] = []
  if (within.collectionId !== undefined) {
    sources.push(`select f.asset_id from collection_asset f
      where f.organization_id = $organization and f.collection_id = $collectionId`)
  }
  if (within.entityType !== undefined || within.entityId !== undefined) {
    const kind = within.entityType === undefined ? '' : ` and l.entity_type = $entityType`
    const id = within.entityId === undefined ? '' : ` and l.entity_id = $entityId`
    sources.push(`select l.asset_id from asset_link l where l.organization_id = $organization${kind}${id}`)
  }
  const hasTag = within.tag !== undefined
  if (hasTag) {
    sources.push(
      `select g.asset_id from asset_tag g where g.organization_id = $organization and g.tag = $tag`,
    )
  }
  const filed =
    sources.length === 1 && hasTag
      ? `${sources[0]} order by g.asset_id desc`
      : `select distinct asset_id from (${sources.join(' intersect ')}) x${hasTag ? ' order by asset_id desc' : ''}`
  const bound = hasTag ? `limit ${limits.searchTotal + 1}` : ''
  const author = within.authorId === undefined ? '' : ` and k.author_id = $authorId`
  return `
  with ${statusTypeTable},
  ${callerAccess},
  filed as materialized (${filed}),
  found as materialized (
    select x.* from filed f cross join lateral (
      select ${columnsOf(order)} from ${order.from}
      where ${matchesFilters} and k.${order.id} = f.asset_id${author}
        and ${readable(order.id)} offset 0) x ${bound}),
  page as materialized (
    select x.asset_id, row_number() over (order by ${sortBy(order, 'x')}) as page_position from found x
    order by page_position limit $limit::integer offset $offset::integer)
  select t.total, i.*
  from (select count(*) as total from found) t left join (${shown('page')}) i on true
  order by i.page_position`
}

/** One page of the assets that match the filters, with their total. */
export function listWithin(
  db: Db,
  orderBy: AssetOrder,
  within: Within,
  args: WithinArgs,
): Promise<PageRow[]> {
  const values = [within.collectionId, within.entityType, within.entityId, within.tag, within.authorId]
  const key = `${orderBy} ${values.map(value => value !== undefined)}`
  let statement = statements.get(key)
  if (!statement) {
    const order = orders[orderBy]
    const isFiled = values.slice(0, 4).some(value => value !== undefined)
    statement = plannedOnce<PageRow, Args>(isFiled ? byFiling(order, within) : byAuthor(order))
    statements.set(key, statement)
  }
  return db.rows(statement, { ...within, ...args } as Args)
}
