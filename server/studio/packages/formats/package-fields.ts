import { limits } from '#contract/limits.ts'
import { SemanticVersion } from '#contract/studio/assets.ts'
import { normalizeTags } from '../../assets/asset.rules.ts'
import { isObject } from '../frontmatter/portable-frontmatter.ts'

/** The asset fields in a package besides its content. Missing and invalid fields are absent. */
export type PackageFields = {
  title?: string
  description?: string
  version?: string
  tags?: string[]
  iconName?: string
  color?: string
}
export type FieldName = keyof PackageFields
/** The path of a value in front matter: `['metadata', 'version']`. */
export type FieldPath = readonly string[]
export type FieldPaths = Partial<Record<FieldName, readonly FieldPath[]>>

type Frontmatter = Record<string, unknown>

/** Reads each field from the first of its paths with a valid value. */
export function readFields(fields: Frontmatter, paths: FieldPaths): PackageFields {
  const all: PackageFields = {}
  for (const field of Object.keys(paths) as FieldName[]) {
    const value = readAt(fields, fieldPathOf(fields, paths, field), field)
    if (value !== undefined) Object.assign(all, { [field]: value })
  }
  return all
}

/** The first path of a field with a valid value. */
export function fieldPathOf(fields: Frontmatter, paths: FieldPaths, field: FieldName): FieldPath | undefined {
  return paths[field]?.find(path => readAt(fields, path, field) !== undefined)
}

export type TruncatedField = { field: Exclude<FieldName, 'version'>; message: string }

/** The fields that exceed the limits of an asset, with a message that says what happens to them. */
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
  title: `The name has more than ${limits.assetName} characters and is truncated.`,
  description: `The description has more than ${limits.assetDescription} characters and is truncated.`,
  tags: `Some tags are dropped: an asset has at most ${limits.assetTags}, of at most ${limits.assetTag} characters.`,
  iconName: `The icon is dropped: its name has more than ${limits.assetIconName} characters.`,
  color: `The color is dropped: it has more than ${limits.assetColor} characters.`,
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

/** Counts characters as the contract does: by code point. */
function characterCount(text: string): number {
  return [...text].length
}

function readAt(fields: Frontmatter, path: FieldPath | undefined, field: FieldName): unknown {
  return path && readers[field](valueAt(fields, path))
}

/** The value at a path, or undefined. */
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

/** A name on one line within the length limit; undefined if it is blank. */
export function parseName(text: string): string | undefined {
  const name = truncate(oneLine(text), limits.assetName).trim()
  return /[^\p{Z}]/u.test(name) ? name : undefined
}

function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim()
}

const semantic = new RegExp((SemanticVersion as unknown as { pattern: string }).pattern)

/** The semantic version of a text: `v2` is 2.0.0, and build metadata is dropped. */
export function parseVersion(text: string): string | undefined {
  const [, core = '', prerelease = ''] = /^v?(\d+(?:\.\d+){0,2})(-[^+]*)?(?:\+.*)?$/.exec(text.trim()) ?? []
  const numbers = core.split('.')
  const version = `${[...numbers, '0', '0'].slice(0, 3).join('.')}${prerelease}`
  return version.length <= limits.assetVersion && semantic.test(version) ? version : undefined
}

/** Tags from a list or a comma-separated text. Undefined for anything else. */
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

/** A string, number or boolean as text; empty for anything else. */
export function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : ''
}

function truncate(text: string, maxLength: number): string {
  return text.length <= maxLength ? text : [...text].slice(0, maxLength).join('')
}
