import { limits } from '#contract/limits.ts'
import type { Database } from '#platform/data/database.ts'
import { crossTenantSql } from '#platform/data/statement.ts'

// Versions, counters, search rows and shares are deleted by cascade; slugs and uses have no foreign key
const deleteExpired = crossTenantSql<{ id: string }, [most: number]>(
  'the purge covers every organization',
  `with gone as (
     delete from asset a using (
       select g.organization_id, g.id from asset g
       where g.deleted_at < now() - interval '${limits.deletedAssetDays} days'
       order by g.deleted_at limit $1 for update skip locked) old
     where a.organization_id = old.organization_id and a.id = old.id
     returning a.organization_id, a.id),
   slugs as (
     delete from asset_slug s using gone where s.organization_id = gone.organization_id and s.asset_id = gone.id),
   uses as (
     delete from asset_use u using gone where u.organization_id = gone.organization_id and u.asset_id = gone.id)
   select id from gone`,
)

/** Purges up to `batchSize` deleted assets that are past their retention time. Returns how many. */
export async function purgeDeletedAssets(database: Database, batchSize = 200): Promise<number> {
  return (await database.crossTenant.rows(deleteExpired, batchSize)).length
}
