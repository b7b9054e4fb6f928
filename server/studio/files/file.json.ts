import type { Attachment } from '#contract/studio/files.ts'
import { filenameOf } from './file.rules.ts'
import type { FileRow } from './file.sql.ts'

/** An attachment of a version. */
export function showFile(row: FileRow): Attachment {
  return {
    id: row.id,
    assetId: row.asset_id,
    versionId: row.version_id,
    version: row.version,
    path: row.path,
    filename: filenameOf(row.path),
    contentType: row.content_type,
    size: row.size,
    sha256: row.sha256,
    createdBy: { id: row.created_by, name: row.created_by_name },
    createdAt: row.created_at,
  }
}
