import type { GatewayAccount } from '#platform/adapters/gateway.ts'
import type { Cipher } from '#platform/security/cipher.ts'

/** What of an account opens it; keys are hidden. */
export type HiddenKeys = {
  id: string
  adapter: GatewayAccount['adapter']
  secret_key: string | null
  webhook_secret: string | null
}

const purpose = 'gateway key'

/** A key as it is kept: nobody else can use it, nor in another organization's place. */
export function hideKey(cipher: Cipher, organizationId: string, key: string): string {
  return cipher.hide(purpose, key, organizationId)
}

/** An account as the gateways take it, with its keys. */
export function opened(cipher: Cipher, organizationId: string, account: HiddenKeys): GatewayAccount {
  const reveal = (key: string | null) => (key === null ? null : cipher.reveal(purpose, key, organizationId))
  const { id, adapter, secret_key, webhook_secret } = account
  return {
    organizationId,
    id,
    adapter,
    secretKey: reveal(secret_key),
    webhookSecret: reveal(webhook_secret),
  }
}
