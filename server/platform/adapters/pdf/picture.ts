import { inflateSync } from 'node:zlib'
import { writePdf } from './write.ts'

export type PictureType = 'image/png' | 'image/jpeg'
type PictureHeader = { contentType: PictureType; width: number; height: number }

/**
 * The type of a picture that documents can show; undefined for other bytes, for a picture with more pixels, and
 * for one that cannot be drawn.
 */
export async function inspectPicture({
  bytes,
  maxPixels,
}: {
  bytes: Uint8Array
  maxPixels: number
}): Promise<PictureType | undefined> {
  const picture = Buffer.from(bytes)
  try {
    const header = readPng(picture, maxPixels) ?? readJpeg(picture)
    if (!header || header.width * header.height > maxPixels || header.width * header.height === 0)
      return undefined
    await writePdf({
      title: '',
      author: '',
      language: 'en',
      at: '2026-01-01T00:00:00.000Z',
      foot: '',
      blocks: [{ kind: 'head', sender: '', logo: picture, title: '', facts: [] }],
    })
    return header.contentType
  } catch {
    // damaged bytes make a reader fail in many ways
    return undefined
  }
}

const pngSignature = Buffer.from('89504e470d0a1a0a', 'hex')
const pngChannels: Record<number, number> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }

/** Refuses data that would decompress to more than the pixels of the header. */
function readPng(bytes: Buffer, maxPixels: number): PictureHeader | undefined {
  if (!bytes.subarray(0, 8).equals(pngSignature) || bytes.toString('latin1', 12, 16) !== 'IHDR')
    return undefined
  const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)]
  const [bitDepth, colorType, interlace] = [bytes[24]!, bytes[25]!, bytes[28]!]
  const channels = pngChannels[colorType]
  if (channels === undefined || interlace !== 0 || width * height > maxPixels) return undefined
  const data: Buffer[] = []
  for (let at = 8; at + 12 <= bytes.length; at += 12 + bytes.readUInt32BE(at))
    if (bytes.toString('latin1', at + 4, at + 8) === 'IDAT')
      data.push(bytes.subarray(at + 8, at + 8 + bytes.readUInt32BE(at)))
  const size = (1 + Math.ceil((width * channels * bitDepth) / 8)) * height
  const pixels = inflateSync(Buffer.concat(data), { maxOutputLength: size })
  return pixels.length === size ? { contentType: 'image/png', width, height } : undefined
}

/** Reads the header of the frame: baseline, extended or progressive, with 8 bits. */
function readJpeg(bytes: Buffer): PictureHeader | undefined {
  if (bytes.readUInt16BE(0) !== 0xff_d8) return undefined
  for (let at = 2; bytes[at] === 0xff; at += 2 + bytes.readUInt16BE(at + 2)) {
    const marker = bytes[at + 1]!
    if (marker === 0xda) return undefined
    if (marker < 0xc0 || marker > 0xc2) continue
    if (bytes[at + 4] !== 8) return undefined
    return {
      contentType: 'image/jpeg',
      height: bytes.readUInt16BE(at + 5),
      width: bytes.readUInt16BE(at + 7),
    }
  }
  return undefined
}
