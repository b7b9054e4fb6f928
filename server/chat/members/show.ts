import type { ChannelMember } from '#contract/chat/shapes.ts'
import type { MemberRow } from './store.ts'

/** A person in a channel as they go out. Document 2, Member. */
export function showMember({ id, name, role }: MemberRow): ChannelMember {
  return { kind: 'USER', id, displayName: name, role }
}
