import { useOrganization } from '../../data/organization.tsx'
import { Button, ButtonLink, IconButton } from '../../parts/button.tsx'
import { Page } from '../../parts/page.tsx'
import { useIsPhone } from '../../parts/phone.ts'
import { Empty } from '../../parts/states.tsx'
import { actionTexts } from '../../words/actions.ts'
import { useWords } from '../../words/words.ts'
import { ChannelList } from './channel-list.tsx'
import { channelTexts } from './channels.words.ts'
import { useChannelsContext } from './channels-context.ts'

/** Before a channel is chosen: what waits. On a phone, the list itself. */
export function ChannelsStart() {
  const text = useWords(channelTexts)
  const actionText = useWords(actionTexts)
  const isPhone = useIsPhone()
  const { address } = useOrganization()
  const { list, next, create } = useChannelsContext()
  const base = `/o/${encodeURIComponent(address)}/channels`
  const waiting = list.items.filter(
    ({ unreadCount, notification }) => unreadCount > 0 && notification !== 'NONE',
  )
  const isEmpty = !list.isLoading && !list.error && list.items.length === 0
  const empty = (
    <Empty
      title={text.empty}
      action={
        <>
          <ButtonLink href={`${base}/directory`}>{text.directory}</ButtonLink>
          {create && (
            <Button kind="quiet" onPress={create}>
              {actionText['create-conversation']}
            </Button>
          )}
        </>
      }
    >
      {text.emptyAbout}
    </Empty>
  )
  if (isPhone)
    return (
      <Page
        title={text.title}
        width="full"
        actions={
          create && <IconButton icon="plus" label={actionText['create-conversation']} onPress={create} />
        }
      >
        {isEmpty && empty}
        <ChannelList isHeadHidden />
      </Page>
    )
  return (
    <Page title={text.title} width="full">
      {isEmpty ? (
        empty
      ) : list.isLoading || list.error ? null : next ? (
        <Empty
          title={text.waiting(waiting.length)}
          action={
            <ButtonLink kind="primary" shortcut="n" href={`${base}/${next.id}`}>
              {text.nextUnread}
            </ButtonLink>
          }
        />
      ) : (
        <Empty
          title={text.allRead}
          action={create && <Button onPress={create}>{actionText['create-conversation']}</Button>}
        >
          {text.allReadAbout}
        </Empty>
      )}
    </Page>
  )
}
