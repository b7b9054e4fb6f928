import { canonical, sha256 } from './digest.ts'

/**
 * What is known of one signature. Moments in UTC with milliseconds, as they are told; the address in full.
 * `previousEvidenceHash`: of the signature before it in the organization, null for the first.
 */
export type Evidence = {
  signatureId: string
  budgetId: string
  documentHash: string
  hashVersion: number
  signedAt: string
  signerName: string
  signerEmail: string
  ip: string
  userAgent: string
  via: string
  signingTokenId: string | null
  consentHash: string | null
  number: number
  previousEvidenceHash: string | null
}

/**
 * The evidence hash of a signature. Each carries the one before it, so that a row that was edited, added or taken away
 * shows. Frozen: it never changes.
 */
export function evidenceHash(evidence: Evidence): string {
  return sha256(`signature-evidence/v1\n${canonical(evidence)}`)
}
