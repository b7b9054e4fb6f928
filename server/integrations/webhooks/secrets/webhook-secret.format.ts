import { randomInt } from 'node:crypto'

/** What secrets of webhooks are hidden for. */
export const secretPurpose = 'webhook secret'

const signs = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const length = 44

/**
 * A new secret: `whsec_` and 44 random letters and digits (262 bits). The whole text is the key of our signature. What
 * follows `whsec_` is base64 of 33 bytes in either alphabet, the key of a signature of Standard Webhooks.
 */
export function newSecret(): string {
  return `whsec_${Array.from({ length }, () => signs[randomInt(signs.length)]).join('')}`
}
