import { limits } from '#contract/limits.ts'
import { SemanticVersion } from '#contract/studio/assets.ts'
import { tidyTags } from '../../assets/rules.ts'
import { isObject } from '../frontmatter/portable.ts'

/** What a package tells about an asset besides its content. What it does not tell, or not soundly, is absent. */
export type Told = {
  title?: string
  description?: string
  version?: string
  tags?: string[]
  iconName?: string
  color?: string
}
export type Field = keyof Told
/** Where a value stands: `['metadata', 'version']`. */
export type Place = readonly string[]
export type Places = Partial<Record<Field, readonly Place[]>>

type Fields = Record<string, unknown>

/** What the fields tell, by the first place of each that tells something. */
export function told(fields: Fields, places: Places): Told {
  const all: Told = {}
  for (const field of Object.keys(places) as Field[]) {
    const value = readAt(fields, placeOf(fields, places, field), field)
    if (value !== undefined) Object.assign(all, { [field]: value })
  }
  return all
}

/** The first of its places that tells a field. */
export function placeOf(fields: Fields, places: Places, field: Field): Place | undefined {
  return places[field]?.find(place => readAt(fields, place, field) !== undefined)
}

function readAt(fields: Fields, place: Place | undefined, field: Field): unknown {
  return place && readers[field](valueAt(fields, place))
}

/** The value at a place, or undefined. */
export function valueAt(fields: Fields, place: Place): unknown {
  let value: unknown = fields
  for (const key of place) value = isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined
  return value
}

const readers: { [Name in Field]: (value: unknown) => Told[Name] } = {
  title: value => nameFrom(textOf(value)),
  description: value => cut(textOf(value).trim(), limits.assetDescription) || undefined,
  version: value => versionFrom(textOf(value)),
  tags: tagsFrom,
  iconName: value => shortText(value, limits.assetIconName),
  color: value => shortText(value, limits.assetColor),
}

/** A name on one line, not too long; undefined when nothing is left of it. */
export function nameFrom(text: string): string | undefined {
  const oneLine = text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim()
  const name = cut(oneLine, limits.assetName).trim()
  return /[^\p{Z}]/u.test(name) ? name : undefined
}

const semantic = new RegExp((SemanticVersion as unknown as { pattern: string }).pattern)

/** The semantic version that is meant: `v2` is 2.0.0, and build metadata is left out. */
export function versionFrom(text: string): string | undefined {
  const [, core = '', prerelease = ''] = /^v?(\d+(?:\.\d+){0,2})(-[^+]*)?(?:\+.*)?$/.exec(text.trim()) ?? []
  const numbers = core.split('.')
  const version = `${[...numbers, '0', '0'].slice(0, 3).join('.')}${prerelease}`
  return version.length <= limits.assetVersion && semantic.test(version) ? version : undefined
}

/** Labels from a list or from words between commas. Undefined when it is neither. */
export function tagsFrom(value: unknown): string[] | undefined {
  if (typeof value !== 'string' && !Array.isArray(value)) return undefined
  const words = typeof value === 'string' ? value.split(',') : value.map(textOf)
  const tags = tidyTags(words).filter(tag => tag !== '' && [...tag].length <= limits.assetTag)
  return tags.slice(0, limits.assetTags)
}

function shortText(value: unknown, longest: number): string | undefined {
  const text = textOf(value).trim()
  return text !== '' && [...text].length <= longest ? text : undefined
}

/** A text, or a number or yes and no as text; empty for anything else. */
export function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : ''
}

function cut(text: string, longest: number): string {
  return text.length <= longest ? text : [...text].slice(0, longest).join('')
}
