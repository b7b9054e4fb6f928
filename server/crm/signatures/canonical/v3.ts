import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'

/**
 * The fingerprint of hashVersion 3: of the bytes of the PDF that was signed, and nothing else, in as many pieces as they
 * come. Frozen: it never changes (SIG-12, SIG-13).
 */
export async function fingerprint3(bytes: Readable): Promise<string> {
  const hash = createHash('sha256')
  for await (const piece of bytes as AsyncIterable<Buffer>) hash.update(piece)
  return hash.digest('hex')
}
