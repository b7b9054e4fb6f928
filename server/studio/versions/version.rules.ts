import increase from 'semver/functions/inc.js'
import type { VersionBump } from '#contract/studio/versions.ts'
import type { AssetRow } from '../assets/asset.access.ts'
import { type Content, contentHash } from '../assets/asset.rules.ts'

/** A content as a version keeps it: with its digest, and the front matter as it was imported. */
export type StoredContent = Content & { frontmatterText: string | null; hash: string }

/** Longer than a number of a version can be. */
const numberWidth = 10
/** After the digits and before the letters: the end of all numbers that begin alike. */
const lineEnd = ':'

/**
 * A key whose order by bytes is the order of versions by precedence (Semantic Versioning 2.0.0, 11): the three
 * numbers, then `~` for a release, or the identifiers of a pre-release, which come before it. An identifier
 * of digits has its length in front, and `!` sorts before whatever an identifier can hold.
 */
export function precedenceOf(version: string): string {
  const at = version.indexOf('-')
  if (at === -1) return `${paddedNumbers(version)}~`
  const identifiers = version.slice(at + 1).split('.')
  return paddedNumbers(version.slice(0, at)) + identifiers.map(identifierKey).join('!')
}

/** True when a version comes after another by precedence. */
export function isHigher(version: string, other: string): boolean {
  return precedenceOf(version) > precedenceOf(other)
}

function paddedNumbers(core: string): string {
  return core
    .split('.')
    .map(number => number.padStart(numberWidth, '0'))
    .join('')
}

function identifierKey(identifier: string): string {
  const isNumber = /^\d+$/.test(identifier)
  return isNumber ? `1${String(identifier.length).padStart(2, '0')}${identifier}` : `2${identifier}`
}

/** How many numbers the versions have in common among which a bump looks for the highest. */
const sharedNumbers: Record<VersionBump, number> = { major: 0, minor: 1, patch: 2 }

/** The end of a line of versions, as a key: all that a bump of `version` must come after stands before it. */
export function releaseLineEnd(version: string, bump: VersionBump): string {
  return precedenceOf(version).slice(0, sharedNumbers[bump] * numberWidth) + lineEnd
}

/** The version that a bump makes of the highest of its line: no version has had it. */
export function bumpVersion(highest: string, bump: VersionBump): string {
  const next = increase(highest, bump)
  if (next === null) throw new Error(`${highest} is no semantic version`)
  return next
}

/**
 * A content with some of it changed. Front matter that says the same stays as it was written, with its text;
 * another one has no text of its own.
 */
export function mergeContent(active: StoredContent, change: Partial<Content>): StoredContent {
  const { description = active.description, bodyMarkdown = active.bodyMarkdown } = change
  const isUnchanged =
    change.frontmatter === undefined || isSameFrontmatter(active, { frontmatter: change.frontmatter })
  const frontmatter = isUnchanged ? active.frontmatter : change.frontmatter!
  const content = { description, bodyMarkdown, frontmatter }
  return {
    ...content,
    frontmatterText: isUnchanged ? active.frontmatterText : null,
    hash: contentHash(content),
  }
}

/** Which parts of a content differ. */
export function changedContent(before: StoredContent, after: StoredContent): (keyof Content)[] {
  if (before.hash === after.hash) return []
  const changed: (keyof Content)[] = []
  if (before.description !== after.description) changed.push('description')
  if (before.bodyMarkdown !== after.bodyMarkdown) changed.push('bodyMarkdown')
  if (!isSameFrontmatter(before, after)) changed.push('frontmatter')
  return changed
}

/** Whether search must learn the words of a content anew. */
export function changesContentText(changed: readonly string[]): boolean {
  return changed.includes('description') || changed.includes('bodyMarkdown')
}

type Frontmatter = Pick<Content, 'frontmatter'>
function isSameFrontmatter(a: Frontmatter, b: Frontmatter): boolean {
  const digest = ({ frontmatter }: Frontmatter) =>
    contentHash({ description: '', bodyMarkdown: '', frontmatter })
  return digest(a) === digest(b)
}

/** The asset with another active version, which is not published unless it says when. */
export function withActive(
  asset: AssetRow,
  { id, version, description, publishedAt = null }: ActiveVersion,
): AssetRow {
  return {
    ...asset,
    description,
    current_version_id: id,
    current_version: version,
    current_published_at: publishedAt,
  }
}
type ActiveVersion = { id: string; version: string; description: string; publishedAt?: string | null }

/** The asset with its active version published. */
export function withPublished(asset: AssetRow, publishedAt: string): AssetRow {
  return {
    ...asset,
    status: 'PUBLISHED',
    current_published_at: publishedAt,
    published_version: asset.current_version,
  }
}

/** The asset without the mark of verification: what it was given for has changed. */
export function withoutVerification(asset: AssetRow): AssetRow {
  return { ...asset, verified_version_id: null, verified_version: null, verified_by: null, verified_at: null }
}
