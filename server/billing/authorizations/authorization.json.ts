import type { PaymentAuthorization } from '#contract/billing/authorizations.ts'
import type { AuthorizationRow } from './authorization.sql.ts'

/** An authorization without the IP address and user agent of the person who gave it. */
export function showAuthorization(row: AuthorizationRow): PaymentAuthorization {
  return {
    id: row.id,
    applicationId: row.application_id,
    userId: row.external_user_id,
    status: row.status === 'ACTIVE' && row.has_expired ? 'EXPIRED' : row.status,
    scope: row.scope,
    invoiceId: row.invoice_id,
    currency: row.currency,
    limitCents: row.limit_cents,
    paymentMethodId: row.payment_method_id,
    consent: {
      locale: row.consent_locale,
      version: row.consent_version,
      sha256: row.consent_sha256,
      acceptedAt: row.accepted_at,
    },
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}
