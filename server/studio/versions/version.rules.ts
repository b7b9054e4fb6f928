import increase from 'semver/functions/inc.js'
import type { VersionBump } from '#contract/studio/versions.ts'
import type { AssetRow } from '../assets/asset.access.ts'
import { type Content, contentHash } from '../assets/asset.rules.ts'
import { type ContentChange, yamlOf } from '../packages/frontmatter/written-frontmatter.ts'

/** A stored content: with its digest, and with the text of front matter that was imported or written as YAML. */
export type StoredContent = Content & { frontmatterText: string | null; hash: string }

/** More digits than a number in a version can have. */
const numberWidth = 10
/** Sorts after all digits and before all letters: an upper bound for keys with the same prefix. */
const lineEnd = ':'

/**
 * A key that sorts by bytes as versions sort by precedence (Semantic Versioning 2.0.0, 11): the three padded numbers,
 * then `~` for a release or the identifiers of a pre-release, which sort before it. A numeric identifier is prefixed with
 * its length, and the separator `!` sorts before every character of an identifier.
 */
export function precedenceOf(version: string): string {
  const at = version.indexOf('-')
  if (at === -1) return `${paddedNumbers(version)}~`
  const identifiers = version.slice(at + 1).split('.')
  return paddedNumbers(version.slice(0, at)) + identifiers.map(identifierKey).join('!')
}

/** Whether a version has a higher precedence than another. */
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

/** How many leading numbers a release line shares: a bump follows the highest version of its line. */
const sharedNumbers: Record<VersionBump, number> = { major: 0, minor: 1, patch: 2 }

/** The upper bound of the keys of a release line: a bump of `version` follows the highest version below it. */
export function releaseLineEnd(version: string, bump: VersionBump): string {
  return precedenceOf(version).slice(0, sharedNumbers[bump] * numberWidth) + lineEnd
}

/** The version after the highest one of a release line. */
export function bumpVersion(highest: string, bump: VersionBump): string {
  const next = increase(highest, bump)
  if (next === null) throw new Error(`${highest} is not a semantic version`)
  return next
}

/**
 * The active content with the changed parts. Equal front matter keeps its text, unless the change has another one;
 * different front matter has the text of the change or none.
 */
export function mergeContent(active: StoredContent, change: ContentChange): StoredContent {
  const { description = active.description, bodyMarkdown = active.bodyMarkdown } = change
  const isUnchanged =
    change.frontmatter === undefined ||
    (isSameFrontmatter(active, { frontmatter: change.frontmatter }) && !isRespelled(active, change))
  const frontmatter = isUnchanged ? active.frontmatter : change.frontmatter!
  const content = { description, bodyMarkdown, frontmatter }
  return {
    ...content,
    frontmatterText: isUnchanged ? active.frontmatterText : (change.frontmatterText ?? null),
    hash: contentHash(content),
  }
}

/** Whether the change writes the front matter with another text. */
function isRespelled({ frontmatter, frontmatterText }: StoredContent, change: ContentChange): boolean {
  if (change.frontmatterText === undefined || change.frontmatter === undefined) return false
  return yamlOf(frontmatter, frontmatterText) !== yamlOf(change.frontmatter, change.frontmatterText)
}

/** The parts of a content that differ. */
export function changedContent(before: StoredContent, after: StoredContent): (keyof Content)[] {
  if (before.hash === after.hash && before.frontmatterText === after.frontmatterText) return []
  const changed: (keyof Content)[] = []
  if (before.description !== after.description) changed.push('description')
  if (before.bodyMarkdown !== after.bodyMarkdown) changed.push('bodyMarkdown')
  const isOtherText = before.frontmatterText !== after.frontmatterText
  if (isOtherText || !isSameFrontmatter(before, after)) changed.push('frontmatter')
  return changed
}

/** Whether the change affects text that search indexes. */
export function changesContentText(changed: readonly string[]): boolean {
  return changed.includes('description') || changed.includes('bodyMarkdown')
}

type Frontmatter = Pick<Content, 'frontmatter'>
function isSameFrontmatter(a: Frontmatter, b: Frontmatter): boolean {
  const digest = ({ frontmatter }: Frontmatter) =>
    contentHash({ description: '', bodyMarkdown: '', frontmatter })
  return digest(a) === digest(b)
}

/** The asset with another active version, which is unpublished unless `publishedAt` is given. */
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

/** The asset without its verification, after the verified version changed. */
export function withoutVerification(asset: AssetRow): AssetRow {
  return { ...asset, verified_version_id: null, verified_version: null, verified_by: null, verified_at: null }
}
