import { isUtf8 } from 'node:buffer'
import { pipeline, Readable } from 'node:stream'
import { promisify } from 'node:util'
import { crc32, createInflateRaw, inflateRaw, inflateRawSync } from 'node:zlib'
import { rejectPackage } from '../package-errors.ts'
import type { Archive, ArchiveEntry } from './open-archive.ts'

/** Larger files are unpacked as a stream. */
const inMemoryBytes = 262_144
const tinyBytes = 32_768
const chunkBytes = 65_536

const inflate = promisify<Buffer, { maxOutputLength: number }, Buffer>(inflateRaw)

/**
 * The content of a file, as a stream if it is large. Reading throws InvalidPackageError unless size and checksum match the
 * directory.
 */
export async function unpackEntry(archive: Archive, entry: ArchiveEntry): Promise<Buffer | Readable> {
  const start = await dataStart(archive, entry)
  if (entry.size <= inMemoryBytes && entry.packed <= inMemoryBytes * 2)
    return unpackInMemory(archive, entry, start)
  return Readable.from(verified(inflated(archive, entry, start), entry), { objectMode: false })
}

/** The content of a file as a buffer. */
export async function readEntryBytes(archive: Archive, entry: ArchiveEntry): Promise<Buffer> {
  const content = await unpackEntry(archive, entry)
  return Buffer.isBuffer(content) ? content : Buffer.concat(await content.toArray())
}

async function dataStart({ zip }: Archive, entry: ArchiveEntry): Promise<number> {
  try {
    return (await zip.readLocalFileHeaderPromise(entry.header, { minimal: true })).fileDataStart
  } catch (error) {
    if (error instanceof Error && 'isOurs' in error) throw error.cause
    return rejectDamaged(entry)
  }
}

async function unpackInMemory({ spool }: Archive, entry: ArchiveEntry, start: number): Promise<Buffer> {
  const packed = await spool.read(start, entry.packed)
  if (packed.length < entry.packed) rejectDamaged(entry)
  const content = entry.isDeflated ? await tryInflate(packed, entry) : packed
  if (content.length !== entry.size || crc32(content) !== entry.crc32) rejectDamaged(entry)
  return content
}

async function tryInflate(packed: Buffer, entry: ArchiveEntry): Promise<Buffer> {
  const maxOutputLength = Math.max(1, entry.size)
  try {
    // Faster than the thread pool for a small file
    if (entry.size <= tinyBytes) return inflateRawSync(packed, { maxOutputLength })
    return await inflate(packed, { maxOutputLength })
  } catch {
    return rejectDamaged(entry)
  }
}

async function* raw({ spool }: Archive, entry: ArchiveEntry, start: number): AsyncGenerator<Buffer> {
  const end = start + entry.packed
  for (let at = start; at < end; at += chunkBytes) {
    const chunk = await spool.read(at, Math.min(chunkBytes, end - at))
    if (chunk.length === 0) return
    yield chunk
  }
}

function inflated(archive: Archive, entry: ArchiveEntry, start: number): AsyncIterable<Buffer> {
  const packed = raw(archive, entry, start)
  if (!entry.isDeflated) return packed
  // The reader of the stream receives the error; the callback only keeps it from being unhandled
  return pipeline(Readable.from(packed), createInflateRaw({ chunkSize: chunkBytes }), () => {})
}

async function* verified(content: AsyncIterable<Buffer>, entry: ArchiveEntry): AsyncGenerator<Buffer> {
  let size = 0
  let sum = 0
  try {
    for await (const chunk of content) {
      size += chunk.length
      if (size > entry.size) break
      sum = crc32(chunk, sum)
      yield chunk
    }
  } catch (error) {
    if ((error as { code?: string }).code?.startsWith('Z_')) rejectDamaged(entry)
    throw error
  }
  if (size !== entry.size || sum !== entry.crc32) rejectDamaged(entry)
}

function rejectDamaged({ path }: ArchiveEntry): never {
  return rejectPackage(
    'content-damaged',
    path,
    'The content does not match the size or checksum in the archive.',
  )
}

/** More than the longest body with the largest front matter. */
const maxTextBytes = 4 * 1_048_576

/** The text of a file, or why it is not a text. */
export async function readEntryText(
  archive: Archive,
  entry: ArchiveEntry,
): Promise<{ text: string; problem?: undefined } | { text?: undefined; problem: string }> {
  if (entry.size > maxTextBytes) return { problem: 'The file is too long.' }
  const bytes = await readEntryBytes(archive, entry)
  if (!isUtf8(bytes)) return { problem: 'The file is not UTF-8.' }
  return bytes.includes(0) ? { problem: 'The file contains NUL.' } : { text: bytes.toString('utf8') }
}
