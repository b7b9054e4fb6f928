import { permissions as allPermissions, planIncludes, rolePermissions } from '#contract/permissions.ts'
import { nowMs } from '#platform/clock.ts'
import type { Database } from '#platform/data/database.ts'
import type { Authenticated, Caller } from '#platform/http/caller.ts'
import { type AccessFreshness, callerIn, openCallerCache } from './caller-cache.ts'
import { type CallerRow, callerOfSession, type PlanRow } from './session.sql.ts'
import type { Claims, Tokens } from './tokens.ts'

/** Authenticates session and stream tokens. */
export type Callers = {
  person(token: string): Authenticated
  stream(token: string): Authenticated
  /** The caller of a sign-in session and organization, or undefined if it is no longer valid. */
  load(claims: Pick<Claims, 'sessionId' | 'personId' | 'organizationId'>): Promise<Caller | undefined>
  /** Clears the cache of one person in an organization, or of the whole organization. */
  forget(organizationId: string, personId: string | null): void
}

const maxTokenLength = 2_000

/** Callers are cached by session token, as long as the token and its sign-in session are valid. */
export function openCallers(database: Database, tokens: Tokens, freshness: AccessFreshness): Callers {
  type VerifiedCaller = { caller: Caller; validForMs: number; claims: Claims }
  const cache = openCallerCache<VerifiedCaller>(freshness, async (token, cached) => {
    // claims do not change, so the signature is checked once
    const claims = cached?.claims ?? (await tokens.verify('session', token))
    if (!claims || claims.expiresAtMs <= nowMs()) return undefined
    const caller = await load(claims)
    return caller && { caller, claims, validForMs: claims.expiresAtMs - nowMs() }
  })

  async function load({
    sessionId,
    personId,
    organizationId,
  }: Pick<Claims, 'sessionId' | 'personId' | 'organizationId'>) {
    const row = await database.crossTenant.first(callerOfSession, { sessionId, personId, organizationId })
    return row && callerFrom(row)
  }

  return {
    person(token) {
      if (token.length > maxTokenLength) return undefined
      return callerIn(cache.get(token))
    },
    async stream(token) {
      const claims = token.length > maxTokenLength ? undefined : await tokens.verify('stream', token)
      return claims && load(claims)
    },
    load,
    forget: cache.forget,
  }
}

/** The caller of a sign-in session before an organization is chosen. */
export function sessionCaller(sessionId: string, personId: string): Caller {
  return { ...emptyCaller, auth: 'account', sessionId, personId }
}

const emptyCaller: Caller = {
  auth: 'session',
  organizationId: '',
  plan: 'FREE',
  modules: new Set(),
  capabilities: new Set(),
  features: new Set(),
  personId: '',
  sessionId: '',
  applicationId: null,
  permissions: new Set(),
  scopes: new Set(),
  isAdministrator: false,
  isOwner: false,
  isOperator: false,
  isSuspended: false,
  departmentIds: [],
  workspaceIds: [],
  groupIds: [],
}

/** The current rights of a person in an organization. */
export function callerFrom(row: CallerRow): Caller {
  const permissions = new Set<string>(
    row.role === 'CUSTOM' ? row.role_permissions : rolePermissions[row.role],
  )
  // the super administrator: an operator in their own organization
  if (row.is_operator) for (const name of allPermissions) permissions.add(name)
  return {
    ...organizationCaller(row),
    personId: row.person_id,
    sessionId: row.session_id,
    permissions: permissions as Caller['permissions'],
    isAdministrator: row.is_operator || row.role === 'OWNER' || row.role === 'ADMIN',
    isOwner: row.role === 'OWNER',
    isOperator: row.is_operator,
    departmentIds: row.department_ids,
    workspaceIds: row.workspace_ids,
    groupIds: row.group_ids,
  }
}

/** A caller with the plan of an organization and no rights of their own. */
export function organizationCaller(row: PlanRow): Caller {
  const plan = planIncludes[row.plan]
  return {
    ...emptyCaller,
    organizationId: row.organization_id,
    plan: row.plan,
    modules: applyOverrides(plan.modules, row.modules_added, row.modules_removed),
    capabilities: applyOverrides(plan.capabilities, row.capabilities_added, row.capabilities_removed),
    features: new Set(row.features) as Caller['features'],
    isSuspended: row.suspended,
  }
}

/** The plan's list with an operator's exceptions for one organization. */
export function applyOverrides<Word extends string>(
  included: readonly Word[],
  added: string[],
  removed: string[],
): Set<Word> {
  return new Set([...included, ...(added as Word[])].filter(word => !removed.includes(word)))
}
