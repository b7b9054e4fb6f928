import type { SignatureRequest } from '#contract/crm/signature-requests.ts'

/** A recorded signature, which never changes. Times are in UTC with milliseconds. */
export type RecordedSignatureRow = {
  id: string
  budget_id: string
  /** The link that was used, even if it was deleted since. */
  signing_link_id: string | null
  via: SignedVia
  signed_at: string
  signer_name: string
  signer_email: string
  ip: string
  ip_masked: string
  user_agent: string
  document_hash: string
  hash_version: number
  consent_hash: string | null
  number: number
  evidence_hash: string
  previous_evidence_hash: string | null
  /** The request of several signers, and the place of the signature among theirs, from 1; null for a single signer. */
  signature_request_id: string | null
  place: number | null
  places: number | null
}
/** The same with its link and document, if they still exist. */
export type SignatureRow = RecordedSignatureRow & {
  /** The link, if it still exists. */
  link_id: string | null
  /** The key of the signed PDF in the file store, if there is one. */
  document_sha256: string | null
  /** Of the request of several signers that it belongs to. */
  request_status: SignatureRequest['status'] | null
}
export type SignedVia = 'LINK' | 'PORTAL' | 'IMPORT'

/** The select list of `budget_signature s` for a recorded signature. */
export const recordedColumns = `s.id, s.budget_id, s.signing_link_id, s.via, s.signed_at, s.signer_name, s.signer_email,
  host(s.ip) as ip, s.ip_masked, s.user_agent, s.document_hash, s.hash_version, s.consent_hash, s.number,
  s.evidence_hash, s.previous_evidence_hash, s.signature_request_id, s.place, s.places`
/** The same for a full row, with the joins in `signatureJoins`. */
export const allSignatureColumns = `${recordedColumns}, l.id as link_id, d.sha256 as document_sha256,
  q.status as request_status`
export const signatureJoins = `left join signing_link l on l.organization_id = $organization and l.id = s.signing_link_id
  left join budget_document d on d.organization_id = $organization and d.id = s.document_id
  left join signature_request q on q.organization_id = $organization and q.id = s.signature_request_id`
