import type { PackageProfile } from '#contract/studio/packages.ts'
import { contentsOf, type PackageFile } from '../packages/contents.ts'
import type { Packaged } from '../packages/packaged.ts'
import type { ContentRow, ToolFile } from './tool.sql.ts'

/** What the package of a published version says. */
export function packagedOf(row: ContentRow): Packaged & { contentHash: string } {
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

/** The files of a published version as tools install it: no folder around them, and nothing that only Patio reads. */
export function toolFilesOf(
  row: ContentRow,
  files: readonly ToolFile[],
  profile: PackageProfile,
): PackageFile[] {
  return contentsOf(packagedOf(row), files, { layout: 'flat', profile, sidecar: false })
}
