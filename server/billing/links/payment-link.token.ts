import { createHash, randomBytes } from 'node:crypto'
import { isId } from '#platform/ids.ts'

/** What stands in the address of a link: the organization, and a secret of 32 bytes that is kept nowhere. */
export function newLinkToken(organizationId: string): string {
  return `${organizationId}.${randomBytes(32).toString('base64url')}`
}

/** The organization that a token names; undefined when it is none of ours, as far as its form tells. */
export function organizationOf(token: string): string | undefined {
  const [organizationId = '', secret = '', ...rest] = token.split('.')
  const isOurs = isId(organizationId) && /^[\w-]{43}$/.test(secret) && rest.length === 0
  return isOurs ? organizationId : undefined
}

/** What is kept of a token. */
export function digestOf(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

/** Where a token leads. */
export function linkUrl({ publicUrl }: { publicUrl: string }, token: string): string {
  return `${publicUrl}/p/${token}`
}
