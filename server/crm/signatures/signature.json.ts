import type { ListedSignature, Signature } from '#contract/crm/signatures.ts'
import type { RecordedSignatureRow, SignatureRow } from './signature.row.ts'

type ShownSignatureRow = RecordedSignatureRow & Pick<SignatureRow, 'link_id'>

/** Converts a row to a list entry, with the masked IP address only. */
export function showListedSignature(row: ShownSignatureRow): ListedSignature {
  return {
    id: row.id,
    signedAt: row.signed_at,
    signerName: row.signer_name,
    signerEmail: row.signer_email,
    ipAddressMasked: row.ip_masked,
    signingTokenId: row.link_id,
    documentHash: row.document_hash,
    hashVersion: row.hash_version,
    ...(row.place !== null && row.places !== null && { place: { number: row.place, of: row.places } }),
  }
}

export function showSignature(row: ShownSignatureRow): Signature {
  return { ...showListedSignature(row), budgetId: row.budget_id, userAgent: row.user_agent }
}
