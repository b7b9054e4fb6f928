import type { SigningLink } from '#contract/crm/signing-links.ts'
import type { SigningLinkRow } from './signing-link.row.ts'
import { statusOf } from './signing-link.rules.ts'

/** Converts a row to its reply. */
export function showSigningLink(row: SigningLinkRow): SigningLink {
  return {
    id: row.id,
    budgetId: row.budget_id,
    ...(row.signature_request_id !== null && { signatureRequestId: row.signature_request_id }),
    signerName: row.signer_name,
    signerEmail: row.signer_email,
    status: statusOf(row),
    documentHash: row.document_sha256,
    createdBy: row.created_by,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    mailedAt: row.mailed_at,
    reminderCount: row.reminder_count,
    viewedAt: row.viewed_at,
    signedAt: row.used_at,
    declinedAt: row.declined_at,
    revokedAt: row.revoked_at,
  }
}
