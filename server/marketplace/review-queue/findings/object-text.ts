import { isUtf8 } from 'node:buffer'
import { ObjectMissing } from '#platform/adapters/files.ts'

/** Reads an object with `read`, as `readWithin` does. */
export type ReadObject = <Result>(
  sha256: string,
  read: (bytes: AsyncIterable<Uint8Array>) => Promise<Result>,
) => Promise<Result>

/** The first bytes of an object; undefined when there is none. Other failures of the store are thrown. */
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

/** The text of a file in UTF-8, or in UTF-16 with its mark; undefined when it is none. A cut file may end in a letter. */
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
