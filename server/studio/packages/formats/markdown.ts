import { isDeepStrictEqual } from 'node:util'
import type { Node } from 'yaml'
import type { AssetType } from '#contract/studio/assets.ts'
import type { PackageProfile } from '#contract/studio/packages.ts'
import { isObject, isPlainHead, portable } from '../frontmatter/portable.ts'
import { asOlderReaders, documentOf, tryReadYaml } from '../frontmatter/read.ts'
import { looksLikeFrontmatter, splitMarkdown } from '../frontmatter/split.ts'
import { writeYaml } from '../frontmatter/write.ts'
import { yaml } from '../frontmatter/yaml.ts'
import type { Packaged, TextFile } from '../packaged.ts'
import { agentColor } from './colors.ts'
import { cutFields, type Field, type Place, type Places, placeOf, type Told, textOf, told } from './told.ts'

/** The types that are one Markdown file with front matter, and attachments. */
export type MarkdownType = Exclude<AssetType, 'PLUGIN'>

type Fields = Record<string, unknown>
type Format = {
  path(slug: string): string
  /** Where the front matter tells what; the first place is where it is written. */
  places: Places
  /** What is only written where it is told already: other programs do not know the key. */
  onlyWhereTold: readonly Field[]
  /** What front matter of our own always tells. */
  always: readonly Field[]
  /** The key that repeats the name of the file or folder. */
  named: boolean
  /** Clients do not take it without a description. */
  described: boolean
}

const version: Place = ['version']
const tags: Place = ['tags']
const described: readonly Place[] = [['description']]

const formats: Record<MarkdownType, Format> = {
  SKILL: {
    path: () => 'SKILL.md',
    places: {
      title: [['metadata', 'title']],
      description: described,
      version: [['metadata', 'version'], version],
      tags: [['metadata', 'tags'], tags],
      iconName: [['metadata', 'icon']],
      color: [['metadata', 'color']],
    },
    onlyWhereTold: [],
    always: ['title', 'version'],
    named: true,
    described: true,
  },
  AGENT: {
    path: slug => `agents/${slug}.md`,
    places: { description: described, color: [['color']], version: [version], tags: [tags] },
    onlyWhereTold: ['version', 'tags'],
    always: [],
    named: true,
    described: true,
  },
  COMMAND: {
    path: slug => `commands/${slug}.md`,
    places: { description: described, version: [version], tags: [tags] },
    onlyWhereTold: ['version', 'tags'],
    always: [],
    named: false,
    described: false,
  },
  PROMPT: {
    path: slug => `${slug}.prompt.md`,
    places: { title: [['name']], description: described, version: [version], tags: [tags] },
    onlyWhereTold: ['version', 'tags'],
    always: ['title'],
    named: false,
    described: false,
  },
}

/** Where the Markdown file of an asset stands in its package. */
export function pathOf(type: MarkdownType, slug: string): string {
  return formats[type].path(slug)
}

/** What the front matter tells. */
export function toldBy(type: MarkdownType, fields: Fields) {
  return told(fields, formats[type].places)
}

/** Which of what the front matter tells an asset has no room for. */
export function cutFrom(type: MarkdownType, fields: Fields) {
  return cutFields(fields, formats[type].places)
}

/** The Markdown file of an asset, whose front matter says what the asset is (PKG-20 to PKG-22). */
export function markdownOf(asset: Packaged & { type: MarkdownType }, profile: PackageProfile): TextFile {
  return { path: pathOf(asset.type, asset.slug), text: `${headOf(asset, profile)}${asset.bodyMarkdown}` }
}

/**
 * The front matter of an asset with its delimiters. It stays as it was written, to the letter, while it says what the
 * asset is; else it is edited, which keeps comments and order; else it is written anew.
 */
export function headOf(asset: Packaged & { type: MarkdownType }, profile: PackageProfile): string {
  const isStrict = asset.type === 'SKILL' && profile === 'agent-skills'
  const fields = isStrict ? portable(fieldsOf(asset, true)) : fieldsOf(asset, false)
  const given = asset.frontmatterText
  if (given !== null) {
    const candidates = [given, ...(isStrict ? [unixText(given)] : []), edited(given, fields, isStrict)]
    const fitting = candidates.find(
      head => head !== undefined && fits(head, asset.bodyMarkdown, fields, isStrict),
    )
    if (fitting !== undefined) return fitting
  }
  const isNeeded = Object.keys(fields).length > 0 || looksLikeFrontmatter(asset.bodyMarkdown)
  return isNeeded ? `---\n${writeYaml(fields)}---\n\n` : ''
}

/** True when a reader finds exactly this front matter and this body, and in it exactly these fields. */
function fits(head: string, body: string, fields: Fields, isStrict: boolean): boolean {
  const split = splitMarkdown(head + body)
  if (typeof split === 'string' || split.head !== head) return false
  const read = tryReadYaml(split.yaml)
  if (!read || read.repaired.length > 0 || !isDeepStrictEqual(read.value, fields)) return false
  return (
    !isStrict || (read.isBlock && isPlainHead(head) && isDeepStrictEqual(asOlderReaders(split.yaml), fields))
  )
}

