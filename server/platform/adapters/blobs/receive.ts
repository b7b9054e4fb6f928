import { Readable } from 'node:stream'
import type { Incoming } from '../files/port.ts'
import { receiveInto, type Spooled } from '../files/spool.ts'

/** The largest blob. */
const maxBytes = 16 * 1024 ** 3

/** Receives the bytes of a blob into a file of a folder. */
export async function receiveBlob(
  folder: string,
  source: AsyncIterable<Buffer> | Buffer,
): Promise<Spooled & Incoming> {
  const bytes = Buffer.isBuffer(source) ? source : Readable.from(source, { objectMode: false })
  return receiveInto(folder, bytes, maxBytes)
}
