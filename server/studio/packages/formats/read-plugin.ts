import { flaw } from '../findings.ts'
import type { Packaged } from '../packaged.ts'
import type { Reading } from '../reading.ts'
import {
  cutFromPlugin,
  manifestPaths,
  pluginSlug,
  readmePath,
  textOfManifests,
  toldByPlugin,
  unionOf,
} from './plugin.ts'
import { isTooLong, type More, slugOf, warnOfCuts } from './read-markdown.ts'
import { nameFrom, textOf } from './told.ts'

/** The asset that a plugin is, and which files it is made of. All others are its attachments. Throws Flaw. */
export async function readPlugin(
  reading: Reading,
  more: More | undefined,
): Promise<{ packaged: Packaged; used: string[] }> {
  const portable = await reading.text(manifestPaths.portable)
  const claude = await reading.text(manifestPaths.claude)
  const texts = { ...(portable !== undefined && { portable }), ...(claude !== undefined && { claude }) }
  const used = Object.values(manifestPaths).filter(path => reading.has(path))
  const fields = unionOf(texts)
  const [path = null] = used
  if (path === null) reading.warn('manifest-missing', null, 'The plugin has no manifest: one is made for it.')
  const name = textOf(fields.name).trim() || reading.folder
  if (name === undefined) flaw('name-missing', path, 'The plugin has no name.')
  if (textOf(fields.name) === '') reading.warn('name-missing', path, 'The plugin should have a name.')

  const told = toldByPlugin(fields)
  if (fields.version !== undefined && told.version === undefined)
    reading.warn('version-invalid', path, 'The version is not a semantic one and is not taken.')
  warnOfCuts(cutFromPlugin(fields), path, reading)
  const known = { ...more, ...told }
  const body = await readmeIn(reading)
  return {
    packaged: {
      type: 'PLUGIN',
      slug: slugOf(pluginSlug(name), 'PLUGIN', path ?? manifestPaths.portable, reading),
      name: known.title ?? nameFrom(name) ?? 'plugin',
      description: known.description ?? '',
      version: known.version ?? '1.0.0',
      changelog: more?.changelog ?? null,
      tags: known.tags ?? [],
      iconName: known.iconName ?? null,
      color: known.color ?? null,
      bodyMarkdown: body,
      frontmatter: fields,
      frontmatterText: textOfManifests(texts),
    },
    used: body === '' ? used : [...used, readmePath],
  }
}

/** The README of a plugin is its body, unless it is no text or too long: then it stays an attachment. */
async function readmeIn(reading: Reading): Promise<string> {
  if (!reading.has(readmePath)) return ''
  const text = await reading.textOrNothing(readmePath)
  if (text !== undefined && !isTooLong(text)) return text
  reading.warn('readme-kept', readmePath, 'It cannot be the text of the plugin and stays an attachment.')
  return ''
}
