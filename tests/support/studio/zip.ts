import { crc32, deflateRawSync } from 'node:zlib'
import { fromBufferPromise } from 'yauzl'

/** An entry of an archive. Most fields can contradict the content. */
export type ZipEntry = {
  name: string | Buffer
  content?: string | Buffer
  stored?: boolean
  /** General purpose bits; 0x800 declares a UTF-8 name. */
  flags?: number
  method?: number
  /** Unix mode; 0o120777 is a symbolic link. */
  mode?: number
  /** The size in the directory. */
  size?: number
  packed?: number
  crc?: number
  /** The position of the entry in the directory. */
  at?: number
  extra?: Buffer
}

export type ZipOverrides = {
  /** The number of entries in the end record. */
  count?: number
  disk?: number
  directoryAt?: number
  comment?: Buffer
  /** Bytes after the end record. */
  tail?: Buffer
  /** Also writes ZIP64 end records with these values. */
  zip64?: { count?: number; directoryAt?: number }
}

/** Writes an archive byte by byte, so that it can be invalid in any way. */
export function zipOf(entries: readonly ZipEntry[], overrides: ZipOverrides = {}): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let at = 0
  const add = (...buffers: Buffer[]) => {
    for (const buffer of buffers) {
      parts.push(buffer)
      at += buffer.length
    }
  }
  for (const entry of entries) {
    const fields = fieldsOf(entry)
    directory.push(headerOf(entry, fields, entry.at ?? at))
    add(localOf(fields), fields.name, fields.packed)
  }
  const directoryAt = at
  add(...directory)
  const size = at - directoryAt
  const { zip64, comment = Buffer.alloc(0), tail = Buffer.alloc(0) } = overrides
  if (zip64) add(...zip64Of(zip64.count ?? entries.length, size, zip64.directoryAt ?? directoryAt, at))
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(overrides.disk ?? 0, 4)
  end.writeUInt16LE((overrides.count ?? entries.length) & 0xffff, 8)
  end.writeUInt16LE((overrides.count ?? entries.length) & 0xffff, 10)
  end.writeUInt32LE(size, 12)
  end.writeUInt32LE(overrides.directoryAt ?? directoryAt, 16)
  end.writeUInt16LE(comment.length, 20)
  add(end, comment, tail)
  return Buffer.concat(parts)
}

/** An archive of files by path. */
export function zipOfFiles(files: Record<string, string | Buffer>): Buffer {
  return zipOf(Object.entries(files).map(([name, content]) => ({ name, content })))
}

const slash = '/'.charCodeAt(0)
type Fields = ReturnType<typeof fieldsOf>
function fieldsOf(entry: ZipEntry) {
  const content = Buffer.from(entry.content ?? '')
  const method = entry.method ?? (entry.stored || content.length === 0 ? 0 : 8)
  const packed = method === 8 ? deflateRawSync(content) : content
  return {
    name: Buffer.from(entry.name),
    flags: entry.flags ?? (typeof entry.name === 'string' ? 0x800 : 0),
    crc: entry.crc ?? crc32(content),
    size: entry.size ?? content.length,
    packedSize: entry.packed ?? packed.length,
    method,
    packed,
  }
}

function localOf({ name, flags, method, crc, packedSize, size }: Fields): Buffer {
  const header = Buffer.alloc(30)
  header.writeUInt32LE(0x04034b50, 0)
  header.writeUInt16LE(20, 4)
  header.writeUInt16LE(flags, 6)
  header.writeUInt16LE(method, 8)
  header.writeUInt32LE(crc, 14)
  header.writeUInt32LE(packedSize, 18)
  header.writeUInt32LE(size, 22)
  header.writeUInt16LE(name.length, 26)
  return header
}

function headerOf(
  entry: ZipEntry,
  { name, flags, method, crc, packedSize, size }: Fields,
  at: number,
): Buffer {
  const extra = entry.extra ?? Buffer.alloc(0)
  const header = Buffer.alloc(46)
  header.writeUInt32LE(0x02014b50, 0)
  header.writeUInt16LE((3 << 8) | 20, 4)
  header.writeUInt16LE(20, 6)
  header.writeUInt16LE(flags, 8)
  header.writeUInt16LE(method, 10)
  header.writeUInt32LE(crc, 16)
  header.writeUInt32LE(packedSize, 20)
  header.writeUInt32LE(size, 24)
  header.writeUInt16LE(name.length, 28)
  header.writeUInt16LE(extra.length, 30)
  header.writeUInt32LE(((entry.mode ?? (name.at(-1) === slash ? 0o040755 : 0o100644)) << 16) >>> 0, 38)
  header.writeUInt32LE(at, 42)
  return Buffer.concat([header, name, extra])
}

function zip64Of(count: number, size: number, directoryAt: number, at: number): Buffer[] {
  const record = Buffer.alloc(56)
  record.writeUInt32LE(0x06064b50, 0)
  record.writeBigUInt64LE(44n, 4)
  record.writeBigUInt64LE(BigInt(count), 24)
  record.writeBigUInt64LE(BigInt(count), 32)
  record.writeBigUInt64LE(BigInt(size), 40)
  record.writeBigUInt64LE(BigInt(directoryAt), 48)
  const locator = Buffer.alloc(20)
  locator.writeUInt32LE(0x07064b50, 0)
  locator.writeBigUInt64LE(BigInt(at), 8)
  locator.writeUInt32LE(1, 16)
  return [record, locator]
}

/** The files of an archive by path, as a client unpacks them. */
export async function filesIn(zip: Buffer): Promise<Record<string, Buffer>> {
  const archive = await fromBufferPromise(zip, { strictFileNames: true })
  const files: Record<string, Buffer> = {}
  for await (const entry of archive.eachEntry()) {
    files[entry.fileName] = Buffer.concat(await (await archive.openReadStreamPromise(entry)).toArray())
  }
  return files
}
