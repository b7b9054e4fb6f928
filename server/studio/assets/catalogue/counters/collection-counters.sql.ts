import type { Tx } from '#platform/data/db.ts'
import { sql } from '#platform/data/statement.ts'
import type { AssetBucketFields } from '../../asset.rules.ts'
import {
  addedCounts,
  type CounterColumns,
  counterColumns,
  counterRows,
  countsAssets,
  statusTypes,
} from './asset-counters.sql.ts'

/**
 * The number of assets of each collection of `page` that the caller may read, from the counters: open ones,
 * those of the caller's departments, of colleagues in their workspaces, and their own. `n` sums the counts of a row `t`.
 */
export const readableCount = (n: string) => `
  readable_count as materialized (
    select p.id, sum(y.n)::integer as n from page p cross join lateral (
      select ${n} as n from collection_bucket_count t
      where t.organization_id = $organization and t.collection_id = p.id and t.visibility = any($open::text[])
        and t.author_id = '' and t.department_set = ''
      union all
      select ${n} from my_department_set s join collection_bucket_count t on t.organization_id = $organization
        and t.collection_id = p.id
        and t.visibility = 'DEPARTMENT' and t.author_id = '' and t.department_set = s.id
      where 'DEPARTMENT' = any($closed::text[])
      union all
      select ${n} from collection_bucket_count t
      where t.organization_id = $organization and t.collection_id = p.id
        and t.visibility in ('PRIVATE', 'DEPARTMENT')
        and t.visibility = any($closed::text[]) and t.author_id = $personId
        and t.department_set not in (select id from my_department_set)
      union all
      select ${n} from collection_bucket_count t
      where t.organization_id = $organization and t.collection_id = p.id and t.visibility = 'WORKSPACE'
        and 'WORKSPACE' = any($closed::text[]) and t.author_id = any(array(select person_id from colleague))) y
    group by 1)`
/** The number of assets that only a share lets the caller read, counted one by one. */
export const sharedCount = `
  shared as materialized (
    select f.collection_id as id, count(*)::integer as n
    from granted g join collection_asset f on f.organization_id = $organization and f.asset_id = g.asset_id
    join page p on p.id = f.collection_id where not $isAdministrator::boolean group by 1)`

/** The number of assets in the row `t` without archived ones: written out, as a page may add up many rows. */
export const notArchived = statusTypes
  .filter(({ status }) => status !== 'ARCHIVED')
  .map(({ position }) => `coalesce(t.counts[${position}], 0)`)
  .join(' + ')
/**
 * Counts an asset in the collections `source` (id). Each collection has counters as the catalogue does, so
 * that the number of assets that somebody may read in it is a sum of few rows.
 */
export const countedInCollections = (source: string) => `
  insert into collection_bucket_count (organization_id, collection_id, author_id, visibility, department_set,
    shard, counts)
  select $organization, x.id, t.author_id, t.visibility, t.department_set, t.shard, t.counts::integer[]
  from ${source} x cross join unnest($authors::text[], $visibilities::text[], $sets::text[],
    $shards::smallint[], $counts::text[])
    as t (author_id, visibility, department_set, shard, counts)
  order by 2, 3, 4, 5, 6
  on conflict (organization_id, collection_id, visibility, author_id, department_set, shard) do update set
    counts = ${addedCounts('collection_bucket_count.counts', 'excluded.counts')}
  returning collection_bucket_count.shard`

const moveFiled = sql<never, CounterColumns & { assetId: string }>(`
  with held as materialized (
    select k.id from collection_asset f join collection k on k.organization_id = $organization
      and k.id = f.collection_id
    where f.organization_id = $organization and f.asset_id = $assetId order by k.id for key share of k)
  ${countedInCollections('held')}`)

/** The change of the counters of each collection of an asset that moves from one bucket to another; undefined for none. */
export function collectionCounters(
  assetId: string,
  before: AssetBucketFields | undefined,
  after: AssetBucketFields | undefined,
): CounterColumns {
  return counterColumns(counterRows(assetId, before, after).filter(countsAssets))
}

/**
 * Moves an asset, whose row this transaction has locked, from its old bucket to its new one in the counters
 * of its collections; undefined for none.
 */
export async function moveInCollections(
  tx: Tx,
  assetId: string,
  before: AssetBucketFields | undefined,
  after: AssetBucketFields | undefined,
): Promise<void> {
  await tx.run(moveFiled, { ...collectionCounters(assetId, before, after), assetId })
}
