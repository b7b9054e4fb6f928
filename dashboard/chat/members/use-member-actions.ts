import { listGovernedChannels, readChannel } from '#contract/chat/channels.ts'
import {
  addChannelMember,
  changeChannelMember,
  listChannelMembers,
  removeChannelMember,
} from '#contract/chat/members.ts'
import type { ChannelMember, ChannelRole } from '#contract/chat/shapes.ts'
import { needErrorTexts, textOfError } from '../../data/errors.ts'
import { useMay, useOrganization } from '../../data/organization.tsx'
import { useAction } from '../../data/read.ts'
import type { IconName } from '../../parts/icon.tsx'
import type { MenuGroup } from '../../parts/menu.tsx'
import { showToast } from '../../parts/toasts.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import { type Channel, isManageable, roleIn } from '../channel.rules.ts'
import { assignableRoles, isOnlyOwner, mayAssign } from './member.rules.ts'
import { channelMemberTexts } from './members.words.ts'

/** The reads that show who is in a channel. */
export const memberReads = [listChannelMembers, readChannel, listGovernedChannels] as const

const icons: Readonly<Record<ChannelRole, IconName>> = { OWNER: 'key', ADMIN: 'operator', MEMBER: 'person' }

/** The changes of the members of a channel that the caller may make. */
export function useMemberActions(
  channel: Channel,
  members: readonly ChannelMember[],
  remove: (member: ChannelMember) => void,
) {
  const text = useWords(channelMemberTexts)
  const language = useLanguage()
  const may = useMay()
  const { caller } = useOrganization()
  const change = useAction(changeChannelMember, { refreshes: memberReads })
  const put = useAction(addChannelMember, { refreshes: memberReads })
  const own = isManageable(channel) && !channel.isArchived ? roleIn(caller, channel) : null
  const roles = assignableRoles(own)

  async function attempt(action: () => Promise<unknown>, done: string): Promise<void> {
    try {
      await action()
      showToast({ text: done })
    } catch (error) {
      await needErrorTexts(language)
      showToast({ kind: 'failed', text: textOfError(error, language) })
    }
  }
  const setRole = ({ id, displayName }: ChannelMember, role: ChannelRole) =>
    attempt(
      () => change.mutateAsync({ params: { id: channel.id, personId: id }, body: { role } }),
      text.changed(displayName, text[role]),
    )

  return {
    /** The roles in which the caller may add people; none if they may not. */
    addRoles: may(addChannelMember) ? roles : [],
    add: (person: { id: string; name: string }, role: ChannelRole) =>
      attempt(
        () => put.mutateAsync({ params: { id: channel.id }, body: { personId: person.id, role } }),
        text.added(person.name),
      ),
    menuOf(member: ChannelMember): MenuGroup[] {
      const isStuck = isOnlyOwner(members, member)
      // one who may only give the role that a member has cannot change anything
      const mayChange = may(changeChannelMember) && mayAssign(own, member.role) && roles.length > 1
      const mayRemove =
        may(removeChannelMember) && mayAssign(own, member.role) && member.id !== caller.person.id
      return [
        {
          id: 'role',
          title: text.role,
          entries: mayChange
            ? roles.map(role => ({
                id: role,
                label: text[role],
                icon: icons[role],
                isCurrent: role === member.role,
                isDisabled: isStuck && role !== 'OWNER',
                ...(isStuck && role !== 'OWNER' && { hint: text.onlyOwner }),
                onAction: () => void (role !== member.role && setRole(member, role)),
              }))
            : [],
        },
        {
          id: 'access',
          entries: mayRemove
            ? [
                {
                  id: 'remove',
                  label: text.remove,
                  icon: 'signOut',
                  isDangerous: true,
                  isDisabled: isStuck,
                  ...(isStuck && { hint: text.onlyOwner }),
                  onAction: () => remove(member),
                },
              ]
            : [],
        },
      ]
    },
  }
}
