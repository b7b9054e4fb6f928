import { limits } from '#contract/limits.ts'
import type { Finding, Sidecar } from '#contract/studio/packages.ts'
import { findPathConflict, normalizePath } from '../files/file.rules.ts'
import type { Archive, ArchiveEntry } from './archive/open-archive.ts'
import { readEntryText } from './archive/unpack-entry.ts'
import { type DetectedPackage, detectPackage, folderOf, prefixesOf } from './detect.ts'
import { extraFilePaths } from './extra-files.ts'
import { markdownPathOf } from './formats/markdown.ts'
import { manifestPaths } from './formats/plugin.ts'
import { assertBody, readMarkdown } from './formats/read-markdown.ts'
import { readPlugin } from './formats/read-plugin.ts'
import { finding, InvalidPackageError, rejectPackage } from './package-errors.ts'
import type { PackageReader } from './package-reader.ts'
import type { PackagedAsset } from './packaged-asset.ts'
import { restoreFromSidecar } from './restore-from-sidecar.ts'
import { readSidecar, sidecarPath } from './sidecar.ts'

/** An attachment in an imported package. */
export type PackageAttachment = { path: string; entry: ArchiveEntry }

/** The asset in an archive. Without `packaged` there are errors. */
export type InterpretedPackage = {
  packaged: PackagedAsset | undefined
  attachments: readonly PackageAttachment[]
  sidecar: Sidecar | undefined
  errors: readonly Finding[]
  warnings: readonly Finding[]
}

/**
 * Reads the asset in a package and determines which files are attachments. Mistakes that can be corrected become warnings
 * (PKG-7).
 */
export async function interpretPackage(archive: Archive): Promise<InterpretedPackage> {
  const warnings: Finding[] = [...archive.warnings]
  const warn: PackageReader['warn'] = (code, path, message, line) => {
    warnings.push(finding(code, path, message, line))
  }
  try {
    return { ...(await interpretOrReject(archive, warn)), errors: [], warnings }
  } catch (error) {
    if (!(error instanceof InvalidPackageError)) throw error
    return { packaged: undefined, attachments: [], sidecar: undefined, errors: error.findings, warnings }
  }
}

async function interpretOrReject(archive: Archive, warn: PackageReader['warn']) {
  const { entries } = archive
  const byPath = new Map(entries.map(entry => [entry.path, entry]))
  const paths = [...byPath.keys()]
  const sidecarPrefix = prefixesOf(paths).find(prefix => byPath.has(`${prefix}${sidecarPath}`))
  const sidecarEntry = sidecarPrefix === undefined ? undefined : byPath.get(`${sidecarPrefix}${sidecarPath}`)
  const sidecar = sidecarEntry && (await sidecarIn(archive, sidecarEntry, warn))
  const detected = (sidecar && detectBySidecar(sidecar, sidecarPrefix!, byPath)) ?? detectPackage(paths)
  if (!detected)
    rejectPackage(
      'type-unknown',
      null,
      'The package is not a skill, plugin, agent, command or prompt, or it could be several of them.',
    )

  const { prefix } = detected
  const files = new Map(entries.map(entry => [entry.path.slice(prefix.length), entry]))
  const reader = packageReader(archive, files, folderOf(prefix), warn)
  const trustedSidecar = prefix === sidecarPrefix ? sidecar : undefined
  const { packaged, used } =
    (trustedSidecar && (await restoreFromSidecar(trustedSidecar, reader))) ??
    (await readPackagedAsset(detected, trustedSidecar, reader))
  assertBody(packaged.bodyMarkdown, used.at(-1) ?? null)
  const attachedPaths = new Set(trustedSidecar?.files.map(({ path, packagedAs }) => packagedAs ?? path))
  const extraFiles = await extraFilePaths(reader, path => attachedPaths.has(path))
  for (const path of [...used, ...extraFiles, ...(trustedSidecar ? [sidecarPath] : [])]) files.delete(path)
  return { packaged, sidecar: trustedSidecar, attachments: attachmentsOf(files, trustedSidecar, warn) }
}

