import type { ChannelRole } from '#contract/chat/shapes.ts'
import { fail } from '#platform/fail.ts'
import type { Caller } from '#platform/http/caller.ts'
import type { OwnChannelRow } from '../channels/channel.access.ts'

/** An administrator of the organization has the rights of an owner. */
export function effectiveRole(caller: Caller, { role }: Pick<OwnChannelRow, 'role'>): ChannelRole {
  return caller.isAdministrator ? 'OWNER' : (role ?? 'MEMBER')
}

/**
 * An owner may assign and remove every role, an administrator of the channel only that of a member. Refuses
 * CHANNEL_ROLE_REQUIRED.
 */
export function assertMayAssignRole(actor: ChannelRole, role: ChannelRole): void {
  const decides = actor === 'OWNER' || (actor === 'ADMIN' && role === 'MEMBER')
  if (!decides) fail('CHANNEL_ROLE_REQUIRED')
}
