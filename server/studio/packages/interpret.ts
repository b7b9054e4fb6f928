import { limits } from '#contract/limits.ts'
import type { Finding, Sidecar } from '#contract/studio/packages.ts'
import { clashIn, tidyPath } from '../files/file.rules.ts'
import type { Archive, Entry } from './archive/open.ts'
import { textIn } from './archive/unpack.ts'
import { companionPaths } from './companions.ts'
import { type Detected, detect, folderOf, prefixesOf } from './detect.ts'
import { Flaw, finding, flaw } from './findings.ts'
import { pathOf } from './formats/markdown.ts'
import { manifestPaths } from './formats/plugin.ts'
import { assertBody, readMarkdown } from './formats/read-markdown.ts'
import { readPlugin } from './formats/read-plugin.ts'
import type { Packaged } from './packaged.ts'
import type { Reading } from './reading.ts'
import { restored } from './restore.ts'
import { readSidecar, sidecarPath } from './sidecar.ts'

/** An attachment of a package that is imported. */
export type Attached = { path: string; entry: Entry }

/** What an import makes of an archive. Without `packaged` there are errors. */
export type Interpreted = {
  packaged: Packaged | undefined
  attached: readonly Attached[]
  sidecar: Sidecar | undefined
  errors: readonly Finding[]
  warnings: readonly Finding[]
}

/**
 * Understands a package: what asset it is and which of its files are attachments. What is not as it should be but can be
 * understood is a warning (PKG-7).
 */
export async function interpret(archive: Archive): Promise<Interpreted> {
  const warnings: Finding[] = [...archive.warnings]
  const warn: Reading['warn'] = (code, path, message, line) => {
    warnings.push(finding(code, path, message, line))
  }
  try {
    return { ...(await understood(archive, warn)), errors: [], warnings }
  } catch (error) {
    if (!(error instanceof Flaw)) throw error
    return { packaged: undefined, attached: [], sidecar: undefined, errors: error.findings, warnings }
  }
}

async function understood(archive: Archive, warn: Reading['warn']) {
  const { entries } = archive
  const byPath = new Map(entries.map(entry => [entry.path, entry]))
  const paths = [...byPath.keys()]
  const beside = prefixesOf(paths).find(prefix => byPath.has(`${prefix}${sidecarPath}`))
  const sidecarEntry = beside === undefined ? undefined : byPath.get(`${beside}${sidecarPath}`)
  const sidecar = sidecarEntry && (await sidecarIn(archive, sidecarEntry, warn))
  const found = (sidecar && promised(sidecar, beside!, byPath)) ?? detect(paths)
  if (!found)
    flaw('type-unknown', null, 'It is no skill, plugin, agent, command or prompt, or several of them.')

  const { prefix } = found
  const files = new Map(entries.map(entry => [entry.path.slice(prefix.length), entry]))
  const reading = readingOf(archive, files, folderOf(prefix), warn)
  const beliefs = prefix === beside ? sidecar : undefined
  const { packaged, used } =
    (beliefs && (await restored(beliefs, reading))) ?? (await readFrom(found, beliefs, reading))
  assertBody(packaged.bodyMarkdown, used.at(-1) ?? null)
  const attached = new Set(beliefs?.files.map(({ path, packagedAs }) => packagedAs ?? path))
  const companions = await companionPaths(reading, path => attached.has(path))
  for (const path of [...used, ...companions, ...(beliefs ? [sidecarPath] : [])]) files.delete(path)
  return { packaged, sidecar: beliefs, attached: attachedOf(files, beliefs, warn) }
}

function readingOf(
  archive: Archive,
  files: ReadonlyMap<string, Entry>,
  folder: string | undefined,
  warn: Reading['warn'],
): Reading {
  const texts = new Map<string, ReturnType<typeof textIn>>()
  const read = (path: string) => {
    const entry = files.get(path)
    if (entry && !texts.has(path)) texts.set(path, textIn(archive, entry))
    return texts.get(path)
  }
  return {
    folder,
    warn,
    has: path => files.has(path),
    textOrNothing: async path => (await read(path))?.text,
    async text(path) {
      const found = await read(path)
      return found?.problem === undefined ? found?.text : flaw('not-text', path, found.problem)
    },
  }
}

async function sidecarIn(
  archive: Archive,
  entry: Entry,
  warn: Reading['warn'],
): Promise<Sidecar | undefined> {
  const { text } = await textIn(archive, entry)
  const sidecar = text === undefined ? undefined : readSidecar(text)
  if (!sidecar)
    warn('sidecar-invalid', entry.path, 'It does not say how to restore the package and is kept as it is.')
  return sidecar
}

/** What the sidecar says the package is, when the files that this takes are there. */
function promised(sidecar: Sidecar, prefix: string, files: ReadonlyMap<string, Entry>): Detected | undefined {
  const { type, slug } = sidecar
  if (type === 'PLUGIN') {
    const isThere = Object.values(manifestPaths).some(path => files.has(`${prefix}${path}`))
    return isThere ? { prefix, type, main: undefined } : undefined
  }
  const main = pathOf(type, slug)
  return files.has(`${prefix}${main}`) ? { prefix, type, main } : undefined
}

/** Reads the files themselves; of a sidecar that does not agree with them, only what they do not tell is taken. */
async function readFrom(
  { type, main }: Detected,
  sidecar: Sidecar | undefined,
  reading: Reading,
): Promise<{ packaged: Packaged; used: string[] }> {
  if (sidecar)
    reading.warn('sidecar-differs', sidecarPath, 'The files were changed after it was written: they count.')
  const more = sidecar && {
    title: sidecar.name,
    description: sidecar.description,
    version: sidecar.version,
    tags: sidecar.tags,
    iconName: sidecar.iconName ?? undefined,
    color: sidecar.color ?? undefined,
    changelog: sidecar.changelog,
  }
  if (type === 'PLUGIN') return readPlugin(reading, more)
  return { packaged: await readMarkdown(type, main!, reading, more), used: [main!] }
}

/** The attachments under the paths that they shall have. */
function attachedOf(
  files: ReadonlyMap<string, Entry>,
  sidecar: Sidecar | undefined,
  warn: Reading['warn'],
): Attached[] {
  const own = new Map(sidecar?.files.map(({ path, packagedAs }) => [packagedAs ?? path, path]))
  const named = [...files].map(([path, entry]) => ({ path: own.get(path) ?? path, entry }))
  const isClear =
    clashIn(
      [],
      named.map(({ path }) => path),
    ) === undefined
  if (!isClear) warn('sidecar-differs', sidecarPath, 'It gives the same place to several files.')
  const placed = isClear ? named : [...files].map(([path, entry]) => ({ path, entry }))
  const tidy = placed.map(({ path, entry }) => ({ path: tidyPath(path) ?? untidy(path), entry }))
  return tidy.sort((a, b) => (a.path < b.path ? -1 : 1))
}

function untidy(path: string): never {
  const { filePathBytes, filePathDepth } = limits
  return flaw('path-invalid', path, `A path has at most ${filePathBytes} bytes and ${filePathDepth} parts.`)
}
