import type { OwnChannel } from '#contract/chat/channels.ts'
import { joinChannel } from '#contract/chat/members.ts'
import { useMay } from '../../data/organization.tsx'
import { useAction } from '../../data/read.ts'
import { Button } from '../../parts/button.tsx'
import { Page } from '../../parts/page.tsx'
import { Empty } from '../../parts/states.tsx'
import { useWords } from '../../words/words.ts'
import { channelName } from '../channel.rules.ts'
import { BackButton } from './back-button.tsx'
import { channelTexts } from './channels.words.ts'

/** A channel that the person is not in: what it is, and that joining is seen. */
export function JoinChannel({ channel }: { channel: OwnChannel }) {
  const text = useWords(channelTexts)
  const may = useMay()
  const join = useAction(joinChannel)
  const name = channelName(channel, text.nobody)
  const mayJoin = may(joinChannel) && !channel.isArchived
  return (
    <Page title={name} width="full" before={<BackButton />}>
      <Empty
        title={channel.description ?? text.notMember}
        action={
          mayJoin && (
            <Button
              kind="primary"
              isBusy={join.isPending}
              onPress={() => join.mutate({ params: { id: channel.id } }, { toastsFailure: true })}
            >
              {text.join}
            </Button>
          )
        }
      >
        {channel.isArchived ? text.isArchived : text.notMemberAbout}
      </Empty>
    </Page>
  )
}
