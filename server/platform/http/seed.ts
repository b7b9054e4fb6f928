import type { Permission } from '#contract/permissions.ts'
import type { Tx } from '../data/database.ts'
import type { Caller } from './caller.ts'
import type { Served } from './operation.ts'

/** Does an operation for somebody of a demo, without a request. Gives what it answers. */
export async function act<Reply = { id: string }>(
  served: Served,
  tx: Tx,
  caller: Caller,
  input: object,
): Promise<Reply> {
  if (served.kind !== 'changes') throw new Error('Only what happens in one transaction can furnish a demo')
  const reply = await served.run({
    params: {},
    query: {},
    body: {},
    ...input,
    tx,
    caller,
    audits() {},
    heading() {},
  } as never)
  return reply as Reply
}

/** Somebody of a demo who may do what their own things need, and what these permissions say. */
export function callerFor(
  organizationId: string,
  personId: string,
  permissions: readonly Permission[] = [],
): Caller {
  return {
    door: 'people',
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
