import { createHash } from 'node:crypto'
import { limits } from '#contract/limits.ts'
import type { AssetStatus, AssetType, Visibility } from '#contract/studio/assets.ts'
import { msOf } from '#platform/clock.ts'
import { fail } from '#platform/fail.ts'
import { fold } from '#platform/fold.ts'

/** The content of a version. Changing any of it creates a version (AST-16). */
export type Content = { description: string; bodyMarkdown: string; frontmatter: Record<string, unknown> }

/** The fields that decide who reads an asset and in which access bucket it is counted and listed. */
export type AssetBucketFields = {
  author_id: string
  visibility: Visibility
  department_set: string
  status: AssetStatus
  type: AssetType
}

/**
 * Derives a slug from a name: ASCII words joined by hyphens, at most 64 characters. A name without a Latin letter gives
 * the type, followed by the digits of the name (AST-10).
 */
export function slugFrom(name: string, type: AssetType): string {
  const words = fold(name)
    .replace(/['’]/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-/, '')
  return trimSlug(/[a-z]/.test(words) ? words : `${type.toLowerCase()}-${words}`)
}

/** The slug with a number as suffix, within the length limit of slugs. */
export function numberedSlug(slug: string, n: number): string {
  const suffix = `-${n}`
  return `${trimSlug(slug, limits.assetSlug - suffix.length)}${suffix}`
}

function trimSlug(slug: string, length: number = limits.assetSlug): string {
  return slug.slice(0, length).replace(/-+$/, '')
}

/** Trims tags, puts them in lower case and removes duplicates. */
export function normalizeTags(tags: readonly string[]): string[] {
  return [...new Set(tags.map(tag => tag.trim().toLowerCase()))]
}

/** SHA-256 of a content. The order of the fields in the front matter makes no difference. */
export function contentHash({ description, bodyMarkdown, frontmatter }: Content): string {
  const text = JSON.stringify([description, bodyMarkdown, withSortedKeys(frontmatter)])
  return createHash('sha256').update(text).digest('hex')
}

function withSortedKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withSortedKeys)
  if (typeof value !== 'object' || value === null) return value
  const fields = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(fields.map(([key, field]) => [key, withSortedKeys(field)]))
}

/** The key of a set of departments; empty for no departments. */
export function departmentSetId(departmentIds: readonly string[]): string {
  if (departmentIds.length === 0) return ''
  return createHash('sha256')
    .update([...departmentIds].sort().join())
    .digest('hex')
    .slice(0, 20)
}

/** Whether every member of the organization may read the asset. */
export function isOpen({ visibility }: { visibility: Visibility }): boolean {
  return visibility === 'ORGANIZATION' || visibility === 'MARKETPLACE'
}

/** Fails with ASSET_ARCHIVED: an archived asset is read-only. */
export function assertNotArchived(asset: { status: AssetStatus }): void {
  if (asset.status === 'ARCHIVED') fail('ASSET_ARCHIVED')
}

/** Fails with ASSET_UPDATE_CONFLICT if the asset changed after the caller read it (AST-20). */
export function assertUnchanged(asset: { updated_at: string }, expectedUpdatedAt: string | undefined): void {
  if (expectedUpdatedAt === undefined) return
  if (msOf(expectedUpdatedAt) !== msOf(asset.updated_at)) fail('ASSET_UPDATE_CONFLICT')
}

/** The status of an asset that leaves the archive. */
export function statusAfterUnarchive(asset: { published_version: string | null }): AssetStatus {
  return asset.published_version === null ? 'DRAFT' : 'PUBLISHED'
}

/** The default name of a copy (AST-23). */
export function nameOfCopy(name: string): string {
  const suffix = ' (copy)'
  return `${[...name].slice(0, limits.assetName - suffix.length).join('')}${suffix}`
}

export function isSameBucket(a: AssetBucketFields, b: AssetBucketFields): boolean {
  return (
    a.author_id === b.author_id &&
    a.visibility === b.visibility &&
    a.department_set === b.department_set &&
    a.status === b.status &&
    a.type === b.type
  )
}
