import { isUtf8 } from 'node:buffer'
import { ObjectMissing } from '#platform/adapters/files.ts'

/** Reads an object with `read`, like `readWithin`. */
export type ReadObject = <Result>(
  sha256: string,
  read: (bytes: AsyncIterable<Uint8Array>) => Promise<Result>,
) => Promise<Result>

/** The first bytes of an object; undefined if it is missing. Throws other failures of the file store. */
export async function readHead(
  sha256: string,
  length: number,
  readObject: ReadObject,
): Promise<Buffer | undefined> {
  return readObject(sha256, async bytes => {
    const pieces: Uint8Array[] = []
    let size = 0
    for await (const piece of bytes) {
      pieces.push(piece)
      size += piece.length
      if (size >= length) break
    }
    return Buffer.concat(pieces, size).subarray(0, length)
  }).catch(error => {
    if (error instanceof ObjectMissing) return undefined
    throw error
  })
}

/** Decodes UTF-8, or UTF-16 with a byte order mark; undefined for binary. A cut file may end inside a character. */
export function decodeText(bytes: Buffer): string | undefined {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return decode('utf-16le', bytes)
  if (first === 0xfe && second === 0xff) return decode('utf-16be', bytes)
  if (bytes.includes(0)) return undefined
  for (let less = 0; less <= 3; less++)
    if (isUtf8(bytes.subarray(0, bytes.length - less)))
      return decode('utf-8', bytes.subarray(0, bytes.length - less))
  return undefined
}

function decode(encoding: string, bytes: Buffer): string {
  return new TextDecoder(encoding).decode(bytes)
}
