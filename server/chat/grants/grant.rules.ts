import type { GrantObstacle } from '#contract/chat/grants.ts'
import type { ChannelRole, GrantCapability } from '#contract/chat/shapes.ts'
import { type Permission, rolePermissions } from '#contract/permissions.ts'

/** The current roles of a grantor in the organization and in the channel. */
export type Grantor = {
  grantor_role: keyof typeof rolePermissions | 'CUSTOM'
  grantor_removed: boolean
  grantor_permissions: readonly Permission[] | null
  grantor_channel_role: ChannelRole | null
}

/** The rights that a grant names, whether or not they are effective. */
export type GrantRights = { can_organize: boolean; can_manage_members: boolean; is_member: boolean }

/** True for a member of the organization with the permission. */
export function hasPermission(
  person: Pick<Grantor, 'grantor_role' | 'grantor_removed' | 'grantor_permissions'>,
  permission: Permission,
): boolean {
  if (person.grantor_removed) return false
  const { grantor_role: role } = person
  const permissions = role === 'CUSTOM' ? (person.grantor_permissions ?? []) : rolePermissions[role]
  return permissions.includes(permission)
}

/** True while the grantor manages the channel and has the permission. */
export function grantorMay(grantor: Grantor, permission: Permission): boolean {
  const managesChannel =
    isAdministrator(grantor) || ['OWNER', 'ADMIN'].includes(grantor.grantor_channel_role ?? '')
  return managesChannel && hasPermission(grantor, 'CHAT_USE') && hasPermission(grantor, permission)
}

function isAdministrator({ grantor_role: role }: Grantor): boolean {
  return role === 'OWNER' || role === 'ADMIN'
}

/** The permissions that a capability uses. The capability is effective while its grantor has one of them. */
const capabilityPermissions: Record<GrantCapability, readonly Permission[]> = {
  'Crear y organizar canales': ['CHAT_CHANNELS_EDIT'],
  'Gestionar miembros': ['CHAT_MEMBERS_ADD', 'CHAT_MEMBERS_REMOVE'],
}

/** The wire names of the capabilities of a grant. */
export function capabilitiesOf({ can_organize, can_manage_members }: GrantRights): GrantCapability[] {
  return [
    ...(can_organize ? (['Crear y organizar canales'] as const) : []),
    ...(can_manage_members ? (['Gestionar miembros'] as const) : []),
  ]
}

/** The capabilities that the application can currently use. */
export function effectiveCapabilitiesOf(grant: GrantRights & Grantor): GrantCapability[] {
  return capabilitiesOf(grant).filter(name =>
    capabilityPermissions[name].some(permission => grantorMay(grant, permission)),
  )
}

/** The reason why an application has no access to the channel; null if it has. See chat_access. */
export function obstacleOf(
  grant: GrantRights & Grantor & { has_access: boolean; status: 'ACTIVE' | 'DISABLED' },
): GrantObstacle | null {
  if (!grant.is_member) return 'NOT_A_MEMBER'
  if (grant.grantor_removed) return 'GRANTOR_LEFT'
  if (!hasPermission(grant, 'CHAT_USE')) return 'GRANTOR_NOT_PERMITTED'
  if (!grant.has_access) return 'GRANTOR_NOT_IN_CHANNEL'
  return grant.status === 'DISABLED' ? 'APPLICATION_DISABLED' : null
}

/**
 * The rights of an application in a channel that it created: those that both its scopes and its principal allow, or
 * undefined if there are none (GRT-11).
 */
export function rightsOfCreator(
  scopes: ReadonlySet<string>,
  may: (permission: Permission) => boolean,
): GrantRights | undefined {
  const mayUse = (capability: GrantCapability) => capabilityPermissions[capability].some(may)
  const rights = {
    can_organize: scopes.has('chat:channels:manage') && mayUse('Crear y organizar canales'),
    can_manage_members: scopes.has('chat:members:manage') && mayUse('Gestionar miembros'),
    is_member: channelScopes.some(scope => scopes.has(scope)),
  }
  return Object.values(rights).includes(true) ? rights : undefined
}

/** Scopes that need access to a channel. */
const channelScopes = [
  'chat:messages:view',
  'chat:messages:send',
  'chat:events:subscribe',
  'chat:agents:manage',
]
