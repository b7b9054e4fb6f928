import type { Asset, AssetItem } from '#contract/studio/assets.ts'
import { yamlOf } from '../packages/frontmatter/written-frontmatter.ts'
import { accessOf } from './asset.access.ts'
import type { AssetDetailRow, AssetItemRow, NewAsset } from './asset.sql.ts'

/** The reply of creation (AST-4). */
export function showCreated(asset: NewAsset & { created_at: string }) {
  return {
    id: asset.id,
    type: asset.type,
    slug: asset.slug,
    name: asset.name,
    status: asset.status,
    visibility: asset.visibility,
    currentVersionId: asset.current_version_id,
    currentVersion: { version: asset.current_version, publishedAt: null },
    createdAt: asset.created_at,
  }
}

/** An asset in a list, without its content. */
export function showItem(row: AssetItemRow): AssetItem {
  return {
    id: row.id,
    type: row.type,
    slug: row.slug,
    name: row.name,
    status: row.status,
    visibility: row.visibility,
    currentVersionId: row.current_version_id,
    currentVersion: { version: row.current_version, publishedAt: row.current_published_at },
    createdAt: row.created_at,
    description: row.description,
    iconName: row.icon_name,
    color: row.color,
    departments: row.departments,
    collectionIds: row.collection_ids,
    tags: row.tags,
    version: row.current_version,
    publishedVersion: row.published_version,
    verified: row.verified,
    usageCount: row.usage_count,
    thumbsUp: row.thumbs_up,
    thumbsDown: row.thumbs_down,
    myReaction: row.my_reaction === null ? null : row.my_reaction ? 'POSITIVE' : 'NEGATIVE',
    access: accessOf(row.access),
    author: { id: row.author_id, name: row.author_name },
    updatedAt: row.updated_at,
  }
}

/** An asset with its active content. */
export function showAsset(row: AssetDetailRow): Asset {
  return {
    ...showItem(row),
    bodyMarkdown: row.body_markdown,
    frontmatter: row.frontmatter,
    frontmatterText: yamlOf(row.frontmatter, row.frontmatter_text),
  }
}
