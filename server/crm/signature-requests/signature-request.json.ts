import type { RequestSigner, SignatureRequest } from '#contract/crm/signature-requests.ts'
import type { RequestSignerRow, SignatureRequestRow } from './signature-request.row.ts'
import { statusOfSigner } from './signature-request.rules.ts'

/** Converts a request and its signers, in order, to a reply. */
export function showSignatureRequest(
  row: SignatureRequestRow,
  signers: readonly RequestSignerRow[],
): SignatureRequest {
  return {
    id: row.id,
    budgetId: row.budget_id,
    status: row.status,
    stopReason: row.stop_reason,
    documentHash: row.document_sha256,
    createdBy: row.created_by,
    createdAt: row.created_at,
    endedAt: row.ended_at,
    signers: signers.map(signer => showSigner(row, signer)),
  }
}

function showSigner(request: SignatureRequestRow, row: RequestSignerRow): RequestSigner {
  return {
    id: row.id,
    position: row.position,
    order: row.signing_order,
    name: row.name,
    email: row.email,
    status: statusOfSigner(request, row),
    linkId: row.link_id,
    signatureId: row.signature_id,
    mailedAt: row.mailed_at,
    viewedAt: row.viewed_at,
    expiresAt: row.expires_at,
    signedAt: row.signed_at,
    declinedAt: row.declined_at,
  }
}
