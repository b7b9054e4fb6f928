import { isUtf8 } from 'node:buffer'
import { pipeline, Readable } from 'node:stream'
import { promisify } from 'node:util'
import { crc32, createInflateRaw, inflateRaw, inflateRawSync } from 'node:zlib'
import { flaw } from '../findings.ts'
import type { Archive, Entry } from './open.ts'

/** Files of at most so many bytes are unpacked in one go. */
const atOnceBytes = 262_144
const tinyBytes = 32_768
const chunkBytes = 65_536

const inflate = promisify<Buffer, { maxOutputLength: number }, Buffer>(inflateRaw)

/**
 * The content of a file, or the stream of it when it is large. It has exactly the size and checksum that the archive
 * says, or reading it throws Flaw.
 */
export async function unpacked(archive: Archive, entry: Entry): Promise<Buffer | Readable> {
  const start = await startOf(archive, entry)
  if (entry.size <= atOnceBytes && entry.packed <= atOnceBytes * 2) return whole(archive, entry, start)
  return Readable.from(checked(inflated(archive, entry, start), entry), { objectMode: false })
}

/** The content of a file in memory. */
export async function bytesOf(archive: Archive, entry: Entry): Promise<Buffer> {
  const content = await unpacked(archive, entry)
  return Buffer.isBuffer(content) ? content : Buffer.concat(await content.toArray())
}

async function startOf({ zip }: Archive, entry: Entry): Promise<number> {
  try {
    return (await zip.readLocalFileHeaderPromise(entry.header, { minimal: true })).fileDataStart
  } catch (error) {
    if (error instanceof Error && 'isOurs' in error) throw error.cause
    return damaged(entry)
  }
}

async function whole({ spool }: Archive, entry: Entry, start: number): Promise<Buffer> {
  const packed = await spool.read(start, entry.packed)
  if (packed.length < entry.packed) damaged(entry)
  const content = entry.isDeflated ? await tryInflate(packed, entry) : packed
  if (content.length !== entry.size || crc32(content) !== entry.crc32) damaged(entry)
  return content
}

async function tryInflate(packed: Buffer, entry: Entry): Promise<Buffer> {
  const maxOutputLength = Math.max(1, entry.size)
  try {
    // sooner done than handed to another thread
    if (entry.size <= tinyBytes) return inflateRawSync(packed, { maxOutputLength })
    return await inflate(packed, { maxOutputLength })
  } catch {
    return damaged(entry)
  }
}

async function* raw({ spool }: Archive, entry: Entry, start: number): AsyncGenerator<Buffer> {
  const end = start + entry.packed
  for (let at = start; at < end; at += chunkBytes) {
    const chunk = await spool.read(at, Math.min(chunkBytes, end - at))
    if (chunk.length === 0) return
    yield chunk
  }
}

function inflated(archive: Archive, entry: Entry, start: number): AsyncIterable<Buffer> {
  const packed = raw(archive, entry, start)
  if (!entry.isDeflated) return packed
  // whoever reads it sees the error; the last argument only takes it from the pipeline
  return pipeline(Readable.from(packed), createInflateRaw({ chunkSize: chunkBytes }), () => {})
}

async function* checked(content: AsyncIterable<Buffer>, entry: Entry): AsyncGenerator<Buffer> {
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
    if ((error as { code?: string }).code?.startsWith('Z_')) damaged(entry)
    throw error
  }
  if (size !== entry.size || sum !== entry.crc32) damaged(entry)
}

function damaged({ path }: Entry): never {
  return flaw('content-damaged', path, 'Its content is not what the archive says it is.')
}

/** More than the longest body with the longest front matter. */
const mostTextBytes = 4 * 1_048_576

/** The text of a file, or why it is none. */
export async function textIn(
  archive: Archive,
  entry: Entry,
): Promise<{ text: string; problem?: undefined } | { text?: undefined; problem: string }> {
  if (entry.size > mostTextBytes) return { problem: 'It is too long.' }
  const bytes = await bytesOf(archive, entry)
  if (!isUtf8(bytes)) return { problem: 'It is not UTF-8.' }
  return bytes.includes(0) ? { problem: 'It holds NUL.' } : { text: bytes.toString('utf8') }
}
