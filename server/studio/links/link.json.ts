import type { Link } from '#contract/studio/links.ts'
import { showItem } from '../assets/asset.json.ts'
import type { AssetLinkRow, LinkedAssetRow } from './link.sql.ts'

/** A link of an asset. */
export function showLink(row: AssetLinkRow): Link {
  return {
    id: row.id,
    assetId: row.asset_id,
    entityType: row.entity_type,
    entityId: row.entity_id,
    note: row.note,
    createdBy: { id: row.created_by, name: row.creator_name },
    createdAt: row.created_at,
  }
}

/** A link of an entity, with the linked asset. */
export function showLinked(row: LinkedAssetRow) {
  return { linkId: row.link_id, note: row.note, linkedAt: row.linked_at, asset: showItem(row) }
}
