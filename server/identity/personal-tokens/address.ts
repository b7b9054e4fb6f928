import { limits } from '#contract/limits.ts'
import type { Caller } from '#platform/http/caller.ts'
import { isId } from '#platform/ids.ts'
import type { Seals } from '#platform/security/seals.ts'

/** Stands in an address for a personal access token, for some minutes. `expires`: seconds since 1970. */
export type AddressClaims = { organizationId: string; tokenId: string; expires: number }

/** Names the form of the sealed text as well: another one takes another name. */
const purpose = 'tool address 1'
const maxLength = 300

/**
 * What a tool that sends no headers has in its address. It works for limits.toolAddressMinutes, and no longer than the
 * token by which it was made. `nowSeconds`: by the database.
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

/** What such a text says; undefined when we did not make it. Not whether its time is over. */
export function claimsOf(seals: Seals, text: string): AddressClaims | undefined {
  if (text.length > maxLength) return undefined
  const [organizationId = '', tokenId = '', expires = '', seal = '', ...rest] = text.split('.')
  const payload = `${organizationId}.${tokenId}.${expires}`
  if (rest.length > 0 || !seals.isSealed(purpose, payload, seal)) return undefined
  return isId(organizationId) && isId(tokenId)
    ? { organizationId, tokenId, expires: Number(expires) }
    : undefined
}
