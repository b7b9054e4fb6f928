import { criticalScopes, type Permission, type Scope, scopePermissions } from '#contract/permissions.ts'
import type { Caller } from '../data/may.ts'

/** An application as far as the rights of people over it depend on it. */
type GovernedApplication = { principal: { id: string }; scopes: readonly Scope[] }

/** The reason why a person may not give an application more rights; `missing`: the permissions that they lack. */
export type GrantObstacle =
  | { reason: 'principal' | 'critical' }
  | { reason: 'permissions'; missing: readonly Permission[] }

const isCritical = (scope: Scope) => (criticalScopes as readonly Scope[]).includes(scope)

/**
 * Compares a person with an application as the server does (SCP-3): an administrator may create its keys, grant scopes,
 * change the target of its webhook and read its deliveries. Another person may do so only as its principal, with every
 * permission that its scopes stand for, and never with a critical scope. `more`: the scopes that it would have besides.
 */
export function grantObstacleOf(
  caller: Pick<Caller, 'isAdministrator' | 'permissions' | 'person'>,
  { principal, scopes }: GovernedApplication,
  more: readonly Scope[] = [],
): GrantObstacle | undefined {
  if (caller.isAdministrator) return undefined
  if (principal.id !== caller.person.id) return { reason: 'principal' }
  const all = [...scopes, ...more]
  if (all.some(isCritical)) return { reason: 'critical' }
  const missing = missingPermissions(caller, all)
  return missing.length > 0 ? { reason: 'permissions', missing } : undefined
}

/** The permissions that these scopes stand for and that the person lacks. */
export function missingPermissions(
  { permissions }: Pick<Caller, 'permissions'>,
  scopes: readonly Scope[],
): Permission[] {
  const needed = new Set(scopes.flatMap(scope => scopePermissions[scope]))
  return [...needed].filter(permission => !permissions.includes(permission))
}
