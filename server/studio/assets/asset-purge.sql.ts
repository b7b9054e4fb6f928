import { limits } from '#contract/limits.ts'
import type { Database } from '#platform/data/database.ts'
import type { Tx } from '#platform/data/db.ts'
import { crossTenantSql, oneServerLock, sql } from '#platform/data/statement.ts'

// Versions, counters, search rows and shares are deleted by cascade; slugs, uses and tags have no foreign key
const deleteExpired = crossTenantSql<{ id: string }, { most: number }>(
  'the purge covers every organization',
  `with gone as (
     delete from asset a using (
       select g.organization_id, g.id from asset g
       where g.deleted_at < now() - interval '${limits.deletedAssetDays} days'
       order by g.deleted_at limit $most ${oneServerLock('for update skip locked')}) old
     where a.organization_id = old.organization_id and a.id = old.id
       and a.deleted_at < now() - interval '${limits.deletedAssetDays} days'
     returning a.organization_id, a.id, a.tags),
   slugs as (
     delete from asset_slug s using gone where s.organization_id = gone.organization_id and s.asset_id = gone.id),
   uses as (
     delete from asset_use u using gone where u.organization_id = gone.organization_id and u.asset_id = gone.id),
   tags as (
     delete from asset_tag t using (select g.organization_id, g.id, unnest(g.tags) as tag from gone g) g
     where t.organization_id = g.organization_id and t.tag = g.tag and t.asset_id = g.id)
   select id from gone`,
)

/** Purges up to `batchSize` deleted assets that are past their retention time. Returns how many. */
export async function purgeDeletedAssets(database: Database, batchSize = 200): Promise<number> {
  return (await database.crossTenant.rows(deleteExpired, { most: batchSize })).length
}

const deleteOne = sql<{ id: string }, { id: string }>(`
  with gone as (
    delete from asset a where a.organization_id = $organization and a.id = $id and not a.listed
    returning a.id, a.tags),
  slugs as (
    delete from asset_slug s using gone where s.organization_id = $organization and s.asset_id = gone.id),
  uses as (
    delete from asset_use u using gone where u.organization_id = $organization and u.asset_id = gone.id),
  tags as (
    delete from asset_tag t using gone
    where t.organization_id = $organization and t.tag = any(gone.tags) and t.asset_id = gone.id)
  select id from gone`)

/** Purges a deleted asset before its retention time ends. The caller holds its lock. */
export async function purgeDeletedAsset(tx: Tx, id: string): Promise<void> {
  await tx.run(deleteOne, { id })
}
