import type { Collection } from '#contract/studio/collections.ts'
import type { ShownRow } from './collection-list.sql.ts'

/** A collection as the caller sees it: `assetCount` counts the assets that the caller may read. */
export function showCollection(row: ShownRow): Collection {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    parentId: row.parent_id,
    iconName: row.icon_name,
    color: row.color,
    position: row.position,
    ownerId: row.owner_id,
    assetCount: row.asset_count,
    childCount: row.child_count,
    path: row.path,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}
