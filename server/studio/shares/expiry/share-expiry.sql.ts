import type { Database } from '#platform/data/database.ts'
import type { Tx } from '#platform/data/db.ts'
import { crossTenantSql, sql } from '#platform/data/statement.ts'
import type { Grantee } from '../share.rules.ts'

type ExpiredShare = { organization_id: string; id: string }

// index asset_share_unannounced_expiry
const selectExpired = crossTenantSql<ExpiredShare, { most: number }>(
  'expiry covers every organization',
  `select s.organization_id, s.id from asset_share s
   where s.expires_at <= clock_timestamp() and not s.expiry_announced order by s.expires_at limit $most`,
)

/** Expired shares whose expiry was not announced, oldest expiry first. */
export function selectExpiredShares(database: Database, most: number): Promise<ExpiredShare[]> {
  return database.crossTenant.rows(selectExpired, { most })
}

export type AnnouncedShare = {
  asset_id: string
  grantee_kind: Grantee['type']
  grantee_id: string
  /** False if everybody may read the asset, it is deleted, or the grantee has left. */
  lost_access: boolean
}
// Another worker may hold some of them, and somebody may be extending one
const setAnnounced = sql<AnnouncedShare, { ids: readonly string[] }>(`
  update asset_share s set expiry_announced = true
  from (
    select e.id from asset_share e
    where e.organization_id = $organization and e.id = any($ids::text[]) and e.expires_at <= clock_timestamp()
      and not e.expiry_announced
    order by e.id for update skip locked) due, asset a
  where s.organization_id = $organization and s.id = due.id and a.organization_id = $organization
    and a.id = s.asset_id
  returning s.asset_id, s.grantee_kind, s.grantee_id,
    a.listed and a.visibility not in ('ORGANIZATION', 'MARKETPLACE') and (s.person_id is null or exists (
      select from membership j where j.organization_id = $organization and j.person_id = s.person_id
        and j.removed_at is null and j.created_at = s.since)) as lost_access`)

/** Marks the expiry of these shares as announced. Returns the ones that were not announced before. */
export function claimExpiredShares(tx: Tx, ids: readonly string[]): Promise<AnnouncedShare[]> {
  return tx.rows(setAnnounced, { ids })
}
