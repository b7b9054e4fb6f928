import type { GrantObstacle } from '#contract/chat/grants.ts'
import type { ChannelRole, GrantCapability } from '#contract/chat/shapes.ts'
import { type Permission, rolePermissions } from '#contract/permissions.ts'

/** Where somebody who granted stands today: in the organization, and in the channel. */
export type Grantor = {
  grantor_role: keyof typeof rolePermissions | 'CUSTOM'
  grantor_removed: boolean
  grantor_permissions: readonly Permission[] | null
  grantor_channel_role: ChannelRole | null
}

/** What a grant says. */
export type GrantRights = { can_organize: boolean; can_manage_members: boolean; is_member: boolean }

/** True when somebody is in the organization and has the permission. */
export function hasPermission(
  person: Pick<Grantor, 'grantor_role' | 'grantor_removed' | 'grantor_permissions'>,
  permission: Permission,
): boolean {
  if (person.grantor_removed) return false
  const { grantor_role: role } = person
  const permissions = role === 'CUSTOM' ? (person.grantor_permissions ?? []) : rolePermissions[role]
  return permissions.includes(permission)
}

/** True when the grantor governs the channel today and has the permission. */
export function grantorMay(grantor: Grantor, permission: Permission): boolean {
  const governs = isAdministrator(grantor) || ['OWNER', 'ADMIN'].includes(grantor.grantor_channel_role ?? '')
  return governs && hasPermission(grantor, 'CHAT_USE') && hasPermission(grantor, permission)
}

function isAdministrator({ grantor_role: role }: Grantor): boolean {
  return role === 'OWNER' || role === 'ADMIN'
}

/** What a capability lets an application do, by the permissions of which its grantor needs the one or the other. */
const capabilityPermissions: Record<GrantCapability, readonly Permission[]> = {
  'Crear y organizar canales': ['CHAT_CHANNELS_EDIT'],
  'Gestionar miembros': ['CHAT_MEMBERS_ADD', 'CHAT_MEMBERS_REMOVE'],
}

/** The capabilities of a grant, by their names. */
export function capabilitiesOf({ can_organize, can_manage_members }: GrantRights): GrantCapability[] {
  return [
    ...(can_organize ? (['Crear y organizar canales'] as const) : []),
    ...(can_manage_members ? (['Gestionar miembros'] as const) : []),
  ]
}

/** Those of them of which the application can do something today. */
export function effectiveCapabilitiesOf(grant: GrantRights & Grantor): GrantCapability[] {
  return capabilitiesOf(grant).filter(name =>
    capabilityPermissions[name].some(permission => grantorMay(grant, permission)),
  )
}

/** Why an application does not read, write or hear of anything in the channel; null when it does. See chat_access. */
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
 * The grant of an application in a channel that it has created: as much as its scopes ask for and its principal
 * may do; undefined when that is nothing (GRT-11).
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

/** Scopes that are of use in a channel only. */
const channelScopes = [
  'chat:messages:view',
  'chat:messages:send',
  'chat:events:subscribe',
  'chat:agents:manage',
]
