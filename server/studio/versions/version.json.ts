import type { Version, VersionItem } from '#contract/studio/versions.ts'
import { yamlOf } from '../packages/frontmatter/written-frontmatter.ts'
import type { VersionDetailRow, VersionItemRow } from './version-history.sql.ts'

/** A version in the history, without its content. */
export function showVersionItem(row: VersionItemRow): VersionItem {
  return {
    id: row.id,
    assetId: row.asset_id,
    version: row.version,
    changelog: row.changelog,
    description: row.description,
    contentHash: row.content_hash,
    filesCount: row.files_count,
    totalBytes: row.total_bytes,
    isCurrent: row.is_current,
    createdBy: { id: row.created_by, name: row.created_by_name },
    createdAt: row.created_at,
    publishedAt: row.published_at,
    publishedBy: row.published_by === null ? null : { id: row.published_by, name: row.published_by_name },
    restoredFrom: row.restored_from,
  }
}

/** A version with its content. */
export function showVersion(row: VersionDetailRow): Version {
  return {
    ...showVersionItem(row),
    bodyMarkdown: row.body_markdown,
    frontmatter: row.frontmatter,
    frontmatterText: yamlOf(row.frontmatter, row.frontmatter_text),
  }
}
