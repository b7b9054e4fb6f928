import type { Cipher } from '#platform/security/cipher.ts'
import type { LeadRow } from './lead.row.ts'

const purpose = 'crm lead notes'

/** Encrypts notes, bound to their lead. */
export function encryptNotes(cipher: Cipher, organizationId: string, leadId: string, notes: string): string {
  return cipher.hide(purpose, notes, `${organizationId}/${leadId}`)
}

type EncryptedNotes = Pick<LeadRow, 'id' | 'notes'>

/** Returns a function that decrypts the notes of a lead. Throws for notes of another lead. */
export function notesReader(cipher: Cipher, organizationId: string): (lead: EncryptedNotes) => string | null {
  return ({ id, notes }) => notes && cipher.reveal(purpose, notes, `${organizationId}/${id}`)
}
