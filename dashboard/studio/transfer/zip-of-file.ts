/** An archive with one file, unpacked: the server imports archives, and people also have single Markdown files. */
export function zipOfFile(name: string, content: Uint8Array): Uint8Array<ArrayBuffer> {
  const nameBytes = new TextEncoder().encode(name)
  const crc = crc32(content)
  const entry = new DataView(new ArrayBuffer(26))
  entry.setUint16(0, 20, true) // needs version 2.0
  entry.setUint16(2, 0x800, true) // the name is UTF-8
  entry.setUint16(8, 0x21, true) // 1 January 1980, so that equal files give equal archives
  entry.setUint32(10, crc, true)
  entry.setUint32(14, content.length, true)
  entry.setUint32(18, content.length, true)
  entry.setUint16(22, nameBytes.length, true)
  const fields = new Uint8Array(entry.buffer)
  const head = joined(bytesOf(0x04034b50, 4), fields, nameBytes)
  const directory = joined(
    bytesOf(0x02014b50, 4),
    bytesOf(20, 2),
    fields,
    // no comment, the first disk, no attributes, at the start of the archive
    new Uint8Array(14),
    nameBytes,
  )
  const end = joined(
    bytesOf(0x06054b50, 4),
    new Uint8Array(4),
    bytesOf(1, 2),
    bytesOf(1, 2),
    bytesOf(directory.length, 4),
    bytesOf(head.length + content.length, 4),
    new Uint8Array(2),
  )
  return joined(head, content, directory, end)
}

function bytesOf(value: number, count: number): Uint8Array {
  return Uint8Array.from({ length: count }, (_, at) => (value >>> (8 * at)) & 0xff)
}

function joined(...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}

const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1
  return value
})

function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff
  for (const byte of bytes) crc = (table[(crc ^ byte) & 0xff] ?? 0) ^ (crc >>> 8)
  return (crc ^ 0xffffffff) >>> 0
}
