import type { Db } from '#platform/data/database.ts'
import { fail } from '#platform/fail.ts'
import { filesOf } from '../files/file.sql.ts'
import type { Reached } from '../versions/version.access.ts'
import { contentOf } from '../versions/version.sql.ts'
import { companionsOf } from './companions.ts'
import { contentsOf, type PackageFile, type PackageOptions } from './contents.ts'

/** The files of the package of a version that the caller may read. Refuses VERSION_NOT_FOUND when it is gone. */
export async function packageOf(
  db: Db,
  { asset, version }: Reached,
  options: PackageOptions,
): Promise<PackageFile[]> {
  const [content, files, companions] = await Promise.all([
    contentOf(db, version.id),
    filesOf(db, version.id),
    options.sidecar ? companionsOf(db, { assetId: asset.id, versionId: version.id }) : [],
  ])
  const { description, bodyMarkdown, frontmatter, frontmatterText } = content ?? fail('VERSION_NOT_FOUND')
  return contentsOf(
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
    companions,
  )
}
