import { isUtf8 } from 'node:buffer'
import { ObjectMissing } from '#platform/outside/files.ts'

/** The bytes of an object, as `Files.open` gives them. */
export type OpenObject = (sha256: string) => Promise<AsyncIterable<Uint8Array>>

/** The first bytes of an object; undefined when there is none. Other failures of the store are thrown. */
export async function beginningOf(
  sha256: string,
  length: number,
  open: OpenObject,
): Promise<Buffer | undefined> {
  const pieces: Uint8Array[] = []
  let size = 0
  try {
    for await (const piece of await open(sha256)) {
      pieces.push(piece)
      size += piece.length
      if (size >= length) break
    }
  } catch (error) {
    if (error instanceof ObjectMissing) return undefined
    throw error
  }
  return Buffer.concat(pieces, size).subarray(0, length)
}

/** The text of a file in UTF-8, or in UTF-16 with its mark; undefined when it is none. A cut file may end in a letter. */
export function textIn(bytes: Buffer): string | undefined {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return decoded('utf-16le', bytes)
  if (first === 0xfe && second === 0xff) return decoded('utf-16be', bytes)
  if (bytes.includes(0)) return undefined
  for (let less = 0; less <= 3; less++)
    if (isUtf8(bytes.subarray(0, bytes.length - less)))
      return decoded('utf-8', bytes.subarray(0, bytes.length - less))
  return undefined
}

function decoded(encoding: string, bytes: Buffer): string {
  return new TextDecoder(encoding).decode(bytes)
}
