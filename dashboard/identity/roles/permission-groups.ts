import { type Permission, permissions } from '#contract/permissions.ts'

/** The areas of the product in the order of the list, each with what its permissions begin with. */
const groupPrefixes = {
  crm: ['CRM_'],
  billing: ['BILLING_'],
  chat: ['CHAT_'],
  marketplace: ['STUDIO_MARKETPLACE_'],
  studio: ['STUDIO_'],
  integrations: ['INTEGRATIONS_', 'ERROR_REPORTS_'],
  organization: ['ORG_'],
} as const satisfies Record<string, readonly string[]>
export type PermissionGroupId = keyof typeof groupPrefixes
export type PermissionGroup = { id: PermissionGroupId; permissions: readonly Permission[] }

const groupIds = Object.keys(groupPrefixes) as PermissionGroupId[]

function groupOf(permission: Permission): PermissionGroupId | undefined {
  // the marketplace comes before the studio, whose prefix begins its own
  return groupIds.find(id => groupPrefixes[id].some(prefix => permission.startsWith(prefix)))
}

/** Every permission of the contract in the group of its area. */
export const permissionGroups: readonly PermissionGroup[] = groupIds.map(id => ({
  id,
  permissions: permissions.filter(permission => groupOf(permission) === id),
}))

/** Whether all, some or none of the permissions of a group are chosen. */
export function shareOf(
  group: readonly Permission[],
  chosen: ReadonlySet<Permission>,
): 'all' | 'some' | 'none' {
  const count = group.filter(permission => chosen.has(permission)).length
  if (count === 0) return 'none'
  return count === group.length ? 'all' : 'some'
}

/** The chosen permissions with a group switched on or off; those that the caller cannot give stay as they are. */
export function withGroup(
  chosen: ReadonlySet<Permission>,
  group: readonly Permission[],
  isOn: boolean,
  givable: ReadonlySet<Permission>,
): Set<Permission> {
  const next = new Set(chosen)
  for (const permission of group) {
    if (!givable.has(permission)) continue
    if (isOn) next.add(permission)
    else next.delete(permission)
  }
  return next
}
