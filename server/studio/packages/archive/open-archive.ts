import { fromRandomAccessReaderPromise, type Entry as Header, type ZipFile } from 'yauzl'
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
import { SpoolReader } from './spool-reader.ts'

/** A file in an archive, as the archive tells it; unpacking finds out whether that is true. */
export type ArchiveEntry = {
  /** `/` between its parts, as it stands in the archive but for Unicode normalization (NFC). */
  readonly path: string
  /** Unpacked, in bytes. */
  readonly size: number
  /** Packed, in bytes. */
  readonly packed: number
  readonly crc32: number
  readonly isDeflated: boolean
  readonly header: Header
}

/** An archive whose directory is sound. */
export type Archive = {
  readonly entries: readonly ArchiveEntry[]
  readonly warnings: readonly Finding[]
  readonly spool: Spool
  readonly zip: ZipFile
}

/** What an archive may hold at most. */
type ArchiveBounds = { files: number; fileBytes: number; unpackedBytes: number; ratio: number }

/** Leftovers and folders may stand beside the files of a package: so many entries in all for each file. */
const entriesPerFile = 10
/** Up to here a package may be packed as tightly as it likes: a long text that repeats itself is no bomb. */
const ratioFreeBytes = 4 * 1_048_576

/**
 * Reads the directory of an archive and refuses, before anything is unpacked, what no package holds: names that lead
 * elsewhere, links, the same name twice, encryption, entries that share bytes, more than the limits.
 * Throws Flaw and Excess.
 */
export function openArchive(spool: Spool, { maxFileBytes }: { maxFileBytes: number }): Promise<Archive> {
  return openBounded(spool, {
    files: limits.packageFiles,
    fileBytes: Math.min(limits.packageFileBytes, maxFileBytes),
    unpackedBytes: limits.packageUnpackedBytes,
    ratio: limits.packageRatio,
  })
}

/** The same for a package of our own, which may hold whatever a version can. */
export function openExported(spool: Spool): Promise<Archive> {
  const { filesPerVersion, versionBytes, packageUnpackedBytes } = limits
  // beside the attachments stand the few files that say what the asset is
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
  const zip = await rejectIfDamaged(() =>
    fromRandomAccessReaderPromise(new SpoolReader(spool), spool.size, options),
  )
  const mostEntries = bounds.files * entriesPerFile
  if (zip.entryCount > mostEntries)
    throw new PackageTooLargeError(
      'too-many-files',
      null,
      mostEntries,
      `It has more than ${mostEntries} entries.`,
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

/** Runs what reads the directory: whatever it stumbles over is the fault of the archive. */
async function rejectIfDamaged<Result>(read: () => Promise<Result>): Promise<Result> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof Error && 'isOurs' in error) throw error.cause
    return rejectPackage('archive-damaged', null, 'It is no ZIP archive, or a damaged one.')
  }
}

/** Where the next header is read; before the first, where the directory begins. */
function cursorOf(zip: ZipFile): number {
  return zip.readEntryCursor as unknown as number
}

const endRecord = 22
const zip64Records = 76

/** The directory must end where the archive says it ends, or readers disagree about what it holds. */
function assertDirectoryComplete(zip: ZipFile, size: number): void {
  const gap = size - endRecord - zip.comment.length - cursorOf(zip)
  if (gap !== 0 && gap !== zip64Records)
    rejectPackage('archive-damaged', null, 'Its directory does not hold what it says.')
}

const localHeader = 30

/** No two entries share bytes, and none reaches into the directory. */
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

/** The files, in the order of the archive. Every name that is not sound is told. */
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
  if (isFolder && uncompressedSize > 0) return { code: 'special-file', message: 'A folder has content.' }
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
    warnings.push(finding('junk-skipped', first, `Left out ${count} of ${kind}`))
  return files
}

/** What the archive says of its sizes stays within the limits. */
function assertBounded(entries: readonly ArchiveEntry[], archiveBytes: number, bounds: ArchiveBounds): void {
  const { files, fileBytes, unpackedBytes, ratio } = bounds
  if (entries.length > files)
    throw new PackageTooLargeError('too-many-files', null, files, `It has more than ${files} files.`)
  for (const { path, size } of entries) {
    if (size > fileBytes)
      throw new PackageTooLargeError(
        'file-too-large',
        path,
        fileBytes,
        `It is larger than ${fileBytes} bytes.`,
      )
  }
  const unpacked = entries.reduce((sum, { size }) => sum + size, 0)
  if (unpacked > unpackedBytes)
    throw new PackageTooLargeError(
      'package-too-large',
      null,
      unpackedBytes,
      `Unpacked it has more than ${unpackedBytes} bytes.`,
    )
  if (unpacked > Math.max(ratioFreeBytes, archiveBytes * ratio))
    throw new PackageTooLargeError(
      'ratio-too-high',
      null,
      ratio,
      `It is packed more tightly than ${ratio} to 1.`,
    )
}

function assertDistinct(entries: readonly ArchiveEntry[], warnings: Finding[]): void {
  const conflict = findPathConflict(
    [],
    entries.map(({ path }) => path),
  )
  if (conflict !== undefined)
    rejectPackage('duplicate-name', printable(conflict), 'Two entries cannot both be at this place.')
  const folded = new Map<string, string>()
  for (const { path } of entries) {
    const other = folded.get(path.toLowerCase())
    if (other !== undefined)
      warnings.push(finding('case-collision', path, `Only the case tells it from ${quoteStart(other)}.`))
    folded.set(path.toLowerCase(), path)
    if (isForbiddenOnWindows(path))
      warnings.push(finding('windows-name', path, 'Windows cannot store a file of this name.'))
  }
}
