import { useEffect, useState } from 'react'
import type { OwnChannel } from '#contract/chat/channels.ts'
import { readMessage } from '#contract/chat/messages.ts'
import { useRead } from '../../data/read.ts'
import { ReadingSection } from '../../data/reading-section.tsx'
import { Sheet } from '../../parts/sheet.tsx'
import { useWords } from '../../words/words.ts'
import styles from '../channels/channels.module.css'
import { ClosedNotice } from '../channels/closed-notice.tsx'
import { composerTexts } from '../composer/composer.words.ts'
import type { Audience } from '../composer/use-audience.ts'
import { Conversation } from '../messages/conversation.tsx'
import { MessageRow } from '../messages/message.tsx'
import { messageTexts } from '../messages/message.words.ts'
import { useMessages } from '../messages/use-messages.ts'
import { threadTexts } from './threads.words.ts'

const noActions = { openThread: () => {}, openMenu: () => {}, stopEditing: () => {}, focus: () => {} }

/** A thread beside its channel: the message that started it, and the replies. */
export function ThreadSheet({
  channel,
  threadId,
  highlighted,
  audience,
  title,
  onClose,
}: {
  channel: OwnChannel
  threadId: string
  highlighted: string | undefined
  audience: Audience
  /** The name of the channel. */
  title: string
  onClose: () => void
}) {
  const text = useWords(threadTexts)
  const { writeReply } = useWords(composerTexts)
  const { replyCount } = useWords(messageTexts)
  const root = useRead(readMessage, { params: { messageId: threadId } })
  const messages = useMessages({ channelId: channel.id, threadId })
  const { store } = messages
  const [startAt, setStartAt] = useState<string>()
  useEffect(() => {
    let isCurrent = true
    void store.open().then(() => isCurrent && setStartAt(highlighted ?? 'end'))
    return () => {
      isCurrent = false
    }
  }, [store, highlighted])
  const sheet = { title: text.thread, about: title, onClose }
  if (!root.data)
    return (
      <Sheet {...sheet}>
        <ReadingSection error={root.error} label={text.reading} />
      </Sheet>
    )
  const isGone = root.data.deletedAt !== null
  const replies = Math.max(root.data.replyCount, messages.items.length)
  return (
    <Sheet {...sheet} isFilled>
      <Conversation
        channel={channel}
        threadId={threadId}
        messages={messages}
        audience={audience}
        startAt={startAt}
        highlighted={highlighted}
        placeholder={writeReply}
        closed={
          channel.isArchived ? (
            <ClosedNotice channel={channel} />
          ) : (
            isGone && <div className={styles.closed}>{text.deleted}</div>
          )
        }
      >
        <div className={styles.root}>
          <MessageRow
            message={root.data}
            isContinued={false}
            isInThread
            isEditing={false}
            isHighlighted={false}
            isTabStop={false}
            hasTools={false}
            names={audience.names}
            actions={noActions}
          />
          {replies > 0 && <p className={styles.rootLine}>{replyCount(replies)}</p>}
        </div>
      </Conversation>
    </Sheet>
  )
}
