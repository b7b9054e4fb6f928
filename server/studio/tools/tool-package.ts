import type { PackageProfile } from '#contract/studio/packages.ts'
import { type PackageFile, packageFilesOf } from '../packages/package-files.ts'
import type { PackagedAsset } from '../packages/packaged-asset.ts'
import type { PublishedContentRow, ToolFile } from './tool.sql.ts'

/** The packaged asset of a published version. */
export function packagedAssetOf(row: PublishedContentRow): PackagedAsset & { contentHash: string } {
  return {
    type: row.type,
    slug: row.slug,
    name: row.name,
    description: row.description,
    version: row.version,
    changelog: row.changelog,
    tags: row.tags,
    iconName: row.icon_name,
    color: row.color,
    bodyMarkdown: row.body_markdown,
    frontmatter: row.frontmatter,
    frontmatterText: row.frontmatter_text,
    contentHash: row.content_hash,
  }
}

/** The files of a published version for installation: without an enclosing folder and without the sidecar. */
export function toolFilesOf(
  row: PublishedContentRow,
  files: readonly ToolFile[],
  profile: PackageProfile,
): PackageFile[] {
  return packageFilesOf(packagedAssetOf(row), files, { layout: 'flat', profile, sidecar: false })
}
