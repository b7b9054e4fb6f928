import { listGrants } from '#contract/chat/grants.ts'
import { removeChannelMember } from '#contract/chat/members.ts'
import type { ChannelMember } from '#contract/chat/shapes.ts'
import { ConfirmAction } from '../../data/confirm-action.tsx'
import { useRead } from '../../data/read.ts'
import { useWords } from '../../words/words.ts'
import type { Channel } from '../channel.rules.ts'
import styles from './members.module.css'
import { channelMemberTexts } from './members.words.ts'
import { memberReads } from './use-member-actions.ts'

/** Asks before a person is removed, and names the applications that lose the channel with them. */
export function RemoveMemberDialog({
  channel,
  member: { id: personId, displayName },
  onClose,
}: {
  channel: Channel
  member: ChannelMember
  onClose: () => void
}) {
  const text = useWords(channelMemberTexts)
  const grants = useRead(listGrants, { params: { id: channel.id } })
  const losing = (grants.data?.items ?? []).filter(
    ({ grantedBy, isEffective }) => isEffective && grantedBy.id === personId,
  )
  const names = losing.map(({ application }) => application.name).join(', ')
  return (
    <ConfirmAction
      operation={removeChannelMember}
      input={{ params: { id: channel.id, personId } }}
      refreshes={[...memberReads, listGrants]}
      title={text.removeQuestion(displayName)}
      action={text.removeAction}
      isDangerous
      onClose={onClose}
      toast={() => text.removed(displayName)}
    >
      <p>{text.removeAbout}</p>
      {names && <p className={styles.paragraph}>{text.removeGrants(names)}</p>}
    </ConfirmAction>
  )
}
