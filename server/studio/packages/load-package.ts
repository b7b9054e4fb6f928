import type { Db } from '#platform/data/database.ts'
import { fail } from '#platform/fail.ts'
import { filesOf } from '../files/file.sql.ts'
import type { AssetVersion } from '../versions/version.access.ts'
import { contentOf } from '../versions/version.sql.ts'
import { extraFilesOf } from './extra-files.ts'
import { type PackageFile, type PackageOptions, packageFilesOf } from './package-files.ts'

/** The files of the package of a version that the caller may read. Refuses VERSION_NOT_FOUND when it is gone. */
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
