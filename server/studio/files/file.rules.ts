import { limits } from '#contract/limits.ts'
import { fail } from '#platform/fail.ts'
import type { AssetRow } from '../assets/asset.access.ts'
import { assertNotArchived } from '../assets/asset.rules.ts'
import type { VersionRow } from '../versions/version.access.ts'

/** Attachments can be added and taken away until their version is published. */
export function assertWritable(asset: AssetRow, version: VersionRow): void {
  assertNotArchived(asset)
  if (version.published_at !== null) fail('VERSION_PUBLISHED')
}

/** What the signature of a download address is about; `expires` are seconds since 1970. */
export function sealedText(address: { organization: string; fileId: string; expires: number }): string {
  return JSON.stringify([address.organization, address.fileId, address.expires])
}
/** Names the form of that text as well: another one takes another name. */
export const sealPurpose = 'file address 1'

/**
 * The path of a file inside a package as it is stored: relative, `/` between its parts, NFC. Undefined when it is
 * none: absolute, with a drive, empty parts, `.` or `..`, backslashes, control characters or half characters, longer
 * than limits.filePathBytes in UTF-8 or deeper than limits.filePathDepth.
 */
export function normalizePath(path: string): string | undefined {
  const normalized = path.normalize('NFC')
  const parts = normalized.split('/')
  if (parts.length > limits.filePathDepth || Buffer.byteLength(normalized) > limits.filePathBytes)
    return undefined
  if (
    !normalized.isWellFormed() ||
    /[\\\p{Cc}\p{Zl}\p{Zp}\ufffd]/u.test(normalized) ||
    /^[a-z]:/i.test(normalized)
  )
    return undefined
  return parts.every(part => part.trim() !== '' && part !== '.' && part !== '..') ? normalized : undefined
}

/** The last part of a path. */
export function filenameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

/**
 * Paths that cannot stand beside each other: the same one twice, or a file where another needs a folder. Returns the
 * first of `added` that does, given what is there already.
 */
export function findPathConflict(existing: Iterable<string>, added: readonly string[]): string | undefined {
  const files = new Set(existing)
  const folders = new Set<string>()
  for (const path of files) for (const folder of foldersOf(path)) folders.add(folder)
  for (const path of added) {
    if (files.has(path) || folders.has(path) || foldersOf(path).some(folder => files.has(folder))) return path
    files.add(path)
    for (const folder of foldersOf(path)) folders.add(folder)
  }
  return undefined
}

/** `a`, `a/b` for `a/b/c`. */
function foldersOf(path: string): string[] {
  const parts = path.split('/').slice(0, -1)
  return parts.map((_, at) => parts.slice(0, at + 1).join('/'))
}

/** One range of bytes of a body of `size` bytes: what the header asks for, or why it cannot be given. RFC 9110, 14.2. */
export type ByteRange = { start: number; length: number }

/** Undefined: no range, or one that is not understood or not wanted, so the whole is sent. */
export function parseRange(
  header: string | undefined,
  size: number,
): ByteRange | 'unsatisfiable' | undefined {
  const [, first = '', last = ''] = /^bytes=\s*(\d{0,15})\s*-\s*(\d{0,15})\s*$/i.exec(header ?? '') ?? []
  if (first === '' && last === '') return undefined
  if (first === '') {
    const length = Math.min(Number(last), size)
    return length === 0 ? 'unsatisfiable' : { start: size - length, length }
  }
  const start = Number(first)
  if (last !== '' && Number(last) < start) return undefined
  if (start >= size) return 'unsatisfiable'
  return { start, length: Math.min(last === '' ? size : Number(last) + 1, size) - start }
}

/** The header that makes a browser save the body under its name, whatever the name holds. RFC 6266. */
export function attachmentDisposition(filename: string): string {
  const ascii =
    filename
      .normalize('NFKD')
      .replace(/[^\x20-\x7e]/g, '')
      .replace(/["\\%/]/g, '_')
      .trim() || 'file'
  const encoded = encodeURIComponent(filename).replace(
    /['()*]/g,
    char => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`
}
