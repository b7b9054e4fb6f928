import type { Db } from '#platform/data/db.ts'
import { fail } from '#platform/fail.ts'
import { filesOf } from '../files/file.sql.ts'
import type { AssetVersion } from '../versions/version.access.ts'
import { contentOf } from '../versions/version.sql.ts'
import { extraFilesOf } from './extra-files.ts'
import { type PackageFile, type PackageOptions, packageFilesOf } from './package-files.ts'

/** Builds the package of a version that the caller may read. Fails with VERSION_NOT_FOUND if it was deleted meanwhile. */
export async function loadPackage(
  db: Db,
  { asset, version }: AssetVersion,
  options: PackageOptions,
): Promise<PackageFile[]> {
  const [content, files, extraFiles] = await Promise.all([
    contentOf(db, version.id),
    filesOf(db, version.id),
    options.sidecar ? extraFilesOf(db, { assetId: asset.id, versionId: version.id }) : [],
  ])
  const { description, bodyMarkdown, frontmatter, frontmatterText } = content ?? fail('VERSION_NOT_FOUND')
  return packageFilesOf(
    {
      type: asset.type,
      slug: asset.slug,
      name: asset.name,
      description,
      version: version.version,
      changelog: version.changelog,
      tags: asset.tags,
      iconName: asset.icon_name,
      color: asset.color,
      bodyMarkdown,
      frontmatter,
      frontmatterText,
      contentHash: version.content_hash,
    },
    files,
    options,
    extraFiles,
  )
}
