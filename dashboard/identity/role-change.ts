import { type Permission, permissions, rolePermissions } from '#contract/permissions.ts'

/** A role as a member has it: a built-in one, or CUSTOM with the id of a custom role. */
export type MemberRole = { role: 'OWNER' | 'ADMIN' | 'MEMBER' | 'CUSTOM'; roleId: string | null }
type CustomRole = { id: string; permissions: readonly Permission[] }

/** The permissions of a role; none while the custom roles are not known. */
export function permissionsOf(
  { role, roleId }: MemberRole,
  customRoles: readonly CustomRole[],
): readonly Permission[] {
  if (role !== 'CUSTOM') return rolePermissions[role]
  return customRoles.find(({ id }) => id === roleId)?.permissions ?? []
}

/** The permissions that a member gains and loses with another role, in the order of the contract. */
export function roleChange(
  from: readonly Permission[],
  to: readonly Permission[],
): { gains: readonly Permission[]; loses: readonly Permission[] } {
  return {
    gains: permissions.filter(permission => to.includes(permission) && !from.includes(permission)),
    loses: permissions.filter(permission => from.includes(permission) && !to.includes(permission)),
  }
}

/** A role as the value of a choice, and back: `ADMIN`, or the id of a custom role. */
export function roleKey({ role, roleId }: MemberRole): string {
  return role === 'CUSTOM' ? (roleId ?? '') : role
}

export function roleOfKey(key: string): MemberRole {
  return key === 'OWNER' || key === 'ADMIN' || key === 'MEMBER'
    ? { role: key, roleId: null }
    : { role: 'CUSTOM', roleId: key }
}

/** Whether a person may give a role: only owners make owners, and nobody gives a permission that they lack. */
export function mayGive(
  caller: { permissions: readonly Permission[]; isOwner: boolean },
  role: MemberRole,
  rolePermissions: readonly Permission[],
): boolean {
  if (role.role === 'OWNER' && !caller.isOwner) return false
  return rolePermissions.every(permission => caller.permissions.includes(permission))
}
