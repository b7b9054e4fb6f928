import { limits } from '#contract/limits.ts'
import { fail } from '#platform/fail.ts'
import type { AssetRow } from '../assets/asset.access.ts'
import { assertNotArchived } from '../assets/asset.rules.ts'
import type { VersionRow } from '../versions/version.access.ts'

/** Fails unless attachments of the version may change: until it is published or the asset archived. */
export function assertWritable(asset: AssetRow, version: VersionRow): void {
  assertNotArchived(asset)
  if (version.published_at !== null) fail('VERSION_PUBLISHED')
}

/** The signed text of a download address. `expires` is in seconds since 1970. */
export function sealedText(address: { organization: string; fileId: string; expires: number }): string {
  return JSON.stringify([address.organization, address.fileId, address.expires])
}
/** The purpose names the format of that text; a new format needs a new name. */
export const sealPurpose = 'file address 1'

/**
 * The stored form of a path inside a package: relative, `/` as separator, NFC. Undefined for an invalid path: absolute,
 * with a drive letter, empty parts, `.` or `..`, backslashes, control characters or lone surrogates, longer than
 * limits.filePathBytes in UTF-8 or deeper than limits.filePathDepth.
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
 * Returns the first of the `added` paths that conflicts with an earlier or existing one: the same path, or a file where
 * another path needs a folder.
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
