import { diffVersions, type VersionDifference } from '#contract/studio/versions.ts'
import { fail } from '#platform/fail.ts'
import { reads } from '#platform/serve.ts'
import { accessOf, readerOf } from '../assets/access.ts'
import { differenceOfFields, differenceOfFiles, differenceOfTexts } from './difference.ts'
import { type ComparedRow, comparedVersions } from './history/store.ts'

/** What differs between two versions of an asset: lines of the texts, fields of the front matter, files. */
export const diff = reads(diffVersions, async ({ db, caller, params: { id, a, b } }) => {
  const [from, to] = await comparedVersions(db, readerOf(caller), id, a, b)
  if (!from || !to) fail('ASSET_NOT_FOUND')
  accessOf(from.access)
  if (from.version === null || to.version === null) fail('VERSION_NOT_FOUND')
  return difference(from, to)
})

/** What differs between two versions, or between two releases of them. */
export function difference(from: ComparedRow, to: ComparedRow): VersionDifference {
  const parts = {
    description: differenceOfTexts(from.description, to.description),
    bodyMarkdown: differenceOfTexts(from.body_markdown, to.body_markdown),
    frontmatter: differenceOfFields(from.frontmatter, to.frontmatter),
    files: differenceOfFiles(from.files, to.files),
  }
  const isSame =
    parts.description === null &&
    parts.bodyMarkdown === null &&
    parts.frontmatter.length === 0 &&
    parts.files.length === 0
  return { from: from.version, to: to.version, isSame, ...parts }
}
