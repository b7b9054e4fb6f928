import { limits } from '#contract/limits.ts'
import { type AssetType, Slug } from '#contract/studio/assets.ts'
import { slugFrom } from '../../assets/asset.rules.ts'
import { stemOf } from '../detect.ts'
import { isObject, portableKeys, portableLengths } from '../frontmatter/portable-frontmatter.ts'
import { readYaml } from '../frontmatter/read-yaml.ts'
import { splitMarkdown } from '../frontmatter/split-markdown.ts'
import { quoteStart, rejectPackage } from '../package-errors.ts'
import type { PackageReader } from '../package-reader.ts'
import type { PackagedAsset } from '../packaged-asset.ts'
import { type MarkdownType, readMarkdownFields, truncatedMarkdownFields } from './markdown.ts'
import { type PackageFields, parseName, type TruncatedField, textOf } from './package-fields.ts'

type Fields = Record<string, unknown>
/** Fields from the sidecar, for what the files do not say. */
export type FallbackFields = PackageFields & { changelog: string | null }

/** Reads an asset from a Markdown file with front matter. Throws InvalidPackageError. */
export async function readMarkdown(
  type: MarkdownType,
  path: string,
  reader: PackageReader,
  fallback: FallbackFields | undefined,
): Promise<PackagedAsset> {
  const text = (await reader.text(path)) ?? ''
  const split = splitMarkdown(text)
  if (split === 'unclosed')
    return rejectPackage('frontmatter-unclosed', path, 'The front matter is not closed.', 1)
  if (split === 'language')
    return rejectPackage('frontmatter-language', path, 'Only YAML is allowed as front matter.', 1)
  if (split.head.startsWith('\ufeff'))
    reader.warn(
      'byte-order-mark',
      path,
      'The file starts with a byte order mark, which some programs do not expect.',
    )
  const { value: fields, repaired } = readYaml(split.yaml, path)
  for (const line of repaired)
    reader.warn('colon-unquoted', path, 'The value contains a colon and needs quotes.', line + 1)

  const parsed = readMarkdownFields(type, fields)
  if (type === 'SKILL') assertSkill(fields, parsed, path, reader)
  if (type === 'AGENT' && parsed.description === undefined)
    reader.warn('description-missing', path, 'An agent needs a description.')
  warnVersion(type, fields, parsed, path, reader)
  warnTruncated(truncatedMarkdownFields(type, fields), path, reader)
  const known: PackageFields = { ...fallback, ...parsed }
  const stem = stemOf(path)
  const declaredName = textOf(fields.name).trim()
  const sourceName =
    type === 'SKILL'
      ? declaredName || reader.folder || 'skill'
      : type === 'AGENT'
        ? declaredName || stem
        : stem
  return {
    type,
    slug: slugOf(sourceName, type, path, reader),
    name: known.title ?? parseName(sourceName) ?? type.toLowerCase(),
    description: known.description ?? '',
    version: known.version ?? '1.0.0',
    changelog: fallback?.changelog ?? null,
    tags: known.tags ?? [],
    iconName: known.iconName ?? null,
    color: known.color ?? null,
    bodyMarkdown: split.body,
    frontmatter: fields,
    frontmatterText: split.head,
  }
}

/** Rejects a body that exceeds the limit. */
export function assertBody(body: string, path: string | null): void {
  if (isTooLong(body))
    rejectPackage('body-too-long', path, `The text has more than ${limits.assetBody} characters.`)
}

/** Counts characters as the contract does: by code point. */
export function isTooLong(body: string): boolean {
  return body.length > limits.assetBody && [...body].length > limits.assetBody
}

const slug = new RegExp((Slug as unknown as { pattern: string }).pattern)

/** The name if it is a valid slug. Otherwise a slug derived from it, with a warning. */
export function slugOf(name: string, type: AssetType, path: string, reader: PackageReader): string {
  if (slug.test(name) && name.length <= limits.assetSlug) return name
  const nearest = slugFrom(name, type)
  reader.warn(
    'name-invalid',
    path,
    `The name is not lower-case words joined by hyphens. It becomes ${nearest}.`,
  )
  return nearest
}

/** A missing required field of a skill is an error (PKG-8), anything else a warning (PKG-7). */
function assertSkill(
  fields: Fields,
  parsed: PackageFields,
  path: string,
  { folder, warn }: PackageReader,
): void {
  if (parsed.description === undefined)
    rejectPackage('description-missing', path, 'A skill needs a description.')
  if (path !== 'SKILL.md') warn('skill-file-name', path, 'The file should be called SKILL.md.')
  const name = textOf(fields.name).trim()
  if (name === '') warn('name-missing', path, 'A skill should have a name.')
  else if (folder !== undefined && name !== folder)
    warn(
      'name-mismatch',
      path,
      `The name is ${quoteStart(name)}, but the folder is called ${quoteStart(folder)}.`,
    )
  if ([...textOf(fields.description)].length > portableLengths.description)
    warn('description-long', path, `The description has more than ${portableLengths.description} characters.`)
  for (const [key, value] of Object.entries(fields)) {
    if (!portableKeys.some(known => known === key))
      warn('key-unknown', path, `Some clients do not know the key ${quoteStart(key)}.`)
    else if (!hasExpectedType(key, value))
      warn('value-unexpected', path, `The value of ${key} is not what clients expect.`)
  }
}

function hasExpectedType(key: string, value: unknown): boolean {
  if (key !== 'metadata') return typeof value === 'string'
  return isObject(value) && Object.values(value).every(field => typeof field === 'string')
}

const truncationCodes: Record<TruncatedField['field'], string> = {
  title: 'name-cut',
  description: 'description-cut',
  tags: 'tags-cut',
  iconName: 'icon-cut',
  color: 'color-cut',
}

/** Warns about every field that is truncated or dropped. */
export function warnTruncated(
  truncated: readonly TruncatedField[],
  path: string | null,
  { warn }: PackageReader,
): void {
  for (const { field, message } of truncated) warn(truncationCodes[field], path, message)
}

function warnVersion(
  type: MarkdownType,
  fields: Fields,
  parsed: PackageFields,
  path: string,
  { warn }: PackageReader,
): void {
  const inMetadata = type === 'SKILL' && isObject(fields.metadata) ? fields.metadata.version : undefined
  const written = textOf(inMetadata) || textOf(fields.version)
  if (written === '' || written === parsed.version) return
  if (parsed.version === undefined)
    warn('version-invalid', path, 'The version is not a semantic version and is ignored.')
  else warn('version-inexact', path, `The version is read as ${parsed.version}.`)
}
