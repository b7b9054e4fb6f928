import type { Readable } from 'node:stream'

/** A stored blob as the store lists it. */
export type StoredBlob = { name: string; bytes: number; changedAtMs: number }
/** A written blob: the size and the SHA-256 of its stored bytes. */
export type WrittenBlob = { name: string; bytes: number; sha256: string }

/** Named blobs, such as the parts of backups. Names are paths of letters, digits, `.`, `-` and `_`. */
export type Blobs = {
  /** Writes or replaces a blob; it is durable and complete when this resolves, and not visible before. */
  write(name: string, source: AsyncIterable<Buffer> | Buffer): Promise<WrittenBlob>
  /** The bytes of a blob. Throws ObjectMissing. */
  read(name: string): Promise<Readable>
  /** All blobs whose names begin with a folder, in no order. */
  list(folder: string): AsyncIterable<StoredBlob>
  /** Deletes a blob, if it exists. */
  remove(name: string): Promise<void>
  close(): void
}
