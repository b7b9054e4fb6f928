import type { GatewayAccount } from '#contract/billing/gateway.ts'
import type { AccountRow } from './gateway-account.sql.ts'

/** An account without its secrets, with the address for gateway notices. */
export function showAccount(account: AccountRow, organizationId: string, publicUrl: string): GatewayAccount {
  return {
    id: account.id,
    adapter: account.adapter,
    status: account.status,
    currencies: account.currencies,
    isTest: account.is_test,
    publishableKey: account.publishable_key,
    hasWebhookSecret: account.webhook_secret !== null,
    noticesUrl: `${publicUrl}/api/billing/gateway/notices/${organizationId}/${account.id}`,
    createdAt: account.created_at,
    updatedAt: account.updated_at,
  }
}
