import { RandomAccessReader } from 'yauzl'
import type { Spool } from './spool.ts'

/** Bytes per read: yauzl reads the directory in many small pieces. */
const windowBytes = 65_536

/** Lets yauzl read an archive from a spool. Marks errors of our disk with `isOurs`. */
export class SpoolReader extends RandomAccessReader {
  readonly #spool: Spool
  #window: Buffer = Buffer.alloc(0)
  #windowAt = 0
  constructor(spool: Spool) {
    super()
    this.#spool = spool
  }
  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    done: (error: Error | null) => void,
  ): void {
    this.#bytes(position, length).then(
      bytes => {
        bytes.copy(buffer, offset)
        done(bytes.length < length ? new Error('the archive ends too early') : null)
      },
      cause => done(Object.assign(new Error('the disk', { cause }), { isOurs: true })),
    )
  }
  async #bytes(position: number, length: number): Promise<Buffer> {
    const start = position - this.#windowAt
    if (start < 0 || start + length > this.#window.length) {
      this.#window = await this.#spool.read(position, Math.max(length, windowBytes))
      this.#windowAt = position
      return this.#window.subarray(0, length)
    }
    return this.#window.subarray(start, start + length)
  }
}
