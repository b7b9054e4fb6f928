import { onSignOut } from './tabs.ts'

const positions = new Map<string, string>()

/**
 * The position in the people's stream of an organization from which this tab must receive events: nothing that it has read
 * is older. Undefined before its first session token.
 */
export function positionOf(organizationId: string): string | undefined {
  return positions.get(organizationId)
}

/** Keeps a position: that of the first session token, then that of the last event received. */
export function keepPosition(organizationId: string, position: string): void {
  positions.set(organizationId, position)
}

onSignOut(() => positions.clear())
