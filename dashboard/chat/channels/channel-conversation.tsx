import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useEffect, useState } from 'react'
import type { OwnChannel } from '#contract/chat/channels.ts'
import { readMessage } from '#contract/chat/messages.ts'
import { textOfError } from '../../data/errors.ts'
import { useCall } from '../../data/read.ts'
import { late } from '../../parts/late.tsx'
import { Page } from '../../parts/page.tsx'
import { useIsPhone } from '../../parts/phone.ts'
import { showToast } from '../../parts/toasts.tsx'
import { WithSheet } from '../../parts/with-sheet.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import { channelName } from '../channel.rules.ts'
import { composerTexts } from '../composer/composer.words.ts'
import { useAudience } from '../composer/use-audience.ts'
import { Conversation } from '../messages/conversation.tsx'
import { useMessages } from '../messages/use-messages.ts'
import { useReadMarker } from '../messages/use-read-marker.ts'
import { channelPanels } from '../panels.ts'
import { BackButton } from './back-button.tsx'
import { ChannelActions } from './channel-actions.tsx'
import type { ChannelSearch } from './channel-search.ts'
import styles from './channels.module.css'
import { channelTexts } from './channels.words.ts'
import { ClosedNotice } from './closed-notice.tsx'

const ThreadSheet = late(() => import('../threads/thread-sheet.tsx').then(sheet => sheet.ThreadSheet))

/** The messages of a channel that the person is in. */
export function ChannelConversation({ channel }: { channel: OwnChannel }) {
  const text = useWords(channelTexts)
  const { write } = useWords(composerTexts)
  const isPhone = useIsPhone()
  const navigate = useNavigate()
  const search = useSearch({ from: '/o/$organization/channels/$channelId' })
  const audience = useAudience(channel)
  const messages = useMessages({ channelId: channel.id })
  const marker = useReadMarker(channel)
  const change = useCallback(
    (part: { [Key in keyof ChannelSearch]: ChannelSearch[Key] | undefined }) =>
      void navigate({ to: '.', search: former => ({ ...former, ...part }) as ChannelSearch, replace: true }),
    [navigate],
  )
  const openThread = useCallback(
    (thread: string) => change({ thread, panel: undefined, message: undefined }),
    [change],
  )
  const startAt = useStart(channel, messages.store, marker.newAfter, search, change)
  const name = channelName(channel, text.nobody)
  const shown = channel.type === 'CHANNEL' ? `#${name}` : name
  const { people, applications, isLoaded } = audience
  const seen = !isLoaded
    ? ''
    : applications.length > 0
      ? text.seenWith(people, applications.length)
      : text.seen(people)
  const Panel = search.panel && channelPanels[search.panel]
  const close = () => change({ panel: undefined, thread: undefined, message: undefined })
  return (
    <Page
      title={shown}
      width="full"
      before={<BackButton />}
      beside={!isPhone && <span className={styles.seen}>{seen}</span>}
      actions={<ChannelActions channel={channel} onOpen={panel => change({ panel, thread: undefined })} />}
      below={isPhone && <p className={styles.seenLine}>{seen}</p>}
    >
      <WithSheet
        sheet={
          Panel ? (
            <Panel key={search.panel} channel={channel} onClose={close} />
          ) : (
            search.thread !== undefined && (
              <ThreadSheet
                key={search.thread}
                channel={channel}
                threadId={search.thread}
                highlighted={search.message}
                audience={audience}
                title={shown}
                onClose={close}
              />
            )
          )
        }
      >
        <Conversation
          channel={channel}
          messages={messages}
          audience={audience}
          marker={marker}
          startAt={startAt}
          highlighted={search.thread === undefined ? search.message : undefined}
          openThread={openThread}
          placeholder={write(shown)}
          closed={channel.isArchived && <ClosedNotice channel={channel} />}
        />
      </WithSheet>
    </Page>
  )
}

/** Opens the messages where the person wants to read: at one of them, at the first that is new, or at the end. */
function useStart(
  { readSeq }: OwnChannel,
  store: ReturnType<typeof useMessages>['store'],
  newAfter: number | undefined,
  { message, thread }: ChannelSearch,
  change: (part: { message?: string | undefined; thread?: string | undefined }) => void,
): string | undefined {
  const call = useCall()
  const language = useLanguage()
  const [startAt, setStartAt] = useState<string>()
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another message leads elsewhere
  useEffect(() => {
    let isCurrent = true
    async function begin(): Promise<string> {
      if (message !== undefined) {
        try {
          const { seq, parentMessageId } = await call(readMessage, { params: { messageId: message } })
          if (parentMessageId && thread === undefined && isCurrent) change({ thread: parentMessageId })
          if (!store.get().items.some(({ id }) => id === message)) await store.open(seq)
          return message
        } catch (error) {
          showToast({ kind: 'failed', text: textOfError(error, language) })
        }
      }
      const isUnread = newAfter !== undefined && readSeq !== null
      await store.open(isUnread ? newAfter : undefined)
      return isUnread ? 'new' : 'end'
    }
    // without its message, the address stays where the person is
    if (message === undefined && startAt !== undefined) return
    void begin().then(place => isCurrent && setStartAt(place))
    return () => {
      isCurrent = false
    }
  }, [store, message])
  return startAt
}
