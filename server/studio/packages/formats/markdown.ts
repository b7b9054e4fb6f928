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

/** The types whose package is one Markdown file with front matter, plus attachments. */
export type MarkdownType = Exclude<AssetType, 'PLUGIN'>

type Fields = Record<string, unknown>
type Format = {
  path(slug: string): string
  /** Where the front matter has each field. New values are written to the first path. */
  paths: FieldPaths
  /** Fields that are written only where the front matter has them already, because other programs do not know the key. */
  onlyIfPresent: readonly FieldName[]
  /** Fields that front matter written by Patio always has. */
  always: readonly FieldName[]
  /** Whether the front matter has a key `name` with the slug. */
  hasName: boolean
  /** Whether clients require a description. */
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

/** The path of the Markdown file in the package of an asset. */
export function markdownPathOf(type: MarkdownType, slug: string): string {
  return formats[type].path(slug)
}

/** The asset fields in front matter. */
export function readMarkdownFields(type: MarkdownType, fields: Fields) {
  return readFields(fields, formats[type].paths)
}

/** The asset fields in front matter that exceed the limits of an asset. */
export function truncatedMarkdownFields(type: MarkdownType, fields: Fields) {
  return findTruncated(fields, formats[type].paths)
}

/** The Markdown file of an asset, whose front matter describes the asset (PKG-20 to PKG-22). */
export function markdownOf(asset: PackagedAsset & { type: MarkdownType }, profile: PackageProfile): TextFile {
  return {
    path: markdownPathOf(asset.type, asset.slug),
    text: `${headOf(asset, profile)}${asset.bodyMarkdown}`,
  }
}

/**
 * The front matter of an asset with its delimiters. Imported text stays unchanged while it matches the asset. Otherwise it
 * is edited, which keeps comments and order, or written from scratch.
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

/** Whether reading head and body back gives exactly this head, this body and these fields. */
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

/** The text with changed fields. Unchanged fields stay as they are, with their comments. */
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

/** The YAML node of a new value. */
function nodeOf(value: unknown): Node {
  return documentOf(writeYaml({ value })).get('value', true) as unknown as Node
}

/** The front matter of the asset, with the fields added that it lacks or that differ from the asset. */
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

/** Puts name and description first unless the asset's own front matter has them. */
function withNameFirst(fields: Fields, own: Fields): Fields {
  const added = ['name', 'description'].filter(key => Object.hasOwn(fields, key) && !Object.hasOwn(own, key))
  return { ...Object.fromEntries(added.map(key => [key, fields[key]])), ...fields }
}

/** The values of the asset as front matter stores them; undefined for none. */
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

/** The value that an import assumes for a missing field. */
function defaultValue(field: FieldName, asset: PackagedAsset): unknown {
  return field === 'title' ? asset.slug : field === 'version' ? '1.0.0' : undefined
}

/** Whether an import of the front matter would give the value that the asset has. */
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

/** Sets the value at a path, or deletes it if undefined. Does nothing if the parent is not an object. */
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
