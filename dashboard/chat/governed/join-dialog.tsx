import { useNavigate } from '@tanstack/react-router'
import { listGovernedChannels, listOwnChannels, readChannel } from '#contract/chat/channels.ts'
import { joinChannel, listChannelMembers } from '#contract/chat/members.ts'
import { textOfError } from '../../data/errors.ts'
import { useAction, useList } from '../../data/read.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { Notice } from '../../parts/states.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import { type Channel, channelName } from '../channel.rules.ts'
import { useChannelHref } from '../use-channel-href.ts'
import styles from './governed.module.css'
import { governedTexts } from './governed.words.ts'

/** Asks before an administrator of the organization joins a channel, because its members see it (CHN-7). */
export function JoinDialog({ channel, onClose }: { channel: Channel; onClose: () => void }) {
  const text = useWords(governedTexts)
  const language = useLanguage()
  const navigate = useNavigate()
  const { channelHref } = useChannelHref()
  const members = useList(listChannelMembers, { params: { id: channel.id } })
  const join = useAction(joinChannel, {
    refreshes: [readChannel, listOwnChannels, listGovernedChannels, listChannelMembers],
  })
  const name = channelName(channel)
  return (
    <Confirm
      title={text.joinTitle(name)}
      action={text.joinAction}
      isOpen
      onClose={onClose}
      isBusy={join.isPending || members.isLoading}
      error={join.error && <Notice kind="danger">{textOfError(join.error, language)}</Notice>}
      onConfirm={() =>
        join.mutate(
          { params: { id: channel.id } },
          {
            onSuccess: () => {
              onClose()
              void navigate({ to: channelHref(channel.id) })
            },
            toast: () => text.joined(name),
          },
        )
      }
    >
      {members.total !== undefined && <p>{text.joinSeen(members.total)}</p>}
      <p className={styles.paragraph}>{text.joinRead}</p>
    </Confirm>
  )
}
