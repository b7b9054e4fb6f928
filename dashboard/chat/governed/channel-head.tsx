import { useState } from 'react'
import { joinChannel } from '#contract/chat/members.ts'
import { useObstacle, useOrganization } from '../../data/organization.tsx'
import { Button, ButtonLink } from '../../parts/button.tsx'
import { late } from '../../parts/late.tsx'
import { Notice } from '../../parts/states.tsx'
import { useWords } from '../../words/words.ts'
import { type Channel, isManageable } from '../channel.rules.ts'
import { useChannelHref } from '../use-channel-href.ts'
import { governedTexts } from './governed.words.ts'

const JoinDialog = late(() => import('./join-dialog.tsx').then(dialog => dialog.JoinDialog))

/** Opens the channel for those who are in it; the others join it first. */
export function ChannelStep({ channel }: { channel: Channel }) {
  const text = useWords(governedTexts)
  const { caller } = useOrganization()
  const { channelHref } = useChannelHref()
  const [isJoining, setJoining] = useState(false)
  const isPermitted = useObstacle(joinChannel) === undefined
  if (channel.role !== null) return <ButtonLink href={channelHref(channel.id)}>{text.open}</ButtonLink>
  const mayJoin = isPermitted && isManageable(channel) && (caller.isAdministrator || channel.isDiscoverable)
  if (!mayJoin || channel.isArchived) return null
  return (
    <>
      <Button onPress={() => setJoining(true)} onHoverStart={JoinDialog.preload} onFocus={JoinDialog.preload}>
        {text.join}
      </Button>
      {isJoining && <JoinDialog channel={channel} onClose={() => setJoining(false)} />}
    </>
  )
}

/** The limits of a person who is not in the channel. */
export function NotInChannel({ channel }: { channel: Channel }) {
  const text = useWords(governedTexts)
  if (channel.role !== null) return null
  return <Notice>{channel.isArchived ? text.joinArchived : text.cannotRead}</Notice>
}