function packageReader(
  archive: Archive,
  files: ReadonlyMap<string, ArchiveEntry>,
  folder: string | undefined,
  warn: PackageReader['warn'],
): PackageReader {
  const texts = new Map<string, ReturnType<typeof readEntryText>>()
  const read = (path: string) => {
    const entry = files.get(path)
    if (entry && !texts.has(path)) texts.set(path, readEntryText(archive, entry))
    return texts.get(path)
  }
  return {
    folder,
    warn,
    has: path => files.has(path),
    tryText: async path => (await read(path))?.text,
    async text(path) {
      const result = await read(path)
      return result?.problem === undefined ? result?.text : rejectPackage('not-text', path, result.problem)
    },
  }
}

async function sidecarIn(
  archive: Archive,
  entry: ArchiveEntry,
  warn: PackageReader['warn'],
): Promise<Sidecar | undefined> {
  const { text } = await readEntryText(archive, entry)
  const sidecar = text === undefined ? undefined : readSidecar(text)
  if (!sidecar)
    warn('sidecar-invalid', entry.path, 'The file is not a valid sidecar and becomes an attachment.')
  return sidecar
}

/** The type of the package by its sidecar, if the required files exist. */
function detectBySidecar(
  sidecar: Sidecar,
  prefix: string,
  files: ReadonlyMap<string, ArchiveEntry>,
): DetectedPackage | undefined {
  const { type, slug } = sidecar
  if (type === 'PLUGIN') {
    const isThere = Object.values(manifestPaths).some(path => files.has(`${prefix}${path}`))
    return isThere ? { prefix, type, main: undefined } : undefined
  }
  const main = markdownPathOf(type, slug)
  return files.has(`${prefix}${main}`) ? { prefix, type, main } : undefined
}

/** Reads the files themselves. A sidecar that contradicts them only fills in the fields that they lack. */
async function readPackagedAsset(
  { type, main }: DetectedPackage,
  sidecar: Sidecar | undefined,
  reader: PackageReader,
): Promise<{ packaged: PackagedAsset; used: string[] }> {
  if (sidecar)
    reader.warn(
      'sidecar-differs',
      sidecarPath,
      'The files changed after the sidecar was written. The files take precedence.',
    )
  const fallback = sidecar && {
    title: sidecar.name,
    description: sidecar.description,
    version: sidecar.version,
    tags: sidecar.tags,
    iconName: sidecar.iconName ?? undefined,
    color: sidecar.color ?? undefined,
    changelog: sidecar.changelog,
  }
  if (type === 'PLUGIN') return readPlugin(reader, fallback)
  return { packaged: await readMarkdown(type, main!, reader, fallback), used: [main!] }
}

/** The attachments with the paths that they get in the version. */
function attachmentsOf(
  files: ReadonlyMap<string, ArchiveEntry>,
  sidecar: Sidecar | undefined,
  warn: PackageReader['warn'],
): PackageAttachment[] {
  const own = new Map(sidecar?.files.map(({ path, packagedAs }) => [packagedAs ?? path, path]))
  const named = [...files].map(([path, entry]) => ({ path: own.get(path) ?? path, entry }))
  const isUnambiguous =
    findPathConflict(
      [],
      named.map(({ path }) => path),
    ) === undefined
  if (!isUnambiguous) warn('sidecar-differs', sidecarPath, 'The sidecar assigns conflicting paths to files.')
  const placed = isUnambiguous ? named : [...files].map(([path, entry]) => ({ path, entry }))
  const normalized = placed.map(({ path, entry }) => ({
    path: normalizePath(path) ?? rejectPath(path),
    entry,
  }))
  return normalized.sort((a, b) => (a.path < b.path ? -1 : 1))
}

function rejectPath(path: string): never {
  const { filePathBytes, filePathDepth } = limits
  return rejectPackage(
    'path-invalid',
    path,
    `A path has at most ${filePathBytes} bytes and ${filePathDepth} parts.`,
  )
}
