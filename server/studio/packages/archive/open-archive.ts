import type { Entry as Header, ZipFile } from 'yauzl'
import { limits } from '#contract/limits.ts'
import type { Finding } from '#contract/studio/packages.ts'
import { findPathConflict } from '../../files/file.rules.ts'
import {
  finding,
  InvalidPackageError,
  maxFindings,
  PackageTooLargeError,
  quoteStart,
  rejectPackage,
} from '../package-errors.ts'
import { isForbiddenOnWindows, junkKind, nameOf, nameProblem, printable } from './entry-names.ts'
import type { Spool } from './spool.ts'

/** A file in an archive, as the directory describes it. Unpacking verifies size and checksum. */
export type ArchiveEntry = {
  /** The path in the archive, in Unicode normalization form NFC. */
  readonly path: string
  /** Unpacked size in bytes. */
  readonly size: number
  /** Compressed size in bytes. */
  readonly packed: number
  readonly crc32: number
  readonly isDeflated: boolean
  readonly header: Header
}

/** An archive with a valid directory. */
export type Archive = {
  readonly entries: readonly ArchiveEntry[]
  readonly warnings: readonly Finding[]
  readonly spool: Spool
  readonly zip: ZipFile
}

/** The limits of an archive. */
type ArchiveBounds = { files: number; fileBytes: number; unpackedBytes: number; ratio: number }

/** Archives also contain junk and folders: entries that are allowed per allowed file. */
const entriesPerFile = 10
/** Unpacked size up to which the compression ratio does not matter: a repetitive text is not a ZIP bomb. */
const ratioFreeBytes = 4 * 1_048_576

/**
 * Reads the directory of an archive and rejects, before unpacking anything: names that point outside the package, links,
 * duplicate names, encryption, entries that share bytes, and content beyond the limits. Throws InvalidPackageError and
 * PackageTooLargeError.
 */
export function openArchive(spool: Spool, { maxFileBytes }: { maxFileBytes: number }): Promise<Archive> {
  return openBounded(spool, {
    files: limits.packageFiles,
    fileBytes: Math.min(limits.packageFileBytes, maxFileBytes),
    unpackedBytes: limits.packageUnpackedBytes,
    ratio: limits.packageRatio,
  })
}

/** Like `openArchive`, for a package that Patio exported: it may contain as much as a version can. */
export function openExported(spool: Spool): Promise<Archive> {
  const { filesPerVersion, versionBytes, packageUnpackedBytes } = limits
  // The attachments of a version, and the files that describe the asset
  const files = filesPerVersion + limits.packageFiles
  const unpackedBytes = versionBytes + packageUnpackedBytes
  return openBounded(spool, {
    files,
    fileBytes: versionBytes,
    unpackedBytes,
    ratio: Number.POSITIVE_INFINITY,
  })
}

async function openBounded(spool: Spool, bounds: ArchiveBounds): Promise<Archive> {
  // loaded with the first archive: most processes never read one
  const [{ fromRandomAccessReaderPromise }, { SpoolReader }] = await Promise.all([
    import('yauzl'),
    import('./spool-reader.ts'),
  ])
  const zip = await rejectIfDamaged(() =>
    fromRandomAccessReaderPromise(new SpoolReader(spool), spool.size, options),
  )
  const mostEntries = bounds.files * entriesPerFile
  if (zip.entryCount > mostEntries)
    throw new PackageTooLargeError(
      'too-many-files',
      null,
      mostEntries,
      `The archive has more than ${mostEntries} entries.`,
    )
  const directoryAt = cursorOf(zip)
  const headers: Header[] = []
  await rejectIfDamaged(async () => {
    for await (const header of zip.eachEntry()) headers.push(header)
  })
  assertDirectoryComplete(zip, spool.size)
  assertNoOverlap(headers, directoryAt)
  const warnings: Finding[] = []
  const entries = withoutJunk(fileEntries(headers), warnings)
  assertBounded(entries, spool.size, bounds)
  assertDistinct(entries, warnings)
  return { entries, warnings, spool, zip }
}

const options = { decodeStrings: false, validateEntrySizes: true, autoClose: false } as const

/** Runs a read of the directory. Rejects the archive for any error that is not an error of our disk. */
async function rejectIfDamaged<Result>(read: () => Promise<Result>): Promise<Result> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof Error && 'isOurs' in error) throw error.cause
    return rejectPackage('archive-damaged', null, 'The file is not a ZIP archive, or it is damaged.')
  }
}

/** The position of the next header; before the first read, the start of the directory. */
function cursorOf(zip: ZipFile): number {
  return zip.readEntryCursor as unknown as number
}

const endRecord = 22
const zip64Records = 76

/** The directory must end where the archive says. Otherwise readers disagree about its entries. */
function assertDirectoryComplete(zip: ZipFile, size: number): void {
  const gap = size - endRecord - zip.comment.length - cursorOf(zip)
  if (gap !== 0 && gap !== zip64Records)
    rejectPackage('archive-damaged', null, 'The directory of the archive is inconsistent.')
}

const localHeader = 30

