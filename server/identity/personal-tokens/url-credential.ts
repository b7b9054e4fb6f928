import { limits } from '#contract/limits.ts'
import type { Caller } from '#platform/http/caller.ts'
import { partsOfSealedToken, sealedToken } from '#platform/security/sealed-token.ts'
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
  return { text: sealedToken(seals, purpose, [organizationId, sessionId, expires]), expires }
}

/** The content of a credential; undefined if the seal is not ours. Does not check the expiry. */
export function claimsOf(seals: Seals, text: string): AddressClaims | undefined {
  if (text.length > maxLength) return undefined
  const [organizationId, tokenId, expires] = partsOfSealedToken(seals, purpose, text) ?? []
  if (organizationId === undefined || tokenId === undefined) return undefined
  return { organizationId, tokenId, expires: Number(expires) }
}
