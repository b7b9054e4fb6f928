import { builtInRoles, type Permission, rolePermissions } from '#contract/permissions.ts'
import type { Db } from '#platform/data/db.ts'
import { violated } from '#platform/data/errors.ts'
import { fail } from '#platform/fail.ts'
import type { Caller } from '#platform/http/caller.ts'
import type { MemberRole } from '../members/member.sql.ts'
import { shareLockRole } from './role.sql.ts'

/** A role to assign; `permissions` are those of a custom role. */
export type AssignedRole = { role: MemberRole; roleId: string | null; permissions: readonly string[] | null }
type Granter = Pick<Caller, 'permissions' | 'isOwner' | 'isAdministrator'>

/** People can give a role only the permissions that they have. Error: PERMISSION_DENIED. */
export function assertHasPermissions(caller: Granter, permissions: Iterable<string>): void {
  for (const permission of permissions) {
    if (!caller.permissions.has(permission as Permission)) fail('PERMISSION_DENIED')
  }
}

/** People can only assign roles with permissions that they have. Errors: OWNER_ONLY, PERMISSION_DENIED. */
export function assertMayAssign(caller: Granter, { role, permissions }: AssignedRole): void {
  assertMayActOn(caller, role)
  assertHasPermissions(caller, role === 'CUSTOM' ? (permissions ?? []) : rolePermissions[role])
}

/**
 * Only owners change owners, only administrators change administrators. Errors: OWNER_ONLY,
 * PERMISSION_DENIED.
 */
export function assertMayActOn(caller: Granter, role: MemberRole): void {
  if (role === 'OWNER' && !caller.isOwner) fail('OWNER_ONLY')
  if (role === 'ADMIN' && !caller.isAdministrator) fail('PERMISSION_DENIED')
}

/**
 * The requested role with its permissions. A custom role cannot be deleted before the transaction ends.
 * Errors: VALIDATION_ERROR, ROLE_NOT_FOUND.
 */
export async function resolveRole(
  db: Db,
  { role, roleId }: { role: MemberRole; roleId?: string },
): Promise<AssignedRole> {
  if ((role === 'CUSTOM') !== (roleId !== undefined)) {
    const message = 'must be set if, and only if, the role is CUSTOM'
    fail('VALIDATION_ERROR', { details: [{ path: 'roleId', code: 'role', message }] })
  }
  if (roleId === undefined) return { role, roleId: null, permissions: null }
  const customRole = (await db.first(shareLockRole, { id: roleId })) ?? fail('ROLE_NOT_FOUND')
  return { role, roleId, permissions: customRole.permissions }
}

/** Custom roles cannot have the name of a built-in role. Error: NAME_TAKEN. */
export function assertNotBuiltInName(name: string): void {
  if ((builtInRoles as readonly string[]).includes(name.toUpperCase())) fail('NAME_TAKEN')
}

/** True if two lists without duplicates have the same items. */
export function isSameSet(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every(word => other.includes(word))
}

/** Turns a violation of a unique name into NAME_TAKEN. */
export function failIfNameTaken(constraint: string): (error: unknown) => never {
  return error => {
    if (violated(error)?.startsWith(constraint)) fail('NAME_TAKEN')
    throw error
  }
}
