import type { GatewayCredentials } from '#platform/adapters/gateway.ts'
import type { Cipher } from '#platform/security/cipher.ts'

/** The key columns of an account, encrypted. */
export type EncryptedKeys = {
  id: string
  adapter: GatewayCredentials['adapter']
  secret_key: string | null
  webhook_secret: string | null
}

const purpose = 'gateway key'

/** Encrypts a key. The ciphertext is bound to the organization. */
export function encryptKey(cipher: Cipher, organizationId: string, key: string): string {
  return cipher.hide(purpose, key, organizationId)
}

/** An account with its keys decrypted. */
export function decryptAccount(
  cipher: Cipher,
  organizationId: string,
  account: EncryptedKeys,
): GatewayCredentials {
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
