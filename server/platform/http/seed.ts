import type { Permission } from '#contract/permissions.ts'
import type { Tx } from '../data/db.ts'
import type { Caller } from './caller.ts'
import type { ServedOperation } from './operation.ts'

/** Runs an operation for a demo person without a request, and returns its reply. */
export async function runOperation<Reply = { id: string }>(
  served: ServedOperation,
  tx: Tx,
  caller: Caller,
  input: object,
): Promise<Reply> {
  if (served.kind !== 'command') throw new Error('Only commands can be used for demo data')
  const reply = await served.run({
    params: {},
    query: {},
    body: {},
    ...input,
    tx,
    caller,
    audit() {},
    setHeader() {},
  } as never)
  return reply as Reply
}

/** A demo caller with access to their own objects and with these permissions. */
export function seedCaller(
  organizationId: string,
  personId: string,
  permissions: readonly Permission[] = [],
): Caller {
  return {
    auth: 'session',
    organizationId,
    personId,
    sessionId: '',
    applicationId: null,
    plan: 'FREE',
    modules: new Set(),
    capabilities: new Set(),
    features: new Set(),
    permissions: new Set(permissions),
    scopes: new Set(),
    isAdministrator: false,
    isOwner: false,
    isOperator: false,
    isSuspended: false,
    departmentIds: [],
    workspaceIds: [],
    groupIds: [],
  }
}
