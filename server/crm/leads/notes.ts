import type { Cipher } from '#platform/security/cipher.ts'
import type { LeadRow } from './lead.row.ts'

const purpose = 'crm lead notes'

/** Notes as they are kept: encrypted, and readable in their own place only. */
export function encryptNotes(cipher: Cipher, organizationId: string, leadId: string, notes: string): string {
  return cipher.hide(purpose, notes, `${organizationId}/${leadId}`)
}

type EncryptedNotes = Pick<LeadRow, 'id' | 'notes'>

/** Reads the notes of leads of an organization. Throws for those of another lead. */
export function notesReader(cipher: Cipher, organizationId: string): (lead: EncryptedNotes) => string | null {
  return ({ id, notes }) => notes && cipher.reveal(purpose, notes, `${organizationId}/${id}`)
}
