import { isDeepStrictEqual } from 'node:util'
import { limits } from '#contract/limits.ts'
import { hasFewParts } from '#platform/http/input.ts'
import { exceededBound, holdsExactNumbers, importedBounds } from '../frontmatter/frontmatter-bounds.ts'
import { isObject } from '../frontmatter/portable-frontmatter.ts'
import { rejectPackage } from '../package-errors.ts'
import type { PackagedAsset, TextFile } from '../packaged-asset.ts'
import { type FieldPaths, findTruncated, type PackageFields, readFields } from './package-fields.ts'

/** The two manifests of a plugin: of Agent Plugins and of Claude Code. */
export const manifestPaths = { portable: 'plugin.json', claude: '.claude-plugin/plugin.json' } as const
/** The body of a plugin. */
export const readmePath = 'README.md'

type Fields = Record<string, unknown>
type Manifests = { [Kind in keyof typeof manifestPaths]?: string }

/** The key of Patio's own data in a manifest. */
const vendorKey = 'dev.patio'
const schemaUrl = 'https://agent-plugins.org/schemas/1.0.0/plugin.schema.json'

const fieldPaths: FieldPaths = {
  title: [['displayName'], ['extensions', vendorKey, 'title']],
  description: [['description']],
  version: [['version']],
  tags: [['keywords']],
  iconName: [
    ['extensions', vendorKey, 'icon'],
    ['metadata', vendorKey, 'icon'],
  ],
  color: [
    ['extensions', vendorKey, 'color'],
    ['metadata', vendorKey, 'color'],
  ],
}

/** The asset fields in the merged manifests. */
export function readPluginFields(fields: Fields): PackageFields {
  return readFields(fields, fieldPaths)
}

/** The asset fields in the manifests that exceed the limits of an asset. */
export function truncatedPluginFields(fields: Fields) {
  return findTruncated(fields, fieldPaths)
}

/** Merges the manifests; the portable one wins. Throws InvalidPackageError. */
export function mergeManifests(texts: Manifests): Fields {
  const read = (text: string | undefined, path: string) =>
    text === undefined ? {} : readManifest(text, path)
  const fields = {
    ...read(texts.claude, manifestPaths.claude),
    ...read(texts.portable, manifestPaths.portable),
  }
  const exceeded = exceededBound(fields, importedBounds)
  if (exceeded) rejectPackage('manifest-too-long', null, `The manifests ${exceeded.message}.`)
  return fields
}

/** Longer manifests are rejected unread. A valid one is shorter even with line breaks and indentation. */
const maxManifestCharacters = 4 * importedBounds.characters

/** Parses a manifest. Throws InvalidPackageError. */
function readManifest(text: string, path: string): Fields {
  if (text.length > maxManifestCharacters || !hasFewParts(Buffer.from(text)))
    rejectPackage(
      'manifest-too-long',
      path,
      `The manifest has more than ${maxManifestCharacters} characters or too many values.`,
    )
  let value: unknown
  try {
    value = JSON.parse(text.replace(/^\ufeff/, ''))
  } catch {
    rejectPackage('manifest-invalid', path, 'The manifest is not valid JSON.')
  }
  if (!isObject(value)) rejectPackage('manifest-invalid', path, 'The manifest is not an object.')
  if (!isStorable(value, limits.jsonDepth - 1))
    rejectPackage(
      'manifest-invalid',
      path,
      'The manifest is nested too deeply, or contains a key or characters that are not allowed.',
    )
  if (!holdsExactNumbers(value))
    rejectPackage(
      'manifest-invalid',
      path,
      'The manifest contains a number that JSON cannot represent exactly.',
    )
  return value
}

/** Whether a value can be stored as front matter: not too deep, without NUL, lone surrogates and `__proto__`. */
export function isStorable(value: unknown, depth: number): boolean {
  if (typeof value === 'string') return !value.includes('\0') && value.isWellFormed()
  if (typeof value !== 'object' || value === null) return true
  if (depth === 0) return false
  return Object.entries(value).every(
    ([key, field]) => key !== '__proto__' && isStorable(key, depth) && isStorable(field, depth - 1),
  )
}

/** The imported manifests, to be stored as the text of the front matter. */
export function serializeManifests(texts: Manifests): string {
  return JSON.stringify(texts)
}

/** The files of a plugin besides its attachments: both manifests, and the body if there is one. */
export function pluginFiles(asset: PackagedAsset): TextFile[] {
  const texts = manifestsOf(asset)
  return [
    { path: manifestPaths.portable, text: texts.portable },
    { path: manifestPaths.claude, text: texts.claude },
    ...(asset.bodyMarkdown === '' ? [] : [{ path: readmePath, text: asset.bodyMarkdown }]),
  ]
}

