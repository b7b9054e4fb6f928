import { permissions as allPermissions, planIncludes, rolePermissions } from '#contract/permissions.ts'
import type { Caller, Recognised } from '#platform/caller.ts'
import { monotonicMs, nowMs } from '#platform/clock.ts'
import type { Database } from '#platform/db/database.ts'
import { type CallerRow, callerOfSession } from './store.ts'
import type { Claims, Tokens } from './tokens.ts'

/** Knows callers by their credentials. */
export type Callers = {
  person(token: string): Recognised
  stream(token: string): Recognised
  /** The caller behind a sign-in session and organization, or undefined when it is not good any more. */
  load(claims: Pick<Claims, 'sessionId' | 'personId' | 'organizationId'>): Promise<Caller | undefined>
  /** Forgets one person of an organization, or all of it. */
  forget(organizationId: string, personId: string | null): void
}

/** Whether what is remembered may be believed, and a number that grows with each change that was heard of. */
export type Freshness = { generation(): number; isFresh(): boolean }

type Known = { claims: Claims; caller: Caller; loadedAtMs: number }

const most = 50_000
const longestToken = 2_000
// a net below the change feed, not the way that changes arrive
const keepMs = 60_000

/**
 * Callers are kept by token: a known one is admitted without a query or a signature check. Changes are heard
 * through `freshness`; while that feed is silent nothing remembered is believed.
 */
export function openCallers(database: Database, tokens: Tokens, freshness: Freshness): Callers {
  const known = new Map<string, Known>()
  const byOrganization = new Map<string, Set<string>>()
  const loading = new Map<string, Promise<Caller | undefined>>()

  function drop(token: string): void {
    const entry = known.get(token)
    if (!entry) return
    known.delete(token)
    const tokensThere = byOrganization.get(entry.claims.organizationId)
    tokensThere?.delete(token)
    if (tokensThere?.size === 0) byOrganization.delete(entry.claims.organizationId)
  }

  async function recogniseSession(token: string): Promise<Caller | undefined> {
    const claims = known.get(token)?.claims ?? (await tokens.verify('session', token))
    if (!claims || claims.expiresAtMs <= nowMs()) return undefined
    const generation = freshness.generation()
    const caller = await load(claims)
    drop(token)
    // a change that was heard of while we read may not be in what we read
    if (caller && generation === freshness.generation()) {
      if (known.size >= most) drop(known.keys().next().value!)
      known.set(token, { claims, caller, loadedAtMs: monotonicMs() })
      const tokensThere = byOrganization.get(claims.organizationId) ?? new Set()
      byOrganization.set(claims.organizationId, tokensThere.add(token))
    }
    return caller
  }

  async function recogniseStream(token: string): Promise<Caller | undefined> {
    const claims = await tokens.verify('stream', token)
    return claims && load(claims)
  }

  async function load({
    sessionId,
    personId,
    organizationId,
  }: Pick<Claims, 'sessionId' | 'personId' | 'organizationId'>) {
    const row = await database.wide.first(callerOfSession, sessionId, personId, organizationId)
    return row && callerFrom(row)
  }

  function person(token: string): Recognised {
    const entry = known.get(token)
    if (
      entry &&
      entry.claims.expiresAtMs > nowMs() &&
      monotonicMs() - entry.loadedAtMs < keepMs &&
      freshness.isFresh()
    ) {
      return entry.caller
    }
    if (token.length > longestToken) return undefined
    let waiting = loading.get(token)
    if (!waiting) {
      waiting = recogniseSession(token).finally(() => loading.delete(token))
      loading.set(token, waiting)
    }
    return waiting
  }

  return {
    person,
    stream: token => (token.length > longestToken ? undefined : recogniseStream(token)),
    load,
    forget(organizationId, personId) {
      for (const token of [...(byOrganization.get(organizationId) ?? [])]) {
        if (personId === null || known.get(token)?.caller.personId === personId) drop(token)
      }
    },
  }
}

/** Session caller of the door where no organization is chosen yet. */
export function sessionCaller(sessionId: string, personId: string): Caller {
  return { ...nobody, door: 'session', sessionId, personId }
}

const nobody: Caller = {
  door: 'people',
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

function callerFrom(row: CallerRow): Caller {
  const plan = planIncludes[row.plan]
  const permissions = new Set<string>(
    row.role === 'CUSTOM' ? row.role_permissions : rolePermissions[row.role],
  )
  // the super administrator: an operator inside their own organization
  if (row.is_operator) for (const name of allPermissions) permissions.add(name)
  return {
    ...nobody,
    organizationId: row.organization_id,
    plan: row.plan,
    modules: combined(plan.modules, row.modules_added, row.modules_removed),
    capabilities: combined(plan.capabilities, row.capabilities_added, row.capabilities_removed),
    features: new Set(row.features) as Caller['features'],
    personId: row.person_id,
    sessionId: row.session_id,
    permissions: permissions as Caller['permissions'],
    isAdministrator: row.is_operator || row.role === 'OWNER' || row.role === 'ADMIN',
    isOwner: row.role === 'OWNER',
    isOperator: row.is_operator,
    isSuspended: row.suspended,
    departmentIds: row.department_ids,
    workspaceIds: row.workspace_ids,
    groupIds: row.group_ids,
  }
}

/** What a plan includes, with an operator's exceptions for one organization. */
export function combined<Word extends string>(
  included: readonly Word[],
  added: string[],
  removed: string[],
): Set<Word> {
  return new Set([...included, ...(added as Word[])].filter(word => !removed.includes(word)))
}
