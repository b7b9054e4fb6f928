import { partsOfSealedToken, sealedToken } from '#platform/security/sealed-token.ts'
import type { Seals } from '#platform/security/seals.ts'

const purpose = 'card page'

/** The address of the card page. It is sealed and never stored. */
export function cardPageUrl(
  { seals, publicUrl }: { seals: Seals; publicUrl: string },
  organizationId: string,
  authorizationId: string,
): string {
  return `${publicUrl}/c/${sealedToken(seals, purpose, [organizationId, authorizationId])}`
}

/** The authorization of a token; undefined when the token is invalid. */
export function readCardPageToken(
  seals: Seals,
  token: string,
): { organizationId: string; id: string } | undefined {
  const [organizationId, id] = partsOfSealedToken(seals, purpose, token) ?? []
  return organizationId !== undefined && id !== undefined ? { organizationId, id } : undefined
}
