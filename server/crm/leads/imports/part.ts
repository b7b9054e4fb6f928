import type { Cipher } from '#platform/security/cipher.ts'
import type { CsvRecord } from '../csv/read.ts'

const purpose = 'crm lead import'
/** Which import it is. */
type Place = { organizationId: string; id: string }

/** Lines as they are kept until they are leads: encrypted, and readable in their own place only. */
export function hidePart(cipher: Cipher, place: Place, records: readonly CsvRecord[]): string {
  return cipher.hide(purpose, JSON.stringify(records), placeOf(place, records[0]!.line))
}

/** The lines of a part that begins with this one. */
export function revealPart(cipher: Cipher, place: Place, line: number, hidden: string): CsvRecord[] {
  return JSON.parse(cipher.reveal(purpose, hidden, placeOf(place, line)))
}

function placeOf({ organizationId, id }: Place, line: number): string {
  return `${organizationId}/${id}/${line}`
}
