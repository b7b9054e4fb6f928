import { limits } from '#contract/limits.ts'
import { SemanticVersion } from '#contract/studio/assets.ts'
import { tidyTags } from '../../assets/asset.rules.ts'
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

export type Cut = { field: Exclude<Field, 'version'>; message: string }

/** Which fields the package tells at more length than an asset has room for, and what becomes of them. */
export function cutFields(fields: Fields, places: Places): Cut[] {
  const cuts: Cut[] = []
  for (const field of Object.keys(cutMessages) as Cut['field'][]) {
    const given = (places[field] ?? []).map(place => valueAt(fields, place)).find(isGiven)
    if (given !== undefined && !isWhole[field](given)) cuts.push({ field, message: cutMessages[field] })
  }
  return cuts
}

const cutMessages: Record<Cut['field'], string> = {
  title: `The name is cut: it has more than ${limits.assetName} characters.`,
  description: `The description is cut: it has more than ${limits.assetDescription} characters.`,
  tags: `Tags are left out: an asset has at most ${limits.assetTags}, of at most ${limits.assetTag} characters.`,
  iconName: `The icon is left out: its name has more than ${limits.assetIconName} characters.`,
  color: `The color is left out: it has more than ${limits.assetColor} characters.`,
}

const isGiven = (value: unknown) => Array.isArray(value) || textOf(value).trim() !== ''
const isShort = (value: unknown, longest: number) => lengthOf(textOf(value).trim()) <= longest
const isWhole: Record<Cut['field'], (value: unknown) => boolean> = {
  title: value => isShort(oneLine(textOf(value)), limits.assetName),
  description: value => isShort(value, limits.assetDescription),
  tags(value) {
    const tags = tidyTags(wordsOf(value)).filter(Boolean)
    return tags.length <= limits.assetTags && tags.every(tag => lengthOf(tag) <= limits.assetTag)
  },
  iconName: value => isShort(value, limits.assetIconName),
  color: value => isShort(value, limits.assetColor),
}

/** Characters are counted as the contract counts them: by code point. */
function lengthOf(text: string): number {
  return [...text].length
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
  const name = cut(oneLine(text), limits.assetName).trim()
  return /[^\p{Z}]/u.test(name) ? name : undefined
}

function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim()
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
  const tags = tidyTags(wordsOf(value)).filter(tag => tag !== '' && lengthOf(tag) <= limits.assetTag)
  return tags.slice(0, limits.assetTags)
}

function wordsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.map(textOf) : textOf(value).split(',')
}

function shortText(value: unknown, longest: number): string | undefined {
  const text = textOf(value).trim()
  return text !== '' && lengthOf(text) <= longest ? text : undefined
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
