import { rejectPackage } from '../package-errors.ts'
import type { PackageReader } from '../package-reader.ts'
import type { PackagedAsset } from '../packaged-asset.ts'
import { parseName, textOf } from './package-fields.ts'
import {
  manifestPaths,
  mergeManifests,
  pluginSlug,
  readmePath,
  readPluginFields,
  serializeManifests,
  truncatedPluginFields,
} from './plugin.ts'
import { type FallbackFields, isTooLong, slugOf, warnTruncated } from './read-markdown.ts'

/** Reads an asset from a plugin. `used` are the files that describe it; all others are attachments. Throws InvalidPackageError. */
export async function readPlugin(
  reader: PackageReader,
  fallback: FallbackFields | undefined,
): Promise<{ packaged: PackagedAsset; used: string[] }> {
  const portable = await reader.text(manifestPaths.portable)
  const claude = await reader.text(manifestPaths.claude)
  const texts = { ...(portable !== undefined && { portable }), ...(claude !== undefined && { claude }) }
  const used = Object.values(manifestPaths).filter(path => reader.has(path))
  const fields = mergeManifests(texts)
  const [path = null] = used
  if (path === null) reader.warn('manifest-missing', null, 'The plugin has no manifest. Patio creates one.')
  const name = textOf(fields.name).trim() || reader.folder
  if (name === undefined) rejectPackage('name-missing', path, 'The plugin has no name.')
  if (textOf(fields.name) === '') reader.warn('name-missing', path, 'The plugin should have a name.')

  const parsed = readPluginFields(fields)
  if (fields.version !== undefined && parsed.version === undefined)
    reader.warn('version-invalid', path, 'The version is not a semantic version and is ignored.')
  warnTruncated(truncatedPluginFields(fields), path, reader)
  const known = { ...fallback, ...parsed }
  const body = await readmeIn(reader)
  return {
    packaged: {
      type: 'PLUGIN',
      slug: slugOf(pluginSlug(name), 'PLUGIN', path ?? manifestPaths.portable, reader),
      name: known.title ?? parseName(name) ?? 'plugin',
      description: known.description ?? '',
      version: known.version ?? '1.0.0',
      changelog: fallback?.changelog ?? null,
      tags: known.tags ?? [],
      iconName: known.iconName ?? null,
      color: known.color ?? null,
      bodyMarkdown: body,
      frontmatter: fields,
      frontmatterText: serializeManifests(texts),
    },
    used: body === '' ? used : [...used, readmePath],
  }
}

/** The README of a plugin is its body. If it is too long or not a text, it stays an attachment. */
async function readmeIn(reader: PackageReader): Promise<string> {
  if (!reader.has(readmePath)) return ''
  const text = await reader.tryText(readmePath)
  if (text !== undefined && !isTooLong(text)) return text
  reader.warn('readme-kept', readmePath, 'The file is too long or not a text and stays an attachment.')
  return ''
}
