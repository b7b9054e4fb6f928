import type { Share } from '#contract/studio/shares.ts'
import type { ShareRow } from './share.sql.ts'

export function showShare(row: ShareRow): Share {
  return {
    id: row.id,
    assetId: row.asset_id,
    granteeType: row.grantee_kind,
    granteeId: row.grantee_id,
    granteeName: row.grantee_name,
    accessLevel: row.level,
    expiresAt: row.expires_at,
    sharedBy: { id: row.shared_by, name: row.sharer_name },
    createdAt: row.created_at,
  }
}
