import { joinChannel, leaveChannel } from '#contract/chat/members.ts'
import { fail } from '#platform/fail.ts'
import { command } from '#platform/http/operation.ts'
import { archiveLockedChannel } from '../channels/archive.ts'
import { assertNotArchived, isManageable, lockChannel } from '../channels/channel.access.ts'
import { emitMembershipChanged } from './member.events.ts'
import { showMember } from './member.json.ts'
import { hasCapacity, insertMember, memberOf, otherMembersOf, removeMember } from './member.sql.ts'

/** lockChannel admits callers who see the channel in the directory or administer the organization; all may join. */
export const join = command(joinChannel, async ({ tx, caller, params: { id }, audit }) => {
  const { personId } = caller
  const channel = await lockChannel(tx, caller, id)
  if (channel.role) fail('CHANNEL_MEMBER_EXISTS')
  assertNotArchived(channel)
  if (!(await hasCapacity(tx, id, [personId]))) fail('TOO_MANY_IN_CHANNEL')
  const [, member] = await Promise.all([insertMember(tx, id, personId, 'MEMBER'), memberOf(tx, id, personId)])
  // the person has left the organization in the meantime
  if (!member) fail('CHANNEL_NOT_FOUND')
  await emitMembershipChanged(tx, caller, 'chat.member.added', id, personId)
  audit(id, [`members.${personId}`])
  return showMember(member)
})

/** The channel is archived when the last member leaves. Everybody may leave an archived channel. */
export const leave = command(leaveChannel, async ({ tx, caller, params: { id }, audit }) => {
  const { personId } = caller
  const channel = await lockChannel(tx, caller, id)
  if (!channel.role) fail('CHANNEL_MEMBER_NOT_FOUND')
  if (!isManageable(channel)) fail('CHANNEL_NOT_GOVERNED')
  const others = await otherMembersOf(tx, id, personId)
  const isLastOwner = channel.role === 'OWNER' && !others.hasOwner
  if (isLastOwner && others.hasMembers && channel.archived_at === null) fail('CHANNEL_NEEDS_OWNER')
  await removeMember(tx, id, personId)
  await emitMembershipChanged(tx, caller, 'chat.member.removed', id, personId)
  if (!others.hasMembers) await archiveLockedChannel(tx, caller, channel, personId)
  audit(id, [`members.${personId}`])
})
