import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'

/** The fingerprint of hashVersion 3: the bytes of the signed PDF. Frozen: this function never changes (SIG-12, SIG-13). */
export async function fingerprint3(bytes: Readable): Promise<string> {
  const hash = createHash('sha256')
  for await (const piece of bytes as AsyncIterable<Buffer>) hash.update(piece)
  return hash.digest('hex')
}
