import type { Db } from '#platform/data/db.ts'
import { fail } from '#platform/fail.ts'
import type { Caller } from '#platform/http/caller.ts'
import {
  type AssetRow,
  assetFor,
  contentOf,
  type FileRow,
  filesOf,
  type StoredContent,
  type VersionRow,
  versionOf,
} from '#server/studio/index.ts'

/** The source of a submission: an asset of the caller with its published version. */
export type SubmissionSource = {
  asset: AssetRow
  version: VersionRow
  content: StoredContent
  files: FileRow[]
}

/**
 * The published version of an asset of the caller. Refuses ASSET_NOT_FOUND if they may not read it, ASSET_NOT_OWN if
 * someone else is its author, and ASSET_NOT_PUBLISHED (ENT-3).
 */
export async function sourceFor(db: Db, caller: Caller, assetId: string): Promise<SubmissionSource> {
  const asset = await assetFor(db, caller, assetId, 'read')
  const version = await versionOf(db, assetId, publishedVersion(caller, asset))
  if (!version?.published_at) fail('ASSET_NOT_PUBLISHED')
  const [content, files] = await Promise.all([contentOf(db, version.id), filesOf(db, version.id)])
  return { asset, version, content: content ?? fail('ASSET_NOT_FOUND'), files }
}

/** The version that the caller may submit. Refuses ASSET_NOT_OWN and ASSET_NOT_PUBLISHED. */
export function publishedVersion(caller: Caller, asset: AssetRow): string {
  if (asset.author_id !== caller.personId) fail('ASSET_NOT_OWN')
  if (asset.status !== 'PUBLISHED' || asset.published_version === null) fail('ASSET_NOT_PUBLISHED')
  return asset.published_version
}
