import type { Database, Tx } from '#platform/data/database.ts'
import { crossTenantSql, sql } from '#platform/data/statement.ts'
import type { Grantee } from '../share.rules.ts'

type ExpiredShare = { organization_id: string; id: string }

// index asset_share_ending
const selectExpired = crossTenantSql<ExpiredShare, [most: number]>(
  'housekeeping looks after every organization',
  `select s.organization_id, s.id from asset_share s
   where s.expires_at <= clock_timestamp() and not s.end_announced order by s.expires_at limit $1`,
)

/** Shares that have expired and were not announced, those that expired first in front. */
export function findExpiredShares(database: Database, most: number): Promise<ExpiredShare[]> {
  return database.wide.rows(selectExpired, most)
}

export type EndedShare = {
  asset_id: string
  grantee_kind: Grantee['type']
  grantee_id: string
  /** False when everybody may read the asset, it is deleted, or the grantee had left before. */
  was_needed: boolean
}
// another worker may have some of them, and somebody may be giving one a new end
const setAnnounced = sql<EndedShare, [ids: readonly string[]]>(`
  update asset_share s set end_announced = true
  from (
    select e.id from asset_share e
    where e.organization_id = $1 and e.id = any($2::text[]) and e.expires_at <= clock_timestamp() and not e.end_announced
    order by e.id for update skip locked) due, asset a
  where s.organization_id = $1 and s.id = due.id and a.organization_id = $1 and a.id = s.asset_id
  returning s.asset_id, s.grantee_kind, s.grantee_id,
    a.listed and a.visibility not in ('ORGANIZATION', 'MARKETPLACE') and (s.person_id is null or exists (
      select from membership j where j.organization_id = $1 and j.person_id = s.person_id
        and j.removed_at is null and j.created_at = s.since)) as was_needed`)

/** Takes those of the shares that are still to be announced. */
export function takeEndedShares(tx: Tx, ids: readonly string[]): Promise<EndedShare[]> {
  return tx.rows(setAnnounced, ids)
}
