import type { SignatureRequest, StopReason } from '#contract/crm/signature-requests.ts'

/** A stored signature request, with the SHA-256 of its PDF. */
export type SignatureRequestRow = {
  id: string
  budget_id: string
  document_id: string
  document_sha256: string
  link_days: number
  status: SignatureRequest['status']
  stop_reason: StopReason | null
  created_by: string
  created_at: string
  ended_at: string | null
}

/** The select list of `signature_request q` for a full row, with the join in `requestJoin`. */
export const allRequestColumns = `q.id, q.budget_id, q.document_id, d.sha256 as document_sha256, q.link_days, q.status,
  q.stop_reason, q.created_by, q.created_at, q.ended_at`
export const requestJoin =
  'join budget_document d on d.organization_id = $organization and d.id = q.document_id'

/** A signer, with the times of their latest link and signature. */
export type RequestSignerRow = {
  id: string
  request_id: string
  position: number
  signing_order: number
  /** As given by the sender; a signature has the name that the signer gave. */
  name: string
  email: string
  /** The latest link; null before it is this signer's turn. */
  link_id: string | null
  mailed_at: string | null
  viewed_at: string | null
  expires_at: string | null
  declined_at: string | null
  /** The link was open when it expired, according to the clock of the database. */
  is_expired: boolean
  signature_id: string | null
  signed_name: string | null
  signed_at: string | null
}

/** The select list of `signature_request_signer g` for a full row, with the joins in `signerJoins`. */
export const allSignerColumns = `g.id, g.request_id, g.position, g.signing_order, g.name, g.email, g.link_id, l.mailed_at,
  l.viewed_at, l.expires_at, l.declined_at, 
  coalesce(l.expires_at <= now() and l.revoked_at is null, false) as is_expired, g.signature_id,
  s.signer_name as signed_name, s.signed_at`
export const signerJoins = `left join signing_link l on l.organization_id = $organization and l.id = g.link_id
  left join budget_signature s on s.organization_id = $organization and s.id = g.signature_id`
