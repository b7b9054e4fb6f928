import type { readCaller } from '#contract/identity/sessions.ts'
import type { Reply, Route } from '#contract/route.ts'
import { dataOf } from './contract.ts'

export type Caller = Reply<typeof readCaller>

/** Why a person cannot call an operation; undefined if they can. */
export type Obstacle = 'module' | 'capability' | 'feature' | 'permission' | 'operator'

/**
 * Compares what an operation needs with what the caller has, in the order of the server's checks. The server
 * decides; screens use this to show only what will work.
 */
export function obstacleOf<In, Out>(caller: Caller, operation: Route<In, Out>): Obstacle | undefined {
  const { auth, module, alsoModule, capability, feature } = dataOf(operation)
  if (auth.operator) return caller.isOperator ? undefined : 'operator'
  if (module && !caller.modules.includes(module)) return 'module'
  if (alsoModule && !caller.modules.includes(alsoModule)) return 'module'
  if (capability && !caller.capabilities.includes(capability)) return 'capability'
  if (feature && !caller.features.includes(feature)) return 'feature'
  const permission = auth.session?.permission
  if (permission && !caller.permissions.includes(permission)) return 'permission'
  return undefined
}
