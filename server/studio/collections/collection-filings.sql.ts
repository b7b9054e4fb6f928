import type { Db, Tx } from '#platform/data/db.ts'
import { sql } from '#platform/data/statement.ts'
import { fail } from '#platform/fail.ts'
import type { Caller } from '#platform/http/caller.ts'
import type { AssetBucketFields } from '../assets/asset.rules.ts'
import { type CounterColumns, collectionCounters, countedInCollections } from '../assets/catalogue/index.ts'

/** A collection in which an asset is filed. */
type FiledRow = {
  collection_id: string
  added_at: string
  /** False when it was filed there before. */
  is_new: boolean
  /** In how many collections the asset was before. */
  previous_count: number
}

// a collection that receives an asset cannot be deleted until the transaction ends
const fileRow = sql<
  FiledRow,
  CounterColumns & { assetId: string; personId: string; collectionIds: readonly string[] }
>(`
  with held as materialized (
    select k.id from collection k where k.organization_id = $organization and k.id = any($collectionIds::text[])
    order by k.id for key share of k),
  filed as (
    insert into collection_asset (organization_id, collection_id, asset_id, added_by)
    select $organization, h.id, $assetId, $personId from held h
    on conflict (organization_id, collection_id, asset_id) do nothing
    returning collection_id as id, added_at),
  counted as (${countedInCollections('filed')})
  select h.id as collection_id, coalesce(n.added_at, f.added_at) as added_at, n.id is not null as is_new,
    (select count(*) from collection_asset o where o.organization_id = $organization and o.asset_id = $assetId
      and not exists (select from filed x where x.id = o.collection_id)) as previous_count
  from held h left join filed n on n.id = h.id
  left join collection_asset f on f.organization_id = $organization and f.collection_id = h.id
    and f.asset_id = $assetId`)
const unfileRow = sql<{ id: string }, CounterColumns & { assetId: string; collectionId: string }>(`
  with unfiled as (
    delete from collection_asset f where f.organization_id = $organization and f.asset_id = $assetId
      and f.collection_id = $collectionId
    returning f.collection_id as id),
  counted as (${countedInCollections('unfiled')})
  select id from unfiled`)
/**
 * Files an asset, whose row this transaction has locked or written, in the collections, and counts it there.
 * The result has no row for collections that do not exist.
 */
export function fileAsset(
  tx: Tx,
  caller: Caller,
  asset: AssetBucketFields & { id: string },
  collectionIds: readonly string[],
): Promise<FiledRow[]> {
  return tx.rows(fileRow, {
    ...collectionCounters(asset.id, undefined, asset),
    assetId: asset.id,
    personId: caller.personId,
    collectionIds,
  })
}

/** Files a new asset in collections. Refuses COLLECTION_NOT_FOUND when one of them does not exist. */
export async function fileInCollections(
  tx: Tx,
  caller: Caller,
  asset: AssetBucketFields & { id: string },
  collectionIds: readonly string[],
): Promise<void> {
  const ids = [...new Set(collectionIds)]
  if (ids.length === 0) return
  const filed = await fileAsset(tx, caller, asset, ids)
  if (filed.length !== ids.length) fail('COLLECTION_NOT_FOUND')
}

/** Removes an asset, whose row this transaction has locked, from a collection. False when it was not in it. */
export async function unfileAsset(
  tx: Tx,
  asset: AssetBucketFields & { id: string },
  collectionId: string,
): Promise<boolean> {
  const rows = await tx.rows(unfileRow, {
    ...collectionCounters(asset.id, asset, undefined),
    assetId: asset.id,
    collectionId,
  })
  return rows.length > 0
}

const selectFiled = sql<{ id: string; slug: string }, { collectionId: string; most: number }>(`
  select a.id, a.slug from collection_asset f join asset a on a.organization_id = $organization
    and a.id = f.asset_id
  where f.organization_id = $organization and f.collection_id = $collectionId and a.listed limit $most`)

/** Up to `most` assets that are filed in a collection. */
export function filedIn(db: Db, collectionId: string, most: number): Promise<{ id: string; slug: string }[]> {
  return db.rows(selectFiled, { collectionId, most })
}
