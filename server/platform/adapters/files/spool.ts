import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { type FileHandle, open, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { nowMs } from '../../clock.ts'
import { freeBuffer } from '../../free-buffer.ts'
import { newId } from '../../ids.ts'
import { onDisk, TooLarge } from './errors.ts'
import type { Incoming } from './port.ts'

/** Received bytes, and the file that holds them. */
export type Spooled = Incoming & { readonly path: string }

const headBytes = 4_100
/** No upload takes this long. */
const staleMs = 6 * 3_600_000

/** Receives bytes into a new file of the folder. See `Files.receive`. */
export async function receiveInto(
  folder: string,
  source: Readable | Buffer,
  maxBytes: number,
  isOwn = false,
): Promise<Spooled> {
  // it may fail before it is read
  if (!Buffer.isBuffer(source)) source.on('error', () => {})
  const path = join(folder, newId())
  const discard = () => onDisk(() => rm(path, { force: true }))
  try {
    const file = await onDisk(() => open(path, 'wx', 0o600))
    try {
      const content = Buffer.isBuffer(source)
        ? await writeBuffer(source, file, maxBytes)
        : await writeStream(source, file, maxBytes, isOwn)
      return { ...content, path, discard, read: () => createReadStream(path) }
    } finally {
      await file.close()
    }
  } catch (error) {
    if (!Buffer.isBuffer(source)) source.destroy()
    await discard().catch(() => {})
    throw error
  }
}

type ReceivedContent = Pick<Incoming, 'sha256' | 'size' | 'head'>

async function writeBuffer(bytes: Buffer, file: FileHandle, maxBytes: number): Promise<ReceivedContent> {
  if (bytes.length > maxBytes) throw new TooLarge(`More than ${maxBytes} bytes`)
  await onDisk(() => file.writeFile(bytes))
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  return { sha256, size: bytes.length, head: bytes.subarray(0, headBytes) }
}

/** Each piece is hashed while it is written, and the next one is read after that. */
async function writeStream(
  source: Readable,
  file: FileHandle,
  maxBytes: number,
  isOwn: boolean,
): Promise<ReceivedContent> {
  const hash = createHash('sha256')
  const first: Buffer[] = []
  let size = 0
  let written: Promise<unknown> = Promise.resolve()
  for await (const chunk of source as AsyncIterable<Buffer>) {
    if (size < headBytes) first.push(Buffer.from(chunk.subarray(0, headBytes - size)))
    size += chunk.length
    if (size > maxBytes) throw new TooLarge(`More than ${maxBytes} bytes`)
    await written
    written = onDisk(() => writeAll(file, chunk)).then(() => isOwn && freeBuffer(chunk))
    // awaited before the next write, or at the end
    written.catch(() => {})
    hash.update(chunk)
  }
  await written
  return { sha256: hash.digest('hex'), size, head: Buffer.concat(first) }
}

async function writeAll(file: FileHandle, bytes: Buffer): Promise<void> {
  for (let at = 0; at < bytes.length; ) at += (await file.write(bytes, at)).bytesWritten
}

/** Deletes files that are older than any upload. */
export async function removeStaleUploads(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name)
    const age = await stat(path).then(
      ({ mtimeMs }) => nowMs() - mtimeMs,
      () => 0,
    )
    if (age > staleMs) await rm(path, { force: true })
  }
}
