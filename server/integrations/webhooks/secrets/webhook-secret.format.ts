import { randomInt } from 'node:crypto'

/** The purpose under which webhook secrets are encrypted. */
export const secretPurpose = 'webhook secret'

const signs = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const length = 44

/**
 * A new secret: `whsec_` and 44 random letters and digits (262 bits). The whole text is the key of the Patio signature. The
 * part after `whsec_` is base64 of 33 bytes in either alphabet, which is the key for Standard Webhooks.
 */
export function newSecret(): string {
  return `whsec_${Array.from({ length }, () => signs[randomInt(signs.length)]).join('')}`
}
