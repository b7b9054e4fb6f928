import { isDeepStrictEqual } from 'node:util'
import type { Node } from 'yaml'
import type { AssetType } from '#contract/studio/assets.ts'
import type { PackageProfile } from '#contract/studio/packages.ts'
import { isObject, isPlainHead, portableFrontmatter } from '../frontmatter/portable-frontmatter.ts'
import { documentOf, parseAsYaml11, tryReadYaml } from '../frontmatter/read-yaml.ts'
import { looksLikeFrontmatter, splitMarkdown } from '../frontmatter/split-markdown.ts'
import { writeYaml } from '../frontmatter/write-yaml.ts'
import { yaml } from '../frontmatter/yaml.ts'
import type { PackagedAsset, TextFile } from '../packaged-asset.ts'
import { agentColor } from './colors.ts'
import {
  type FieldName,
  type FieldPath,
  type FieldPaths,
  fieldPathOf,
  findTruncated,
  type PackageFields,
  readFields,
  textOf,
} from './package-fields.ts'

/** The types that are one Markdown file with front matter, and attachments. */
export type MarkdownType = Exclude<AssetType, 'PLUGIN'>

type Fields = Record<string, unknown>
type Format = {
  path(slug: string): string
  /** Where the front matter tells what; the first place is where it is written. */
  paths: FieldPaths
  /** What is only written where it is told already: other programs do not know the key. */
  onlyIfPresent: readonly FieldName[]
  /** What front matter of our own always tells. */
  always: readonly FieldName[]
  /** The key that repeats the name of the file or folder. */
  hasName: boolean
  /** Clients do not take it without a description. */
  needsDescription: boolean
}

const version: FieldPath = ['version']
const tags: FieldPath = ['tags']
const descriptionPaths: readonly FieldPath[] = [['description']]

const formats: Record<MarkdownType, Format> = {
  SKILL: {
    path: () => 'SKILL.md',
    paths: {
      title: [['metadata', 'title']],
      description: descriptionPaths,
      version: [['metadata', 'version'], version],
      tags: [['metadata', 'tags'], tags],
      iconName: [['metadata', 'icon']],
      color: [['metadata', 'color']],
    },
    onlyIfPresent: [],
    always: ['title', 'version'],
    hasName: true,
    needsDescription: true,
  },
  AGENT: {
    path: slug => `agents/${slug}.md`,
    paths: { description: descriptionPaths, color: [['color']], version: [version], tags: [tags] },
    onlyIfPresent: ['version', 'tags'],
    always: [],
    hasName: true,
    needsDescription: true,
  },
  COMMAND: {
    path: slug => `commands/${slug}.md`,
    paths: { description: descriptionPaths, version: [version], tags: [tags] },
    onlyIfPresent: ['version', 'tags'],
    always: [],
    hasName: false,
    needsDescription: false,
  },
  PROMPT: {
    path: slug => `${slug}.prompt.md`,
    paths: { title: [['name']], description: descriptionPaths, version: [version], tags: [tags] },
    onlyIfPresent: ['version', 'tags'],
    always: ['title'],
    hasName: false,
    needsDescription: false,
  },
}

/** Where the Markdown file of an asset stands in its package. */
export function markdownPathOf(type: MarkdownType, slug: string): string {
  return formats[type].path(slug)
}

/** What the front matter tells. */
export function readMarkdownFields(type: MarkdownType, fields: Fields) {
  return readFields(fields, formats[type].paths)
}

/** Which of what the front matter tells an asset has no room for. */
export function truncatedMarkdownFields(type: MarkdownType, fields: Fields) {
  return findTruncated(fields, formats[type].paths)
}

/** The Markdown file of an asset, whose front matter says what the asset is (PKG-20 to PKG-22). */
export function markdownOf(asset: PackagedAsset & { type: MarkdownType }, profile: PackageProfile): TextFile {
  return {
    path: markdownPathOf(asset.type, asset.slug),
    text: `${headOf(asset, profile)}${asset.bodyMarkdown}`,
  }
}

/**
 * The front matter of an asset with its delimiters. It stays as it was written, to the letter, while it says what the
 * asset is; else it is edited, which keeps comments and order; else it is written anew.
 */
export function headOf(asset: PackagedAsset & { type: MarkdownType }, profile: PackageProfile): string {
  const isStrict = asset.type === 'SKILL' && profile === 'agent-skills'
  const fields = isStrict ? portableFrontmatter(fieldsOf(asset, true)) : fieldsOf(asset, false)
  const imported = asset.frontmatterText
  if (imported !== null) {
    const candidates = [
      imported,
      ...(isStrict ? [withUnixLineEndings(imported)] : []),
      editFrontmatter(imported, fields, isStrict),
    ]
    const match = candidates.find(
      head => head !== undefined && readsBackAs(head, asset.bodyMarkdown, fields, isStrict),
    )
    if (match !== undefined) return match
  }
  const isNeeded = Object.keys(fields).length > 0 || looksLikeFrontmatter(asset.bodyMarkdown)
  return isNeeded ? `---\n${writeYaml(fields)}---\n\n` : ''
}

