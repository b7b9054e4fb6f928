import { limits } from '#contract/limits.ts'
import { type AssetType, Slug } from '#contract/studio/assets.ts'
import { slugFrom } from '../../assets/asset.rules.ts'
import { stemOf } from '../detect.ts'
import { flaw, shortened } from '../findings.ts'
import { isObject, portableKeys, portableLengths } from '../frontmatter/portable.ts'
import { readYaml } from '../frontmatter/read.ts'
import { splitMarkdown } from '../frontmatter/split.ts'
import type { Packaged } from '../packaged.ts'
import type { Reading } from '../reading.ts'
import { cutFrom, type MarkdownType, toldBy } from './markdown.ts'
import { type Cut, nameFrom, type Told, textOf } from './told.ts'

type Fields = Record<string, unknown>
/** What is known from elsewhere, where the files do not tell. */
export type More = Told & { changelog: string | null }

/** The asset that a Markdown file with front matter is. Throws Flaw. */
export async function readMarkdown(
  type: MarkdownType,
  path: string,
  reading: Reading,
  more: More | undefined,
): Promise<Packaged> {
  const text = (await reading.text(path)) ?? ''
  const split = splitMarkdown(text)
  if (split === 'unclosed') return flaw('frontmatter-unclosed', path, 'Nothing closes the front matter.', 1)
  if (split === 'language')
    return flaw('frontmatter-language', path, 'Front matter is YAML and nothing else.', 1)
  if (split.head.startsWith('\ufeff'))
    reading.warn('byte-order-mark', path, 'It begins with a mark that some programs do not expect.')
  const { value: fields, repaired } = readYaml(split.yaml, path)
  for (const line of repaired)
    reading.warn('colon-unquoted', path, 'The value holds a colon and needs quotes.', line + 1)

  const told = toldBy(type, fields)
  if (type === 'SKILL') assertSkill(fields, told, path, reading)
  if (type === 'AGENT' && told.description === undefined)
    reading.warn('description-missing', path, 'An agent needs a description.')
  warnOfVersion(type, fields, told, path, reading)
  warnOfCuts(cutFrom(type, fields), path, reading)
  const known: Told = { ...more, ...told }
  const stem = stemOf(path)
  const given = textOf(fields.name).trim()
  const named =
    type === 'SKILL' ? given || reading.folder || 'skill' : type === 'AGENT' ? given || stem : stem
  return {
    type,
    slug: slugOf(named, type, path, reading),
    name: known.title ?? nameFrom(named) ?? type.toLowerCase(),
    description: known.description ?? '',
    version: known.version ?? '1.0.0',
    changelog: more?.changelog ?? null,
    tags: known.tags ?? [],
    iconName: known.iconName ?? null,
    color: known.color ?? null,
    bodyMarkdown: split.body,
    frontmatter: fields,
    frontmatterText: split.head,
  }
}

/** Refuses a text that no body can be. */
export function assertBody(body: string, path: string | null): void {
  if (isTooLong(body)) flaw('body-too-long', path, `Its text has more than ${limits.assetBody} characters.`)
}

/** Characters are counted as the contract counts them: by code point. */
export function isTooLong(body: string): boolean {
  return body.length > limits.assetBody && [...body].length > limits.assetBody
}

const slug = new RegExp((Slug as unknown as { pattern: string }).pattern)

/** The slug that a name is, or the nearest one, with a warning. */
export function slugOf(name: string, type: AssetType, path: string, reading: Reading): string {
  if (slug.test(name) && name.length <= limits.assetSlug) return name
  const nearest = slugFrom(name, type)
  reading.warn(
    'name-invalid',
    path,
    `The name is not lower-case words joined by hyphens: ${nearest} is taken.`,
  )
  return nearest
}

/** A skill without something that it must have is an error (PKG-8), anything else a warning (PKG-7). */
function assertSkill(fields: Fields, told: Told, path: string, { folder, warn }: Reading): void {
  if (told.description === undefined) flaw('description-missing', path, 'A skill needs a description.')
  if (path !== 'SKILL.md') warn('skill-file-name', path, 'The file should be called SKILL.md.')
  const name = textOf(fields.name).trim()
  if (name === '') warn('name-missing', path, 'A skill should have a name.')
  else if (folder !== undefined && name !== folder)
    warn('name-mismatch', path, `The name is ${shortened(name)}, the folder is called ${shortened(folder)}.`)
  if ([...textOf(fields.description)].length > portableLengths.description)
    warn('description-long', path, `The description has more than ${portableLengths.description} characters.`)
  for (const [key, value] of Object.entries(fields)) {
    if (!portableKeys.some(known => known === key))
      warn('key-unknown', path, `Not every client knows the key ${shortened(key)}.`)
    else if (!isOfItsKind(key, value))
      warn('value-unexpected', path, `The value of ${key} is not what clients expect.`)
  }
}

function isOfItsKind(key: string, value: unknown): boolean {
  if (key !== 'metadata') return typeof value === 'string'
  return isObject(value) && Object.values(value).every(field => typeof field === 'string')
}

const cutCodes: Record<Cut['field'], string> = {
  title: 'name-cut',
  description: 'description-cut',
  tags: 'tags-cut',
  iconName: 'icon-cut',
  color: 'color-cut',
}

/** Nothing of what a package tells is left out silently. */
export function warnOfCuts(cuts: readonly Cut[], path: string | null, { warn }: Reading): void {
  for (const { field, message } of cuts) warn(cutCodes[field], path, message)
}

function warnOfVersion(
  type: MarkdownType,
  fields: Fields,
  told: Told,
  path: string,
  { warn }: Reading,
): void {
  const inMetadata = type === 'SKILL' && isObject(fields.metadata) ? fields.metadata.version : undefined
  const written = textOf(inMetadata) || textOf(fields.version)
  if (written === '' || written === told.version) return
  if (told.version === undefined)
    warn('version-invalid', path, 'The version is not a semantic one and is not taken.')
  else warn('version-inexact', path, `The version is taken as ${told.version}.`)
}
