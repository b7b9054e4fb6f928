import { createHash } from 'node:crypto'
import { limits } from '#contract/limits.ts'
import type { AssetStatus, AssetType, Visibility } from '#contract/studio/assets.ts'
import { msOf } from '#platform/clock.ts'
import { fail } from '#platform/fail.ts'
import { fold } from '#platform/fold.ts'

/** What a version holds of an asset. Changing any of it takes a version. */
export type Content = { description: string; bodyMarkdown: string; frontmatter: Record<string, unknown> }

/** Where an asset stands in the catalogue: who reads it, and the shelf it is counted and listed on. */
export type Standing = {
  author_id: string
  visibility: Visibility
  department_set: string
  status: AssetStatus
  type: AssetType
}

/**
 * The slug that a name asks for: ASCII words joined by hyphens, at most 64 characters. A name without a Latin
 * letter gives the type, with the digits of the name if it has any.
 */
export function slugFrom(name: string, type: AssetType): string {
  const words = fold(name)
    .replace(/['’]/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-/, '')
  return trimSlug(/[a-z]/.test(words) ? words : `${type.toLowerCase()}-${words}`)
}

/** The slug with a number behind it, still no longer than a slug may be. */
export function numberedSlug(slug: string, n: number): string {
  const suffix = `-${n}`
  return `${trimSlug(slug, limits.assetSlug - suffix.length)}${suffix}`
}

function trimSlug(slug: string, length: number = limits.assetSlug): string {
  return slug.slice(0, length).replace(/-+$/, '')
}

/** Each label once, in lower case, without spaces around it. */
export function normalizeTags(tags: readonly string[]): string[] {
  return [...new Set(tags.map(tag => tag.trim().toLowerCase()))]
}

/** SHA-256 of a content; the order of fields in the front matter makes no difference. */
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

/** The key of a set of departments; empty for none. */
export function departmentSetId(departmentIds: readonly string[]): string {
  if (departmentIds.length === 0) return ''
  return createHash('sha256')
    .update([...departmentIds].sort().join())
    .digest('hex')
    .slice(0, 20)
}

/** Everybody in the organization may read the asset. */
export function isOpen({ visibility }: { visibility: Visibility }): boolean {
  return visibility === 'ORGANIZATION' || visibility === 'MARKETPLACE'
}

/** An archived asset is read-only. */
export function assertNotArchived(asset: { status: AssetStatus }): void {
  if (asset.status === 'ARCHIVED') fail('ASSET_ARCHIVED')
}

/** Refuses when the asset changed after the caller read it. */
export function assertUnchanged(asset: { updated_at: string }, expectedUpdatedAt: string | undefined): void {
  if (expectedUpdatedAt === undefined) return
  if (msOf(expectedUpdatedAt) !== msOf(asset.updated_at)) fail('ASSET_UPDATE_CONFLICT')
}

/** Out of the archive an asset is what its versions make it. */
export function statusAfterUnarchive(asset: { published_version: string | null }): AssetStatus {
  return asset.published_version === null ? 'DRAFT' : 'PUBLISHED'
}

/** The name of a copy that was given none. */
export function nameOfCopy(name: string): string {
  const suffix = ' (copy)'
  return `${[...name].slice(0, limits.assetName - suffix.length).join('')}${suffix}`
}

export function isSameStanding(a: Standing, b: Standing): boolean {
  return (
    a.author_id === b.author_id &&
    a.visibility === b.visibility &&
    a.department_set === b.department_set &&
    a.status === b.status &&
    a.type === b.type
  )
}
