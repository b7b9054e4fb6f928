import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import { zstdCompress, zstdDecompress } from 'node:zlib'

/** A blob was altered, is not complete, was renamed, or was encrypted with another key. */
export class BlobUnreadable extends Error {
  readonly isForPeople = true
}

/** The plain bytes of a frame: large enough for speed, and small enough to hold several in memory. */
const frameBytes = 1024 * 1024
/** Frames that the threads of Node compress or decompress at once. */
const framesAtOnce = 4

const magic = Buffer.from('patio-1\n')
const saltBytes = 16
const headBytes = magic.length + saltBytes
const lengthBytes = 4
const tagBytes = 16
const algorithm = 'aes-256-gcm'
const lastBit = 1
const compressedBit = 2
const compress = promisify(zstdCompress)
const decompress = promisify(zstdDecompress)

type Frame = { bytes: Buffer; bits: number }

/**
 * Compresses and encrypts bytes. A blob has eight bytes that name the form, a random salt, and frames. A frame has a word with
 * two bits and its length, the ciphertext, and the tag of AES-256-GCM. The key of the blob comes from its name and its salt.
 * The nonce has the number of the frame and the two bits: whether it is the last one, and whether it is compressed. So a frame
 * that was moved, left out or taken from another blob cannot be decrypted.
 */
export async function* sealBlob(
  key: Buffer,
  name: string,
  source: AsyncIterable<Buffer>,
): AsyncGenerator<Buffer> {
  const salt = randomBytes(saltBytes)
  const blobKey = keyOfBlob(key, name, salt)
  yield Buffer.concat([magic, salt])
  let number = 0
  for await (const { bytes, bits } of inOrder(framesOf(source), toFrame)) {
    const cipher = createCipheriv(algorithm, blobKey, nonceOf(number++, bits))
    const word = Buffer.alloc(lengthBytes)
    word.writeUInt32BE(bits * 2 ** 24 + bytes.length)
    yield Buffer.concat([word, cipher.update(bytes), cipher.final(), cipher.getAuthTag()])
  }
}

/** Decrypts what `sealBlob` made. Throws BlobUnreadable, at the latest at the end: use nothing of it before that. */
export async function* openBlob(
  key: Buffer,
  name: string,
  source: AsyncIterable<Buffer>,
): AsyncGenerator<Buffer> {
  for await (const bytes of inOrder(decrypted(key, name, source), toPlain)) yield bytes
}

/** A name of a blob that does not reveal the digest of its content to those who see only the store. */
export function hiddenName(key: Buffer, sha256: string): string {
  const nameKey = Buffer.from(hkdfSync('sha256', key, 'patio backup', 'names', 32))
  return createHmac('sha256', nameKey).update(sha256).digest('base64url').slice(0, 32)
}

function keyOfBlob(key: Buffer, name: string, salt: Buffer): Buffer {
  return Buffer.from(hkdfSync('sha256', key, salt, `patio backup ${name}`, 32))
}

function nonceOf(number: number, bits: number): Buffer {
  const nonce = Buffer.alloc(12)
  nonce.writeUIntBE(number, 5, 6)
  nonce[11] = bits
  return nonce
}

/** Cuts bytes into frames, and says which is the last one. An empty source has one empty frame. */
async function* framesOf(source: AsyncIterable<Buffer>): AsyncGenerator<{ plain: Buffer; isLast: boolean }> {
  let parts: Buffer[] = []
  let size = 0
  for await (const chunk of source) {
    parts.push(chunk)
    size += chunk.length
    if (size <= frameBytes) continue
    const bytes = Buffer.concat(parts)
    let at = 0
    // the last frame is never empty, unless the source is
    for (; bytes.length - at > frameBytes; at += frameBytes)
      yield { plain: bytes.subarray(at, at + frameBytes), isLast: false }
    parts = [bytes.subarray(at)]
    size = bytes.length - at
  }
  yield { plain: Buffer.concat(parts), isLast: true }
}

async function toFrame({ plain, isLast }: { plain: Buffer; isLast: boolean }): Promise<Frame> {
  const smaller = await compress(plain)
  const isWorth = smaller.length < plain.length * 0.95
  return {
    bytes: isWorth ? smaller : plain,
    bits: (isLast ? lastBit : 0) + (isWorth ? compressedBit : 0),
  }
}

async function toPlain({ bytes, bits }: Frame): Promise<Buffer> {
  return bits & compressedBit ? decompress(bytes, { maxOutputLength: frameBytes }) : bytes
}

async function* decrypted(key: Buffer, name: string, source: AsyncIterable<Buffer>): AsyncGenerator<Frame> {
  const unreadable = () =>
    new BlobUnreadable(
      `${name} cannot be decrypted: it was altered, or BACKUP_KEY is not the one of this backup.`,
    )
  const read = openReader(source)
  const head = await read(headBytes)
  if (!head?.subarray(0, magic.length).equals(magic)) throw unreadable()
  const blobKey = keyOfBlob(key, name, head.subarray(magic.length))
  for (let number = 0; ; number++) {
    const word = (await read(lengthBytes))?.readUInt32BE()
    if (word === undefined) throw unreadable()
    const bits = Math.floor(word / 2 ** 24)
    const length = word % 2 ** 24
    const sealed = length > frameBytes ? undefined : await read(length + tagBytes)
    if (!sealed) throw unreadable()
    const decipher = createDecipheriv(algorithm, blobKey, nonceOf(number, bits))
    decipher.setAuthTag(sealed.subarray(length))
    const bytes = decipher.update(sealed.subarray(0, length))
    try {
      decipher.final()
    } catch {
      throw unreadable()
    }
    yield { bytes, bits }
    if (!(bits & lastBit)) continue
    if (await read(1)) throw unreadable()
    return
  }
}

/** Reads a number of bytes at a time; undefined if the source has fewer left. */
function openReader(source: AsyncIterable<Buffer>): (length: number) => Promise<Buffer | undefined> {
  const chunks = source[Symbol.asyncIterator]()
  let held: Buffer = Buffer.alloc(0)
  return async length => {
    if (held.length < length) {
      const parts = [held]
      for (let size = held.length; size < length; ) {
        const { value, done } = await chunks.next()
        if (done) return undefined
        parts.push(value)
        size += value.length
      }
      held = Buffer.concat(parts)
    }
    const bytes = held.subarray(0, length)
    held = held.subarray(length)
    return bytes
  }
}

/** Does work for several items at once, and yields the results in the order of the items. */
async function* inOrder<Item, Result>(
  source: AsyncIterable<Item>,
  work: (item: Item) => Promise<Result>,
): AsyncGenerator<Result> {
  const waiting: Promise<Result>[] = []
  for await (const item of source) {
    const result = work(item)
    // an error is thrown when the result is awaited, in its turn
    result.catch(() => {})
    waiting.push(result)
    if (waiting.length >= framesAtOnce) yield await waiting.shift()!
  }
  for (const result of waiting) yield await result
}
