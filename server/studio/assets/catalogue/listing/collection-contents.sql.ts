import type { AssetOrder } from '#contract/studio/assets.ts'
import type { Db } from '#platform/data/db.ts'
import { plannedOnce, type Statement } from '#platform/data/statement.ts'
import { type CollectionSizes, prefersScan } from '../../../collections/collection.rules.ts'
import { isReadableWithoutShare, isSharedWithCaller, type Reader } from '../../asset.access.ts'
import { readableCount, sharedCount } from '../counters/collection-counters.sql.ts'
import { listWithin, type WithinArgs } from './asset-filters.sql.ts'
import { type PageRow, shown } from './asset-list.sql.ts'
import {
  callerAccess,
  columnsOf,
  type ListFilters,
  type Order,
  orders,
  sortBy,
  statusTypeTable,
} from './list-fragments.ts'

/** The counter row of everybody, for all matching visibilities. */
const openToAll = `t.organization_id = $organization and t.author_id = '' and t.department_set = ''
  and t.visibility = any($open::text[] || $closed::text[])`

const wantedCounts = '(select sum(t.counts[c.position]) from status_type c)'

// shares are left out: they may be many, and only make a
// scan shorter
const selectSizes = plannedOnce<CollectionSizes, Reader & ListFilters & { collectionId: string }>(`
  with ${statusTypeTable}, ${callerAccess},
  page as materialized (select $collectionId::text as id),
  ${readableCount(wantedCounts)}
  select case when $isAdministrator::boolean then f.n else coalesce((select n from readable_count),
    0) end as readable, f.n as filed,
    coalesce((select sum(t.counts[c.position]) from asset_bucket_count t cross join status_type c
      where ${openToAll}), 0)::integer as listed
  from (
    select coalesce(sum(t.counts[c.position]), 0)::integer as n from collection_bucket_count t
    cross join status_type c
    where t.collection_id = $collectionId and ${openToAll}) f`)

/**
 * The catalogue in its order, all buckets merged row by row, and from it the assets of the collection until
 * the page is full. The buckets are parameters, so that there are few statements.
 */
function scanText(order: Order, visibilities: number, statusTypeCount: number): string {
  const buckets: string[] = []
  for (let visible = 1; visible <= visibilities; visible++) {
    for (let at = 1; at <= statusTypeCount; at++) {
      buckets.push(`(select ${columnsOf(order)}, k.author_id, k.visibility, k.department_set from ${order.from}
        where k.organization_id = $organization and k.listed
          and k.visibility = ($open::text[] || $closed::text[])[${visible}]
          and k.status = ($statuses::text[])[${at}] and k.type = ($types::text[])[${at}]
        order by ${sortBy(order, 'k', order.id)})`)
    }
  }
  return `
  with ${statusTypeTable}, ${callerAccess},
  page as materialized (select $collectionId::text as id),
  ${readableCount(wantedCounts)},
  ${sharedCount},
  found as materialized (
    select z.asset_id, row_number() over (order by ${sortBy(order, 'z')}) as page_position from (
      select x.* from (
        select y.* from (${buckets.join(' union all ')}) y order by ${sortBy(order, 'y')} offset 0) x
      where (select true from collection_asset f
          where f.organization_id = $organization and f.collection_id = $collectionId and f.asset_id = x.asset_id)
        and (${isReadableWithoutShare('x')} or ${isSharedWithCaller('x.asset_id')})
      order by ${sortBy(order, 'x')} limit $limit offset $offset) z)
  select t.total, i.*
  from (select coalesce((select n from readable_count), 0) + coalesce((select n from shared), 0) as total) t
  left join (${shown('found')}) i on true
  order by i.page_position`
}

type ScanArgs = Reader & ListFilters & { limit: number; offset: number; collectionId: string }
const scans = new Map<string, Statement<PageRow, ScanArgs>>()

function scan(
  orderBy: AssetOrder,
  visibilities: number,
  statusTypeCount: number,
): Statement<PageRow, ScanArgs> {
  const key = `${orderBy} ${visibilities} ${statusTypeCount}`
  const known = scans.get(key)
  if (known) return known
  const made = plannedOnce<PageRow, ScanArgs>(scanText(orders[orderBy], visibilities, statusTypeCount))
  scans.set(key, made)
  return made
}

/**
 * One page of the assets of a collection with the total that the caller may read. The page of a small
 * collection is read from its filings, that of a large one from a scan of the catalogue, whichever is less
 * work. The counters give the total.
 */
export async function listContents(
  db: Db,
  orderBy: AssetOrder,
  collectionId: string,
  args: WithinArgs,
): Promise<PageRow[]> {
  const { limit, offset, open, closed, statuses } = args
  const sizes = await db.one(selectSizes, { ...args, collectionId })
  if (!prefersScan(sizes, limit + offset)) return listWithin(db, orderBy, { collectionId }, args)
  const statement = scan(orderBy, open.length + closed.length, statuses.length)
  return db.rows(statement, { ...args, collectionId })
}
