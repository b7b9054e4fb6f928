import type { Readable } from 'node:stream'

/** Received bytes on this machine's disk, not yet stored under their digest. */
export type Incoming = {
  readonly sha256: string
  readonly size: number
  /** The first bytes, enough to detect the file type. */
  readonly head: Buffer
  /** The bytes from the beginning; may be read more than once. */
  read(): Readable
  /** Deletes the bytes. Harmless after `put` and when repeated. */
  discard(): Promise<void>
}

/** Objects by the SHA-256 of their content. Durable when `put` resolves. */
export type Files = {
  /**
   * Receives a stream and hashes it. Throws `TooLarge` as soon as there are more than `maxBytes`. If the
   * source fails, the received bytes are deleted and its error is thrown. `isOwn`: nobody else holds the
   * source's buffers, so their memory is freed as soon as they are written.
   */
  receive(source: Readable | Buffer, maxBytes: number, isOwn?: boolean): Promise<Incoming>
  /** Stores the received bytes under their digests; all are durable when it resolves. */
  put(incoming: readonly Incoming[]): Promise<void>
  /** The bytes of an object, or `length` of them from `start`. Throws `ObjectMissing`. */
  open(sha256: string, range?: { start: number; length: number }): Promise<Readable>
  /** Deletes an object, if it exists. */
  remove(sha256: string): Promise<void>
  /** Deletes bytes that were received long ago and never stored. */
  removeStaleUploads(): Promise<void>
  /** Closes connections. */
  close(): void
}

/** The credentials of a bucket. */
export type S3Access = {
  /** Undefined: AWS. */
  endpoint: string | undefined
  region: string
  accessKeyId: string
  secretAccessKey: string
}
