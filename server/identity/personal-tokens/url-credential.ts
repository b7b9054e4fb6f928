import { limits } from '#contract/limits.ts'
import type { Caller } from '#platform/http/caller.ts'
import { isId } from '#platform/ids.ts'
import type { Seals } from '#platform/security/seals.ts'

/**
 * The content of a credential in a URL, which stands for a personal access token for some minutes. `expires`:
 * seconds since 1970.
 */
export type AddressClaims = { organizationId: string; tokenId: string; expires: number }

/** Includes a version: another format needs another purpose. */
const purpose = 'tool address 1'
const maxLength = 300

/**
 * Creates the credential for the URL of a tool that cannot send headers. It works for
 * limits.toolAddressMinutes, and never longer than its token. `nowSeconds` is database time.
 */
export function addressToken(
  seals: Seals,
  { organizationId, sessionId }: Pick<Caller, 'organizationId' | 'sessionId'>,
  nowSeconds: number,
): { text: string; expires: number } {
  const expires = nowSeconds + limits.toolAddressMinutes * 60
  const payload = `${organizationId}.${sessionId}.${expires}`
  return { text: `${payload}.${seals.seal(purpose, payload)}`, expires }
}

/** The content of a credential; undefined if the seal is not ours. Does not check the expiry. */
export function claimsOf(seals: Seals, text: string): AddressClaims | undefined {
  if (text.length > maxLength) return undefined
  const [organizationId = '', tokenId = '', expires = '', seal = '', ...rest] = text.split('.')
  const payload = `${organizationId}.${tokenId}.${expires}`
  if (rest.length > 0 || !seals.isSealed(purpose, payload, seal)) return undefined
  return isId(organizationId) && isId(tokenId)
    ? { organizationId, tokenId, expires: Number(expires) }
    : undefined
}
