import { isId } from '#platform/ids.ts'
import type { Seals } from '#platform/security/seals.ts'

const purpose = 'card page'

/** The address of the card page. It is sealed and never stored. */
export function cardPageUrl(
  { seals, publicUrl }: { seals: Seals; publicUrl: string },
  organizationId: string,
  authorizationId: string,
): string {
  const named = `${organizationId}.${authorizationId}`
  return `${publicUrl}/c/${named}.${seals.seal(purpose, named)}`
}

/** The authorization of a token; undefined when the token is invalid. */
export function readCardPageToken(
  seals: Seals,
  token: string,
): { organizationId: string; id: string } | undefined {
  const [organizationId = '', id = '', seal = ''] = token.split('.')
  if (!isId(organizationId) || !isId(id)) return undefined
  return seals.isSealed(purpose, `${organizationId}.${id}`, seal) ? { organizationId, id } : undefined
}
