import { builtInRoles, type Permission, rolePermissions } from '#contract/permissions.ts'
import type { Db } from '#platform/data/database.ts'
import { violated } from '#platform/data/errors.ts'
import { fail } from '#platform/fail.ts'
import type { Caller } from '#platform/http/caller.ts'
import type { MemberRole } from '../members/member.sql.ts'
import { shareLockRole } from './role.sql.ts'

/** A role as it is given to somebody; `permissions` are those of a custom role. */
export type AssignedRole = { role: MemberRole; roleId: string | null; permissions: readonly string[] | null }
type Granter = Pick<Caller, 'permissions' | 'isOwner' | 'isAdministrator'>

/** Nobody puts in a role what they do not have themselves. Error: PERMISSION_DENIED. */
export function assertHasPermissions(caller: Granter, permissions: Iterable<string>): void {
  for (const permission of permissions) {
    if (!caller.permissions.has(permission as Permission)) fail('PERMISSION_DENIED')
  }
}

/** Nobody gives a role above their own. Errors: OWNER_ONLY, PERMISSION_DENIED. */
export function assertMayAssign(caller: Granter, { role, permissions }: AssignedRole): void {
  assertMayActOn(caller, role)
  assertHasPermissions(caller, role === 'CUSTOM' ? (permissions ?? []) : rolePermissions[role])
}

/** Owners are changed by owners, administrators by administrators. Errors: OWNER_ONLY, PERMISSION_DENIED. */
export function assertMayActOn(caller: Granter, role: MemberRole): void {
  if (role === 'OWNER' && !caller.isOwner) fail('OWNER_ONLY')
  if (role === 'ADMIN' && !caller.isAdministrator) fail('PERMISSION_DENIED')
}

/**
 * The role that a request names, with what it may do; a custom one cannot be deleted before the transaction
 * ends. Errors: VALIDATION_ERROR, ROLE_NOT_FOUND.
 */
export async function resolveRole(
  db: Db,
  { role, roleId }: { role: MemberRole; roleId?: string },
): Promise<AssignedRole> {
  if ((role === 'CUSTOM') !== (roleId !== undefined)) {
    const message = 'goes together with the role CUSTOM'
    fail('VALIDATION_ERROR', { details: [{ path: 'roleId', code: 'role', message }] })
  }
  if (roleId === undefined) return { role, roleId: null, permissions: null }
  const customRole = (await db.first(shareLockRole, roleId)) ?? fail('ROLE_NOT_FOUND')
  return { role, roleId, permissions: customRole.permissions }
}

/** Custom roles do not borrow the names of the built-in ones. Error: NAME_TAKEN. */
export function assertNotBuiltInName(name: string): void {
  if ((builtInRoles as readonly string[]).includes(name.toUpperCase())) fail('NAME_TAKEN')
}

/** True when two lists without repetitions hold the same words. */
export function isSameSet(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every(word => other.includes(word))
}

/** For a write that may run into a unique name: its violation becomes NAME_TAKEN. */
export function failIfNameTaken(constraint: string): (error: unknown) => never {
  return error => {
    if (violated(error)?.startsWith(constraint)) fail('NAME_TAKEN')
    throw error
  }
}