/** True when a reader finds exactly this front matter and this body, and in it exactly these fields. */
function readsBackAs(head: string, body: string, fields: Fields, isStrict: boolean): boolean {
  const split = splitMarkdown(head + body)
  if (typeof split === 'string' || split.head !== head) return false
  const read = tryReadYaml(split.yaml)
  if (!read || read.repaired.length > 0 || !isDeepStrictEqual(read.value, fields)) return false
  return (
    !isStrict || (read.isBlock && isPlainHead(head) && isDeepStrictEqual(parseAsYaml11(split.yaml), fields))
  )
}

function withUnixLineEndings(text: string): string {
  return text.replace(/^\ufeff/, '').replaceAll('\r\n', '\n')
}

/** The text with other fields in it: what they have in common stays as it is, with its comments. */
function editFrontmatter(head: string, fields: Fields, isStrict: boolean): string | undefined {
  const split = splitMarkdown(head)
  const read = typeof split === 'string' ? undefined : tryReadYaml(split.yaml)
  const document = read && documentOf(read.text)
  if (!document || !yaml().isMap(document.contents)) return undefined
  const current = isStrict ? (parseAsYaml11(read.text) as Fields) : read.value
  const edit = (path: string[], before: Fields, after: Fields) => {
    for (const key of Object.keys(before)) if (!Object.hasOwn(after, key)) document.deleteIn([...path, key])
    for (const [key, value] of Object.entries(after)) {
      const old = Object.hasOwn(before, key) ? before[key] : undefined
      if (isDeepStrictEqual(old, value)) continue
      if (isObject(old) && isObject(value)) edit([...path, key], old, value)
      else {
        const node = nodeOf(value)
        const existing = document.getIn([...path, key], true)
        if (yaml().isScalar(existing)) node.comment = existing.comment
        document.setIn([...path, key], node)
      }
    }
  }
  edit([], current, fields)
  return `---\n${document.toString({ lineWidth: 0 })}---\n\n`
}

/** A value as it is written anew. */
function nodeOf(value: unknown): Node {
  return documentOf(writeYaml({ value })).get('value', true) as unknown as Node
}

/** The front matter that says what the asset is: its own, with what it tells otherwise or not at all. */
function fieldsOf(asset: PackagedAsset & { type: MarkdownType }, isStrict: boolean): Fields {
  const format = formats[asset.type]
  const fields: Fields = structuredClone(asset.frontmatter)
  const isOurs = asset.frontmatterText === null
  const known = readFields(fields, format.paths)
  const values = valuesOf(asset)
  for (const field of Object.keys(format.paths) as FieldName[]) {
    const value = values[field]
    const [canonicalPath] = format.paths[field] as [FieldPath]
    const path = fieldPathOf(fields, format.paths, field)
    if (path) {
      if (!isUnchanged(known, field, asset)) setField(fields, path, value)
      if (isStrict && path !== canonicalPath) setField(fields, canonicalPath, value)
      continue
    }
    const isDefault = isDeepStrictEqual(value, defaultValue(field, asset))
    if (isDefault && !(isOurs && format.always.includes(field))) continue
    if (!format.onlyIfPresent.includes(field)) setField(fields, canonicalPath, value)
  }
  if (format.hasName) fields.name = asset.slug
  if (format.needsDescription && textOf(fields.description).trim() === '') fields.description = asset.name
  return withNameFirst(fields, asset.frontmatter)
}

/** Name and description come first when the asset's own front matter has no place for them. */
function withNameFirst(fields: Fields, own: Fields): Fields {
  const added = ['name', 'description'].filter(key => Object.hasOwn(fields, key) && !Object.hasOwn(own, key))
  return { ...Object.fromEntries(added.map(key => [key, fields[key]])), ...fields }
}

/** The values of the asset as front matter holds them; undefined for nothing. */
function valuesOf(asset: PackagedAsset): Record<FieldName, unknown> {
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
function defaultValue(field: FieldName, asset: PackagedAsset): unknown {
  return field === 'title' ? asset.slug : field === 'version' ? '1.0.0' : undefined
}

/** True when an import would make of what is told what the asset has. */
function isUnchanged(known: PackageFields, field: FieldName, asset: PackagedAsset): boolean {
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
function setField(fields: Fields, path: FieldPath, value: unknown): void {
  const [key, ...rest] = path as [string, ...string[]]
  if (rest.length === 0) {
    if (value === undefined) delete fields[key]
    else fields[key] = value
    return
  }
  if ((!Object.hasOwn(fields, key) || fields[key] === null) && value !== undefined) fields[key] = {}
  const inner = fields[key]
  if (isObject(inner)) setField(inner, rest, value)
}
