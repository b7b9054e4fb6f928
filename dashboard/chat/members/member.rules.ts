import type { ChannelMember, ChannelRole } from '#contract/chat/shapes.ts'

/** An owner assigns and removes every role, an administrator of the channel only that of a member (CHN-13). */
export function mayAssign(own: ChannelRole | null, role: ChannelRole): boolean {
  return own === 'OWNER' || (own === 'ADMIN' && role === 'MEMBER')
}

/** The roles that a person may give. */
export function assignableRoles(own: ChannelRole | null): ChannelRole[] {
  return (['MEMBER', 'ADMIN', 'OWNER'] as const).filter(role => mayAssign(own, role))
}

type Members = readonly Pick<ChannelMember, 'id' | 'role'>[]

/** Whether nobody owns the channel. The list begins with the owners. */
export function isOwnerless(members: Members): boolean {
  return members.length > 0 && members[0]?.role !== 'OWNER'
}

/** Whether the person is the only owner, who can neither give up the role nor be removed (CHN-14). */
export function isOnlyOwner(members: Members, { id, role }: Pick<ChannelMember, 'id' | 'role'>): boolean {
  return role === 'OWNER' && !members.some(member => member.role === 'OWNER' && member.id !== id)
}