function unixText(text: string): string {
  return text.replace(/^\ufeff/, '').replaceAll('\r\n', '\n')
}

/** The text with other fields in it: what they have in common stays as it is, with its comments. */
function edited(head: string, fields: Fields, isStrict: boolean): string | undefined {
  const split = splitMarkdown(head)
  const read = typeof split === 'string' ? undefined : tryReadYaml(split.yaml)
  const document = read && documentOf(read.text)
  if (!document || !yaml().isMap(document.contents)) return undefined
  const spelled = isStrict ? (asOlderReaders(read.text) as Fields) : read.value
  const edit = (place: string[], before: Fields, after: Fields) => {
    for (const key of Object.keys(before)) if (!Object.hasOwn(after, key)) document.deleteIn([...place, key])
    for (const [key, value] of Object.entries(after)) {
      const old = Object.hasOwn(before, key) ? before[key] : undefined
      if (isDeepStrictEqual(old, value)) continue
      if (isObject(old) && isObject(value)) edit([...place, key], old, value)
      else {
        const node = nodeOf(value)
        const there = document.getIn([...place, key], true)
        if (yaml().isScalar(there)) node.comment = there.comment
        document.setIn([...place, key], node)
      }
    }
  }
  edit([], spelled, fields)
  return `---\n${document.toString({ lineWidth: 0 })}---\n\n`
}

/** A value as it is written anew. */
function nodeOf(value: unknown): Node {
  return documentOf(writeYaml({ value })).get('value', true) as unknown as Node
}

/** The front matter that says what the asset is: its own, with what it tells otherwise or not at all. */
function fieldsOf(asset: Packaged & { type: MarkdownType }, isStrict: boolean): Fields {
  const format = formats[asset.type]
  const fields: Fields = structuredClone(asset.frontmatter)
  const isOurs = asset.frontmatterText === null
  const known = told(fields, format.places)
  const values = valuesOf(asset)
  for (const field of Object.keys(format.places) as Field[]) {
    const value = values[field]
    const [proper] = format.places[field] as [Place]
    const place = placeOf(fields, format.places, field)
    if (place) {
      if (!isSame(known, field, asset)) put(fields, place, value)
      if (isStrict && place !== proper) put(fields, proper, value)
      continue
    }
    const isUsual = isDeepStrictEqual(value, usual(field, asset))
    if (isUsual && !(isOurs && format.always.includes(field))) continue
    if (!format.onlyWhereTold.includes(field)) put(fields, proper, value)
  }
  if (format.named) fields.name = asset.slug
  if (format.described && textOf(fields.description).trim() === '') fields.description = asset.name
  return withNameFirst(fields, asset.frontmatter)
}

/** Name and description come first when the asset's own front matter has no place for them. */
function withNameFirst(fields: Fields, own: Fields): Fields {
  const added = ['name', 'description'].filter(key => Object.hasOwn(fields, key) && !Object.hasOwn(own, key))
  return { ...Object.fromEntries(added.map(key => [key, fields[key]])), ...fields }
}

/** The values of the asset as front matter holds them; undefined for nothing. */
function valuesOf(asset: Packaged): Record<Field, unknown> {
  const { description, tags, color } = asset
  return {
    title: asset.name,
    description: description.trim() === '' ? undefined : description,
    version: asset.version,
    tags: tags.length > 0 ? tags.join(', ') : undefined,
    iconName: asset.iconName ?? undefined,
    color: asset.type === 'AGENT' && color !== null ? agentColor(color) : (color ?? undefined),
  }
}

/** What an asset is when a package does not tell. */
function usual(field: Field, asset: Packaged): unknown {
  return field === 'title' ? asset.slug : field === 'version' ? '1.0.0' : undefined
}

/** True when an import would make of what is told what the asset has. */
function isSame(known: Told, field: Field, asset: Packaged): boolean {
  switch (field) {
    case 'title':
      return known.title === asset.name
    case 'description':
      return known.description === asset.description.trim()
    case 'version':
      return known.version === asset.version
    case 'tags':
      return isDeepStrictEqual(known.tags, asset.tags)
    case 'iconName':
      return known.iconName === asset.iconName
    case 'color': {
      if (known.color === asset.color || asset.type !== 'AGENT') return known.color === asset.color
      return asset.color !== null && agentColor(known.color!) === agentColor(asset.color)
    }
  }
}

/** Puts a value at a place, or takes it away when it is undefined. Where there is no room it is left out. */
function put(fields: Fields, place: Place, value: unknown): void {
  const [key, ...rest] = place as [string, ...string[]]
  if (rest.length === 0) {
    if (value === undefined) delete fields[key]
    else fields[key] = value
    return
  }
  if ((!Object.hasOwn(fields, key) || fields[key] === null) && value !== undefined) fields[key] = {}
  const inner = fields[key]
  if (isObject(inner)) put(inner, rest, value)
}
