import { useState } from 'react'
import { listChannelMembers } from '#contract/chat/members.ts'
import type { ChannelMember } from '#contract/chat/shapes.ts'
import { textOfError } from '../../data/errors.ts'
import { useOrganization } from '../../data/organization.tsx'
import { useList } from '../../data/read.ts'
import { Button } from '../../parts/button.tsx'
import { late } from '../../parts/late.tsx'
import { LoadMore } from '../../parts/load-more.tsx'
import { MoreMenu } from '../../parts/more-menu.tsx'
import { Person } from '../../parts/person.tsx'
import { Notice, Problem, Skeleton } from '../../parts/states.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import { type Channel, isManageable, managesChannel, roleIn } from '../channel.rules.ts'
import { AddMember } from './add-member.tsx'
import { isOwnerless } from './member.rules.ts'
import styles from './members.module.css'
import { channelMemberTexts } from './members.words.ts'
import { useMemberActions } from './use-member-actions.ts'

const RemoveMemberDialog = late(() =>
  import('./remove-member-dialog.tsx').then(dialog => dialog.RemoveMemberDialog),
)

/** The people of a channel with their roles; those who manage it add and remove people. */
export function ChannelMembers({ channel }: { channel: Channel }) {
  const text = useWords(channelMemberTexts)
  const language = useLanguage()
  const { caller } = useOrganization()
  const [removed, setRemoved] = useState<ChannelMember>()
  const members = useList(listChannelMembers, { params: { id: channel.id } })
  const { addRoles, add, menuOf } = useMemberActions(channel, members.items, setRemoved)
  const isRead = !members.isLoading && !members.error
  return (
    <div className={styles.content}>
      {isRead && <Obstacles channel={channel} members={members.items} />}
      {addRoles.length > 0 && (
        <AddMember
          members={members.items}
          roles={addRoles}
          onAdd={(person, role) => void add(person, role)}
        />
      )}
      {members.isLoading && <Skeleton rows={4} label={text.reading} />}
      {members.error && (
        <Problem
          title={textOfError(members.error, language)}
          action={<Button onPress={members.reload}>{text.again}</Button>}
        />
      )}
      {isRead && members.items.length === 0 && <p className={styles.quiet}>{text.nobody}</p>}
      {members.items.length > 0 && (
        <ul aria-label={text.title}>
          {members.items.map(member => (
            <MemberRow
              key={member.id}
              member={member}
              isOwn={member.id === caller.person.id}
              menu={menuOf(member)}
            />
          ))}
        </ul>
      )}
      <LoadMore {...members} shown={members.items.length} />
      {removed && (
        <RemoveMemberDialog channel={channel} member={removed} onClose={() => setRemoved(undefined)} />
      )}
    </div>
  )
}

function MemberRow({
  member: { displayName, role },
  isOwn,
  menu,
}: {
  member: ChannelMember
  isOwn: boolean
  menu: ReturnType<ReturnType<typeof useMemberActions>['menuOf']>
}) {
  const text = useWords(channelMemberTexts)
  const hasMenu = menu.some(({ entries }) => entries.length > 0)
  return (
    <li className={styles.member}>
      <span className={styles.name}>
        <Person name={displayName} {...(isOwn && { about: `(${text.you})` })} />
      </span>
      <span className={`${styles.role} ${role === 'MEMBER' ? '' : styles.owner}`}>{text[role]}</span>
      {hasMenu ? (
        <MoreMenu label={text.actionsOf(displayName)} groups={menu} />
      ) : (
        <span className={styles.noMenu} />
      )}
    </li>
  )
}

/** Why the people of the channel cannot be changed, or what is wrong with them, and who repairs it. */
function Obstacles({ channel, members }: { channel: Channel; members: readonly ChannelMember[] }) {
  const text = useWords(channelMemberTexts)
  const { caller } = useOrganization()
  if (!isManageable(channel))
    return <p className={styles.quiet}>{channel.type === 'DIRECT' ? text.direct : text.portal}</p>
  if (channel.isArchived) return <Notice>{text.archived}</Notice>
  if (isOwnerless(members))
    return (
      <Notice kind="warn">
        {text.ownerless} {roleIn(caller, channel) === 'OWNER' ? text.ownerlessRepair : text.ownerlessAsk}
      </Notice>
    )
  return managesChannel(caller, channel) ? null : <p className={styles.quiet}>{text.notManager}</p>
}