/** The manifests of an asset: the imported texts while they match the asset, otherwise written from scratch. */
function manifestsOf(asset: PackagedAsset): Required<Manifests> {
  const imported = asset.frontmatterText === null ? {} : importedManifests(asset)
  const fields = fieldsOf(asset)
  const { iconName = null, color = null } = readFields(asset.frontmatter, fieldPaths)
  const isUnchanged =
    isDeepStrictEqual(fields, asset.frontmatter) && iconName === asset.iconName && color === asset.color
  return {
    portable:
      (isUnchanged ? imported.portable : undefined) ?? serializeManifest(portableManifest(fields, asset)),
    claude: (isUnchanged ? imported.claude : undefined) ?? serializeManifest(claudeManifest(fields, asset)),
  }
}

/** The imported texts, if they match the front matter. */
function importedManifests({ frontmatter, frontmatterText }: PackagedAsset): Manifests {
  try {
    const texts = JSON.parse(frontmatterText ?? '') as Manifests
    return isDeepStrictEqual(mergeManifests(texts), frontmatter) ? texts : {}
  } catch {
    return {}
  }
}

/** The front matter, with the fields that differ from the asset replaced. */
function fieldsOf(asset: PackagedAsset): Fields {
  const fields: Fields = structuredClone(asset.frontmatter)
  const known = readFields(fields, fieldPaths)
  const name = typeof fields.name === 'string' ? fields.name : ''
  if (pluginSlug(name) !== asset.slug) fields.name = asset.slug
  if (known.version !== asset.version && !(known.version === undefined && asset.version === '1.0.0'))
    fields.version = asset.version
  if ((known.description ?? '') !== asset.description.trim()) fields.description = asset.description
  if (!isDeepStrictEqual(known.tags ?? [], asset.tags)) fields.keywords = asset.tags
  if ((known.title ?? fields.name) !== asset.name) fields.displayName = asset.name
  return fields
}

/** The slug for the name of a plugin. Plugin names may contain dots, slugs may not. */
export function pluginSlug(name: string): string {
  return name.replaceAll('.', '-')
}

const textFields = ['version', 'description', 'homepage', 'repository', 'license'] as const

/** The manifest of Agent Plugins 1.0.0, which allows only known fields (PKG-28). */
function portableManifest(fields: Fields, asset: PackagedAsset): Fields {
  const { name, author, keywords, extensions } = fields
  const known = Object.entries(fields).filter(
    ([key, value]) => textFields.some(text => text === key) && typeof value === 'string' && value !== '',
  )
  const all = withVendorData(extensions, asset)
  return {
    $schema: schemaUrl,
    name,
    version: asset.version,
    ...Object.fromEntries(known),
    ...(isObject(author) && typeof author.name === 'string' && { author: portableAuthor(author) }),
    ...(Array.isArray(keywords) && keywords.length > 0 && { keywords: keywords.map(String) }),
    ...(Object.keys(all).length > 0 && { extensions: all }),
  }
}

function portableAuthor(author: Fields): Fields {
  return Object.fromEntries(
    ['name', 'email', 'url'].flatMap(key => (typeof author[key] === 'string' ? [[key, author[key]]] : [])),
  )
}

/** The manifest of Claude Code: all fields except those of Agent Plugins only (PKG-28). */
function claudeManifest(fields: Fields, asset: PackagedAsset): Fields {
  const { $schema: _, extensions: __, name, metadata, ...rest } = fields
  const all = withVendorData(metadata, asset)
  return {
    name,
    ...(asset.name !== asset.slug && { displayName: asset.name }),
    version: asset.version,
    ...rest,
    ...(Object.keys(all).length > 0 && { metadata: all }),
  }
}

/** The custom data of a manifest, with the asset fields that manifests have no field for. */
function withVendorData(imported: unknown, { name, slug, iconName, color }: PackagedAsset): Fields {
  const { [vendorKey]: _, ...others } = isObject(imported) ? imported : {}
  const own = {
    ...(name !== slug && { title: name }),
    ...(iconName !== null && { icon: iconName }),
    ...(color !== null && { color }),
  }
  return { ...others, ...(Object.keys(own).length > 0 && { [vendorKey]: own }) }
}

function serializeManifest(manifest: Fields): string {
  return `${JSON.stringify(manifest, null, 2)}\n`
}
