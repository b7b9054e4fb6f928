import type { Route } from '#contract/route.ts'
import { obstacleOf } from '../data/may.ts'
import { callerQuery } from '../data/own-organizations.ts'
import { queryClient } from '../data/query-client.ts'

/**
 * Begins the reads of a screen if the caller may call their operation. The marketplace is an optional feature: without
 * it, the screen says so, and nothing is read.
 */
export async function beginAllowed(
  organizationId: string,
  operation: Route,
  begin: () => Promise<unknown>,
): Promise<void> {
  const caller = await queryClient.ensureQueryData(callerQuery(organizationId))
  if (obstacleOf(caller, operation) === undefined) await begin()
}
