import { randomBytes } from 'node:crypto'

/** What secrets of webhooks are hidden for. */
export const secretPurpose = 'webhook secret'

/** A new secret: `whsec_` and 32 random bytes in base64url. The whole text is the key of the signature. */
export function newSecret(): string {
  return `whsec_${randomBytes(32).toString('base64url')}`
}
