import { firstOf } from '#platform/required.ts'
import type { Cipher } from '#platform/security/cipher.ts'
import type { CsvRecord } from './csv-reader.ts'

/** Identifies an import. `purpose` is that of its kind. */
type ImportKey = { purpose: string; organizationId: string; id: string }

/** Encrypts lines, bound to their import and line number. */
export function encryptPart(cipher: Cipher, importKey: ImportKey, records: readonly CsvRecord[]): string {
  return cipher.hide(importKey.purpose, JSON.stringify(records), bindingOf(importKey, firstOf(records).line))
}

/** Decrypts the lines of the part that begins at `line`. */
export function decryptPart(
  cipher: Cipher,
  importKey: ImportKey,
  line: number,
  encrypted: string,
): CsvRecord[] {
  return JSON.parse(cipher.reveal(importKey.purpose, encrypted, bindingOf(importKey, line)))
}

function bindingOf({ organizationId, id }: ImportKey, line: number): string {
  return `${organizationId}/${id}/${line}`
}
