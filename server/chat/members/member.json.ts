import type { ChannelMember } from '#contract/chat/shapes.ts'
import type { ChannelMemberRow } from './member.sql.ts'

/** CHN-11. */
export function showMember({ id, name, role }: ChannelMemberRow): ChannelMember {
  return { kind: 'USER', id, displayName: name, role }
}
