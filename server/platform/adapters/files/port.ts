import type { Readable } from 'node:stream'

/** Bytes that were received and lie on this machine's disk, not yet under their digest. */
export type Incoming = {
  readonly sha256: string
  readonly size: number
  /** The first bytes, enough to tell what kind of file it is. */
  readonly head: Buffer
  /** The bytes, from the beginning; may be read more than once. */
  read(): Readable
  /** Forgets them. Harmless after `put` and when repeated. */
  discard(): Promise<void>
}

/** Objects by the SHA-256 of their content. Durable when `put` resolves. */
export type Files = {
  /**
   * Streams bytes in, hashing them on the way. Throws `TooLarge` as soon as there are more than `maxBytes`. What was
   * received of a source that fails is removed, and its error thrown. `isOwn`: nobody else has the pieces that the
   * source gives, so that their memory is freed as soon as they are written.
   */
  receive(source: Readable | Buffer, maxBytes: number, isOwn?: boolean): Promise<Incoming>
  /** Keeps the received bytes under their digest; all of them durable when it resolves. */
  put(incoming: readonly Incoming[]): Promise<void>
  /** The bytes of an object, or `length` of them from `start`. Throws `ObjectMissing` when there is none. */
  open(sha256: string, range?: { start: number; length: number }): Promise<Readable>
  /** Removes an object; it may be gone already. */
  remove(sha256: string): Promise<void>
  /** Removes what was received long ago and never put. */
  removeStaleUploads(): Promise<void>
  /** Lets go of connections. */
  close(): void
}

/** How to reach a bucket. */
export type S3Access = {
  /** Undefined: that of AWS. */
  endpoint: string | undefined
  region: string
  accessKeyId: string
  secretAccessKey: string
}
