import { limits } from '#contract/limits.ts'
import type { Database } from '#platform/data/database.ts'
import { crossTenantSql, oneServerLock } from '#platform/data/statement.ts'

// index asset_share_expiry; no counter includes shares that expire
const deleteLongExpired = crossTenantSql<{ id: string }, { most: number }>(
  'housekeeping looks after every organization',
  `delete from asset_share s using (
     select g.organization_id, g.id from asset_share g
     where g.expires_at < now() - interval '${limits.expiredShareDays} days'
     order by g.expires_at limit $most ${oneServerLock('for update skip locked')}) old
   where s.organization_id = old.organization_id and s.id = old.id
     and s.expires_at < now() - interval '${limits.expiredShareDays} days'
   returning s.id`,
)

/** Deletes up to `most` shares that expired longer ago than the retention time. Returns their number. */
export async function purgeExpiredShares(database: Database, most = 1_000): Promise<number> {
  return (await database.crossTenant.rows(deleteLongExpired, { most })).length
}
