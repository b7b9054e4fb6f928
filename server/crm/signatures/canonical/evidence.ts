import { canonical, sha256 } from './digest.ts'

/**
 * The evidence of one signature. Times are in UTC with milliseconds, as in replies; the IP address is complete.
 * `previousEvidenceHash` is that of the previous signature of the organization, null for the first.
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

/** The evidence of one of the signatures of a request, with its place among them, from 1. */
export type EvidenceInRequest = Evidence & { signatureRequestId: string; place: number; places: number }

/**
 * The evidence hash of a signature. Each evidence includes the previous hash, so that an edited, added or deleted row is
 * detected. Frozen: this function never changes.
 */
export function evidenceHash(evidence: Evidence): string {
  return sha256(`signature-evidence/v1\n${canonical(evidence)}`)
}

/** The same for a signature of a request. Frozen too. */
export function evidenceHashInRequest(evidence: EvidenceInRequest): string {
  return sha256(`signature-evidence/v2\n${canonical(evidence)}`)
}
