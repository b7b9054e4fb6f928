import { listGrants } from '#contract/chat/grants.ts'
import { removeChannelMember } from '#contract/chat/members.ts'
import type { ChannelMember } from '#contract/chat/shapes.ts'
import { textOfError } from '../../data/errors.ts'
import { useAction, useRead } from '../../data/read.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { Notice } from '../../parts/states.tsx'
import { showToast } from '../../parts/toasts.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
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
  const language = useLanguage()
  const grants = useRead(listGrants, { params: { id: channel.id } })
  const remove = useAction(removeChannelMember, { refreshes: [...memberReads, listGrants] })
  const losing = (grants.data?.items ?? []).filter(
    ({ grantedBy, isEffective }) => isEffective && grantedBy.id === personId,
  )
  const names = losing.map(({ application }) => application.name).join(', ')
  return (
    <Confirm
      title={text.removeQuestion(displayName)}
      action={text.removeAction}
      isDangerous
      isOpen
      onClose={onClose}
      isBusy={remove.isPending}
      error={remove.error && <Notice kind="danger">{textOfError(remove.error, language)}</Notice>}
      onConfirm={() =>
        remove.mutate(
          { params: { id: channel.id, personId } },
          {
            onSuccess: () => {
              onClose()
              showToast({ text: text.removed(displayName) })
            },
          },
        )
      }
    >
      <p>{text.removeAbout}</p>
      {names && <p className={styles.paragraph}>{text.removeGrants(names)}</p>}
    </Confirm>
  )
}
