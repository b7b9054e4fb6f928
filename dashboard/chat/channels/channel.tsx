import { useParams } from '@tanstack/react-router'
import { readChannel } from '#contract/chat/channels.ts'
import { statusOf, textOfError } from '../../data/errors.ts'
import { useOrganization } from '../../data/organization.tsx'
import { useRead } from '../../data/read.ts'
import { Button, ButtonLink } from '../../parts/button.tsx'
import { Page } from '../../parts/page.tsx'
import { Problem, Skeleton } from '../../parts/states.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import { BackButton } from './back-button.tsx'
import { ChannelConversation } from './channel-conversation.tsx'
import { channelTexts } from './channels.words.ts'
import { JoinChannel } from './join-channel.tsx'

/** A channel or conversation: its messages, and what lies beside them. */
export function ChannelScreen() {
  const text = useWords(channelTexts)
  const language = useLanguage()
  const { address } = useOrganization()
  const { channelId } = useParams({ from: '/o/$organization/channels/$channelId' })
  const { data: channel, error, refetch } = useRead(readChannel, { params: { id: channelId } })
  // who was removed keeps what was read until then, and must not
  const isGone = statusOf(error) === 404
  if (channel && channel.role !== null && !isGone)
    return <ChannelConversation key={channelId} channel={channel} />
  if (channel && !isGone) return <JoinChannel channel={channel} />
  return (
    <Page title={text.title} width="full" before={<BackButton />}>
      {error ? (
        <Problem
          title={isGone ? text.gone : textOfError(error, language)}
          action={
            isGone ? (
              <ButtonLink href={`/o/${encodeURIComponent(address)}/channels`}>{text.toList}</ButtonLink>
            ) : (
              <Button onPress={() => void refetch()}>{text.again}</Button>
            )
          }
        />
      ) : (
        <Skeleton rows={8} label={text.reading} />
      )}
    </Page>
  )
}
