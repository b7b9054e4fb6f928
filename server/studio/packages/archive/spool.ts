import { randomUUID } from 'node:crypto'
import { type FileHandle, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onDisk } from '#platform/adapters/files/errors.ts'
import { TooLarge } from '#platform/adapters/files.ts'

/** A completely received body with random access. */
export type Spool = {
  /** Size in bytes. */
  readonly size: number
  /** Up to `length` bytes from `position`; fewer at the end. */
  read(position: number, length: number): Promise<Buffer>
  close(): Promise<void>
}

/** Larger bodies go to a temporary file. */
const inMemoryBytes = 512 * 1024

/**
 * Receives a body. A large one goes to an unlinked temporary file, which disappears even if this process crashes. Throws
 * TooLarge as soon as the body exceeds `maxBytes`, and StoreUnavailable.
 */
export async function spool(source: AsyncIterable<Buffer>, maxBytes: number): Promise<Spool> {
  let chunks: Buffer[] = []
  let size = 0
  let file: FileHandle | undefined
  try {
    for await (const chunk of source) {
      size += chunk.length
      if (size > maxBytes) throw new TooLarge(`More than ${maxBytes} bytes`)
      if (!file && size > inMemoryBytes) {
        file = await openUnlinkedFile()
        for (const earlier of chunks) await append(file, earlier)
        chunks = []
      }
      if (file) await append(file, chunk)
      else chunks.push(chunk)
    }
  } catch (error) {
    await file?.close()
    throw error
  }
  return file ? fileSpool(file, size) : memorySpool(Buffer.concat(chunks))
}

/** Bytes in memory as a spool. */
export function memorySpool(bytes: Buffer): Spool {
  return {
    size: bytes.length,
    read: async (position, length) => bytes.subarray(position, position + length),
    close: async () => {},
  }
}

function fileSpool(file: FileHandle, size: number): Spool {
  return {
    size,
    async read(position, length) {
      const buffer = Buffer.allocUnsafe(Math.max(0, Math.min(length, size - position)))
      let bytesReceived = 0
      while (bytesReceived < buffer.length) {
        const { bytesRead } = await onDisk(() =>
          file.read(buffer, bytesReceived, buffer.length - bytesReceived, position + bytesReceived),
        )
        if (bytesRead === 0) break
        bytesReceived += bytesRead
      }
      return buffer.subarray(0, bytesReceived)
    },
    close: () => file.close(),
  }
}

function openUnlinkedFile(): Promise<FileHandle> {
  return onDisk(async () => {
    const path = join(tmpdir(), `patio-package-${randomUUID()}`)
    const file = await open(path, 'wx+', 0o600)
    await rm(path)
    return file
  })
}

async function append(file: FileHandle, bytes: Buffer): Promise<void> {
  await onDisk(() => file.writeFile(bytes))
}
