import { createHash, randomBytes } from 'node:crypto'
import { isId } from '#platform/ids.ts'

/** The organization and a secret of 32 bytes. Only a digest of the token is stored. */
export function newLinkToken(organizationId: string): string {
  return `${organizationId}.${randomBytes(32).toString('base64url')}`
}

/** The organization of a token; undefined when the token is malformed. */
export function organizationOf(token: string): string | undefined {
  const [organizationId = '', secret = '', ...rest] = token.split('.')
  const isOurs = isId(organizationId) && /^[\w-]{43}$/.test(secret) && rest.length === 0
  return isOurs ? organizationId : undefined
}

/** The stored digest of a token. */
export function digestOf(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

export function linkUrl({ publicUrl }: { publicUrl: string }, token: string): string {
  return `${publicUrl}/p/${token}`
}
