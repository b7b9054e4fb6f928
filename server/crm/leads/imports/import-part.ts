import type { Cipher } from '#platform/security/cipher.ts'
import type { CsvRecord } from '../csv/csv-reader.ts'

const purpose = 'crm lead import'
/** Which import it is. */
type ImportKey = { organizationId: string; id: string }

/** Lines as they are kept until they are leads: encrypted, and readable in their own place only. */
export function encryptPart(cipher: Cipher, importKey: ImportKey, records: readonly CsvRecord[]): string {
  return cipher.hide(purpose, JSON.stringify(records), bindingOf(importKey, records[0]!.line))
}

/** The lines of a part that begins with this one. */
export function decryptPart(
  cipher: Cipher,
  importKey: ImportKey,
  line: number,
  encrypted: string,
): CsvRecord[] {
  return JSON.parse(cipher.reveal(purpose, encrypted, bindingOf(importKey, line)))
}

function bindingOf({ organizationId, id }: ImportKey, line: number): string {
  return `${organizationId}/${id}/${line}`
}
