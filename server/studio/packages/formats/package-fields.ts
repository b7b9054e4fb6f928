import { limits } from '#contract/limits.ts'
import { SemanticVersion } from '#contract/studio/assets.ts'
import { normalizeTags } from '../../assets/asset.rules.ts'
import { isObject } from '../frontmatter/portable-frontmatter.ts'

/** What a package tells about an asset besides its content. What it does not tell, or not soundly, is absent. */
export type PackageFields = {
  title?: string
  description?: string
  version?: string
  tags?: string[]
  iconName?: string
  color?: string
}
export type FieldName = keyof PackageFields
/** Where a value stands: `['metadata', 'version']`. */
export type FieldPath = readonly string[]
export type FieldPaths = Partial<Record<FieldName, readonly FieldPath[]>>

type Frontmatter = Record<string, unknown>

/** What the fields tell, by the first place of each that tells something. */
export function readFields(fields: Frontmatter, paths: FieldPaths): PackageFields {
  const all: PackageFields = {}
  for (const field of Object.keys(paths) as FieldName[]) {
    const value = readAt(fields, fieldPathOf(fields, paths, field), field)
    if (value !== undefined) Object.assign(all, { [field]: value })
  }
  return all
}

/** The first of its places that tells a field. */
export function fieldPathOf(fields: Frontmatter, paths: FieldPaths, field: FieldName): FieldPath | undefined {
  return paths[field]?.find(path => readAt(fields, path, field) !== undefined)
}

export type TruncatedField = { field: Exclude<FieldName, 'version'>; message: string }

/** Which fields the package tells at more length than an asset has room for, and what becomes of them. */
export function findTruncated(fields: Frontmatter, paths: FieldPaths): TruncatedField[] {
  const truncated: TruncatedField[] = []
  for (const field of Object.keys(truncationMessages) as TruncatedField['field'][]) {
    const value = (paths[field] ?? []).map(path => valueAt(fields, path)).find(hasValue)
    if (value !== undefined && !fitsLimits[field](value))
      truncated.push({ field, message: truncationMessages[field] })
  }
  return truncated
}

const truncationMessages: Record<TruncatedField['field'], string> = {
  title: `The name is cut: it has more than ${limits.assetName} characters.`,
  description: `The description is cut: it has more than ${limits.assetDescription} characters.`,
  tags: `Tags are left out: an asset has at most ${limits.assetTags}, of at most ${limits.assetTag} characters.`,
  iconName: `The icon is left out: its name has more than ${limits.assetIconName} characters.`,
  color: `The color is left out: it has more than ${limits.assetColor} characters.`,
}

const hasValue = (value: unknown) => Array.isArray(value) || textOf(value).trim() !== ''
const fitsLength = (value: unknown, maxLength: number) => characterCount(textOf(value).trim()) <= maxLength
const fitsLimits: Record<TruncatedField['field'], (value: unknown) => boolean> = {
  title: value => fitsLength(oneLine(textOf(value)), limits.assetName),
  description: value => fitsLength(value, limits.assetDescription),
  tags(value) {
    const tags = normalizeTags(wordsOf(value)).filter(Boolean)
    return tags.length <= limits.assetTags && tags.every(tag => characterCount(tag) <= limits.assetTag)
  },
  iconName: value => fitsLength(value, limits.assetIconName),
  color: value => fitsLength(value, limits.assetColor),
}

/** Characters are counted as the contract counts them: by code point. */
function characterCount(text: string): number {
  return [...text].length
}

function readAt(fields: Frontmatter, path: FieldPath | undefined, field: FieldName): unknown {
  return path && readers[field](valueAt(fields, path))
}

/** The value at a place, or undefined. */
export function valueAt(fields: Frontmatter, path: FieldPath): unknown {
  let value: unknown = fields
  for (const key of path) value = isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined
  return value
}

const readers: { [Name in FieldName]: (value: unknown) => PackageFields[Name] } = {
  title: value => parseName(textOf(value)),
  description: value => truncate(textOf(value).trim(), limits.assetDescription) || undefined,
  version: value => parseVersion(textOf(value)),
  tags: parseTags,
  iconName: value => shortText(value, limits.assetIconName),
  color: value => shortText(value, limits.assetColor),
}

/** A name on one line, not too long; undefined when nothing is left of it. */
export function parseName(text: string): string | undefined {
  const name = truncate(oneLine(text), limits.assetName).trim()
  return /[^\p{Z}]/u.test(name) ? name : undefined
}

function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim()
}

const semantic = new RegExp((SemanticVersion as unknown as { pattern: string }).pattern)

/** The semantic version that is meant: `v2` is 2.0.0, and build metadata is left out. */
export function parseVersion(text: string): string | undefined {
  const [, core = '', prerelease = ''] = /^v?(\d+(?:\.\d+){0,2})(-[^+]*)?(?:\+.*)?$/.exec(text.trim()) ?? []
  const numbers = core.split('.')
  const version = `${[...numbers, '0', '0'].slice(0, 3).join('.')}${prerelease}`
  return version.length <= limits.assetVersion && semantic.test(version) ? version : undefined
}

/** Labels from a list or from words between commas. Undefined when it is neither. */
export function parseTags(value: unknown): string[] | undefined {
  if (typeof value !== 'string' && !Array.isArray(value)) return undefined
  const tags = normalizeTags(wordsOf(value)).filter(
    tag => tag !== '' && characterCount(tag) <= limits.assetTag,
  )
  return tags.slice(0, limits.assetTags)
}

function wordsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.map(textOf) : textOf(value).split(',')
}

function shortText(value: unknown, maxLength: number): string | undefined {
  const text = textOf(value).trim()
  return text !== '' && characterCount(text) <= maxLength ? text : undefined
}

/** A text, or a number or yes and no as text; empty for anything else. */
export function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : ''
}

function truncate(text: string, maxLength: number): string {
  return text.length <= maxLength ? text : [...text].slice(0, maxLength).join('')
}
