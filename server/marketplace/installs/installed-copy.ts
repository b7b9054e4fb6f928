import { limits } from '#contract/limits.ts'
import type { Db } from '#platform/data/db.ts'
import { fail } from '#platform/fail.ts'
import { inThread } from '#platform/threads.ts'
import {
  type AssetRow,
  contentHash,
  contentOf,
  filesOf,
  isHigher,
  nextVersion,
  type StoredContent,
  versionOf,
} from '#server/studio/index.ts'
import type { LockedInstallRow } from './install.sql.ts'
import { type AssetCopy, mergeCopies } from './merge/merge-copies.ts'
import type { CopiedFile } from './merge/merge-files.ts'
import type { MergeResult, MergeSide } from './merge/merge-value.ts'
import type { ListedRelease, ReleaseContent } from './release.sql.ts'

/** An install and its copy, both locked, with the installed and the new release. */
export type LockedInstall = {
  install: LockedInstallRow
  asset: AssetRow
  base: ReleaseContent
  theirs: ListedRelease
}
/** The active version of a copy, and the number of its next one. */
export type ActiveVersion = { content: StoredContent; files: CopiedFile[]; next: string }

/**
 * The current content of a copy. The next number is that of the release if it is higher and free, or else the next patch.
 */
export async function activeOf(db: Db, { asset, theirs }: LockedInstall): Promise<ActiveVersion> {
  const [content, files, next, taken] = await Promise.all([
    contentOf(db, asset.current_version_id),
    filesOf(db, asset.current_version_id),
    nextVersion(db, asset.id, asset.current_version),
    versionOf(db, asset.id, theirs.version),
  ])
  const isFree = !taken && isHigher(theirs.version, asset.current_version)
  return {
    content: content ?? fail('ASSET_NOT_FOUND'),
    files: files.map(({ path, content_type, size, sha256 }) => ({
      path,
      contentType: content_type,
      size,
      sha256,
    })),
    next: isFree ? theirs.version : next,
  }
}

/** Longer texts take milliseconds to merge. */
const longTexts = 32_768

/**
 * Merges the release with local changes. A custom name stays. Long texts are merged in a worker thread.
 */
export async function mergeRelease(
  locked: LockedInstall,
  { content, files }: ActiveVersion,
  take: MergeSide | undefined,
): Promise<MergeResult<AssetCopy>> {
  const { install, asset, base, theirs } = locked
  const name = install.custom_name === null ? undefined : asset.name
  const yours = {
    name: asset.name,
    description: content.description,
    bodyMarkdown: content.bodyMarkdown,
    frontmatter: { fields: content.frontmatter, text: content.frontmatterText },
    files,
  }
  const merge = { base: released(base, name), yours, theirs: released(theirs, name), take }
  const length = [merge.base, yours, merge.theirs].reduce((sum, copy) => sum + copy.bodyMarkdown.length, 0)
  if (length <= longTexts) return mergeCopies(merge)
  return inThread<typeof mergeCopies>(
    new URL('./merge/merge-copies.ts', import.meta.url),
    'mergeCopies',
    merge,
  )
}

/** A release as an install copies it, under its own name or a custom one. */
function released(release: ReleaseContent, name = release.name): AssetCopy {
  return {
    name,
    description: release.description,
    bodyMarkdown: release.body_markdown,
    frontmatter: { fields: release.frontmatter, text: release.frontmatter_text },
    files: release.files.filter(({ isThere }) => isThere),
  }
}

/** True if the result contains no local changes. */
export function isAsReleased({ theirs }: LockedInstall, merged: AssetCopy): boolean {
  const as = released(theirs)
  return versionContent(merged).hash === versionContent(as).hash && isSameFiles(merged.files, as.files)
}

/** Tags, icon and colour follow the release until they are changed locally. */
export function presentationAfter({ asset, base, theirs }: LockedInstall): {
  tags: string[]
  iconName: string | null
  color: string | null
} {
  const isOurTags = asset.tags.join('\n') === base.asset_tags.join('\n')
  return {
    tags: isOurTags ? theirs.asset_tags : asset.tags,
    iconName: asset.icon_name === base.icon_name ? theirs.icon_name : asset.icon_name,
    color: asset.color === base.color ? theirs.color : asset.color,
  }
}

/** The content of a copy as versions store it. */
export function versionContent({ description, bodyMarkdown, frontmatter }: AssetCopy): StoredContent {
  const content = { description, bodyMarkdown, frontmatter: frontmatter.fields }
  return { ...content, frontmatterText: frontmatter.text, hash: contentHash(content) }
}

/** True if two lists of attachments are the same by path and digest, in any order. */
export function isSameFiles(one: readonly CopiedFile[], other: readonly CopiedFile[]): boolean {
  const digests = new Map(one.map(({ path, sha256 }) => [path, sha256]))
  return one.length === other.length && other.every(({ path, sha256 }) => digests.get(path) === sha256)
}

/** A merge may exceed the limits of a version. Refuses TOO_MANY_FILES and FILE_TOO_LARGE. */
export function assertWithinVersionLimits(files: readonly CopiedFile[]): void {
  const { filesPerVersion, versionBytes } = limits
  if (files.length > filesPerVersion) fail('TOO_MANY_FILES', { limit: filesPerVersion })
  const bytes = files.reduce((sum, { size }) => sum + size, 0)
  if (bytes > versionBytes) fail('FILE_TOO_LARGE', { limit: versionBytes })
}
