import { addAppChannelMember, removeAppChannelMember } from '#contract/chat/application-channels.ts'
import { fail } from '#platform/fail.ts'
import { command } from '#platform/http/operation.ts'
import { assertNotArchived } from '../channels/channel.access.ts'
import { assertMayUse, lockGrantedChannel } from '../grants/grant.access.ts'
import { emitMembershipChanged } from '../members/member.events.ts'
import { showMember } from '../members/member.json.ts'
import { memberOf, removeMember } from '../members/member.sql.ts'
import { addMember } from '../members/members.ts'

/** Always as MEMBER: an application cannot appoint owners or administrators. */
export const add = command(
  addAppChannelMember,
  async ({ tx, caller, params: { channelId }, body: { userId }, audit }) => {
    const channel = await lockGrantedChannel(tx, caller, channelId)
    assertMayUse(channel, 'Gestionar miembros', 'CHAT_MEMBERS_ADD')
    assertNotArchived(channel)
    const member = await addMember(tx, caller, channelId, userId, 'MEMBER')
    const after = { userId, role: member.role }
    audit(channelId, ['members'], { grantorId: channel.granted_by, before: null, after })
    return showMember(member)
  },
)

/** Members only: an application must not be able to remove the administrators who granted its access. */
export const remove = command(
  removeAppChannelMember,
  async ({ tx, caller, params: { channelId, userId }, audit }) => {
    const channel = await lockGrantedChannel(tx, caller, channelId)
    assertMayUse(channel, 'Gestionar miembros', 'CHAT_MEMBERS_REMOVE')
    assertNotArchived(channel)
    const { role } = (await memberOf(tx, channelId, userId)) ?? fail('CHANNEL_MEMBER_NOT_FOUND')
    if (role !== 'MEMBER') fail('APP_NOT_AUTHORIZED_IN_CHANNEL', {}, 'role')
    await removeMember(tx, channelId, userId)
    await emitMembershipChanged(tx, caller, 'chat.member.removed', channelId, userId)
    const before = { userId, role }
    audit(channelId, ['members'], { grantorId: channel.granted_by, before, after: null })
    return { success: true }
  },
)