/** Entries must not overlap each other or the directory. */
function assertNoOverlap(headers: readonly Header[], directoryAt: number): void {
  const starts = headers
    .map(header => ({ header, at: header.relativeOffsetOfLocalHeader }))
    .sort((a, b) => a.at - b.at)
  for (const [index, { header, at }] of starts.entries()) {
    const end = at + localHeader + header.fileNameLength + header.compressedSize
    if (end > (starts[index + 1]?.at ?? directoryAt))
      rejectPackage('entries-overlap', printable(header.fileNameRaw), 'Entries share the same bytes.')
  }
}

const deflate = 8
const flags = { encrypted: 0x1, patched: 0x20, strongly: 0x40, masked: 0x2000 } as const
const kinds = { any: 0o170000, file: 0o100000, folder: 0o040000 } as const

/** The files in the order of the archive. Throws with a finding for each invalid entry. */
function fileEntries(headers: readonly Header[]): ArchiveEntry[] {
  const problems: Finding[] = []
  const entries: ArchiveEntry[] = []
  for (const header of headers) {
    const name = nameOf(header).replace(/^(\.\/)+/, '')
    const problem = nameProblem(name) ?? entryProblem(header, name)
    if (problem) problems.push(finding(problem.code, printable(name), problem.message))
    else if (!name.endsWith('/')) entries.push(entryOf(header, name))
    if (problems.length === maxFindings) break
  }
  if (problems.length > 0) throw new InvalidPackageError(problems)
  return entries
}

function entryOf(header: Header, name: string): ArchiveEntry {
  const { uncompressedSize: size, compressedSize: packed, crc32, compressionMethod } = header
  return {
    path: name.normalize('NFC'),
    size,
    packed,
    crc32,
    isDeflated: compressionMethod === deflate,
    header,
  }
}

function entryProblem(header: Header, name: string): { code: string; message: string } | undefined {
  const { generalPurposeBitFlag: bits, compressionMethod, externalFileAttributes, uncompressedSize } = header
  if (bits & (flags.encrypted | flags.strongly | flags.masked))
    return { code: 'encrypted', message: 'An entry is encrypted.' }
  if (bits & flags.patched || (compressionMethod !== 0 && compressionMethod !== deflate))
    return { code: 'compression', message: 'An entry is compressed in a way that is not supported.' }
  const kind = (externalFileAttributes >>> 16) & kinds.any
  const isFolder = name.endsWith('/')
  if (kind !== 0 && kind !== kinds.file && !(isFolder && kind === kinds.folder))
    return { code: 'special-file', message: 'An entry is a link or another special file.' }
  if (isFolder && uncompressedSize > 0)
    return { code: 'special-file', message: 'A folder entry has content.' }
  return undefined
}

function withoutJunk(entries: readonly ArchiveEntry[], warnings: Finding[]): ArchiveEntry[] {
  const skipped = new Map<string, { count: number; first: string }>()
  const files = entries.filter(({ path }) => {
    const kind = junkKind(path)
    if (kind === undefined) return true
    const { count = 0, first = path } = skipped.get(kind) ?? {}
    skipped.set(kind, { count: count + 1, first })
    return false
  })
  for (const [kind, { count, first }] of skipped)
    warnings.push(finding('junk-skipped', first, `Junk files skipped (${kind}): ${count}.`))
  return files
}

/** Rejects an archive whose declared sizes exceed the limits. */
function assertBounded(entries: readonly ArchiveEntry[], archiveBytes: number, bounds: ArchiveBounds): void {
  const { files, fileBytes, unpackedBytes, ratio } = bounds
  if (entries.length > files)
    throw new PackageTooLargeError('too-many-files', null, files, `The archive has more than ${files} files.`)
  for (const { path, size } of entries) {
    if (size > fileBytes)
      throw new PackageTooLargeError(
        'file-too-large',
        path,
        fileBytes,
        `The file is larger than ${fileBytes} bytes.`,
      )
  }
  const unpacked = entries.reduce((sum, { size }) => sum + size, 0)
  if (unpacked > unpackedBytes)
    throw new PackageTooLargeError(
      'package-too-large',
      null,
      unpackedBytes,
      `The unpacked content is larger than ${unpackedBytes} bytes.`,
    )
  if (unpacked > Math.max(ratioFreeBytes, archiveBytes * ratio))
    throw new PackageTooLargeError(
      'ratio-too-high',
      null,
      ratio,
      `The compression ratio is higher than ${ratio} to 1.`,
    )
}

function assertDistinct(entries: readonly ArchiveEntry[], warnings: Finding[]): void {
  const conflict = findPathConflict(
    [],
    entries.map(({ path }) => path),
  )
  if (conflict !== undefined)
    rejectPackage('duplicate-name', printable(conflict), 'Another entry conflicts with this path.')
  const folded = new Map<string, string>()
  for (const { path } of entries) {
    const other = folded.get(path.toLowerCase())
    if (other !== undefined)
      warnings.push(
        finding('case-collision', path, `The path differs from ${quoteStart(other)} only in case.`),
      )
    folded.set(path.toLowerCase(), path)
    if (isForbiddenOnWindows(path))
      warnings.push(finding('windows-name', path, 'Windows cannot store a file with this name.'))
  }
}
