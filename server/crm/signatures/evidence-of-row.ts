import {
  type Evidence,
  type EvidenceInRequest,
  evidenceHash,
  evidenceHashInRequest,
} from './canonical/evidence.ts'
import type { RecordedSignatureRow } from './signature.row.ts'

type SignedRow = Omit<RecordedSignatureRow, 'evidence_hash'>

/** The evidence hash of a row, as it was when the signature was recorded. */
export function evidenceHashOf(row: SignedRow): string {
  const evidence = evidenceOf(row)
  return 'place' in evidence ? evidenceHashInRequest(evidence) : evidenceHash(evidence)
}

/** The evidence of a row, as it was when its hash was computed. */
export function evidenceOf(row: SignedRow): Evidence | EvidenceInRequest {
  const evidence = {
    signatureId: row.id,
    budgetId: row.budget_id,
    documentHash: row.document_hash,
    hashVersion: row.hash_version,
    signedAt: row.signed_at,
    signerName: row.signer_name,
    signerEmail: row.signer_email,
    ip: row.ip,
    userAgent: row.user_agent,
    via: row.via,
    signingTokenId: row.signing_link_id,
    consentHash: row.consent_hash,
    number: row.number,
    previousEvidenceHash: row.previous_evidence_hash,
  }
  const { signature_request_id: signatureRequestId, place, places } = row
  if (signatureRequestId === null || place === null || places === null) return evidence
  return { ...evidence, signatureRequestId, place, places }
}
