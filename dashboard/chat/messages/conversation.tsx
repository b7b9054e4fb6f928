import { type ReactNode, useEffect, useMemo, useState } from 'react'
import type { OwnChannel } from '#contract/chat/channels.ts'
import type { Message } from '#contract/chat/shapes.ts'
import { textOfError } from '../../data/errors.ts'
import { useOrganization } from '../../data/organization.tsx'
import { useShortcuts } from '../../data/shortcuts.ts'
import { Button } from '../../parts/button.tsx'
import { late } from '../../parts/late.tsx'
import { Problem, Skeleton } from '../../parts/states.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import styles from '../channels/channels.module.css'
import { Composer } from '../composer/composer.tsx'
import type { Audience } from '../composer/use-audience.ts'
import { focusedMessage, moveInLog } from './log-focus.ts'
import { authorsOf } from './log-rows.rules.ts'
import { messageTexts } from './message.words.ts'
import { MessageLog } from './message-log.tsx'
import { notArrived } from './outbox.rules.ts'
import { useOutbox } from './outbox.ts'
import { PendingRow } from './pending-row.tsx'
import { useMessageActions } from './use-message-actions.ts'
import type { Messages } from './use-messages.ts'
import type { ReadMarker } from './use-read-marker.ts'

const MenuAt = late(() => import('../../parts/menu.tsx').then(menu => menu.MenuAt))
const MessageQuestion = late(() =>
  import('./message-question.tsx').then(question => question.MessageQuestion),
)

export type ConversationProps = {
  channel: OwnChannel
  threadId?: string | undefined
  messages: Messages
  audience: Audience
  marker?: ReadMarker | undefined
  startAt: string | undefined
  highlighted?: string | undefined
  openThread?: ((messageId: string) => void) | undefined
  placeholder: string
  /** Replaces the composer where nobody can write. */
  closed?: ReactNode
  children?: ReactNode
}

/** The log of a channel or thread, and where a person writes in it. */
export function Conversation(props: ConversationProps) {
  const { channel, threadId, messages, audience, marker, startAt, openThread, closed } = props
  const text = useWords(messageTexts)
  const language = useLanguage()
  const { caller } = useOrganization()
  const { store, items } = messages
  const [editing, setEditing] = useState<string>()
  const [menu, setMenu] = useState<{ message: Message; button: HTMLElement }>()
  const [placed, setPlaced] = useState<string>()
  // biome-ignore lint/correctness/useExhaustiveDependencies: another beginning takes the person there
  useEffect(() => setPlaced(undefined), [startAt])
  const outbox = useOutbox({ channelId: channel.id, threadId }, message => store.put(message))
  const pending = notArrived(outbox.pending, items, caller.person.id)
  const { discard } = outbox
  useEffect(() => {
    // posted after all: only its answer was lost
    for (const message of outbox.pending) if (message.isFailed && !pending.includes(message)) discard(message)
  })
  const actions = useMessageActions({
    channel,
    names: audience.names,
    edit: setEditing,
    put: store.put,
    openThread,
    markUnread: marker?.markUnread,
  })
  const authors = authorsOf(items)
  const authorIds = authors.map(({ id }) => id).join()
  // the same object until somebody else writes, so that messages are not drawn again
  // biome-ignore lint/correctness/useExhaustiveDependencies: the ids stand for the authors
  const names = useMemo(() => {
    const byId = new Map(authors.map(({ id, displayName }) => [id, displayName]))
    for (const [id, name] of audience.names.byId) byId.set(id, name)
    return { ...audience.names, byId }
  }, [audience.names, authorIds])
  const rowActions = useMemo(
    () => ({
      openThread: (id: string) => openThread?.(id),
      openMenu: (message: Message, button: HTMLElement) => setMenu({ message, button }),
      stopEditing(saved?: Message) {
        if (saved) store.put(saved)
        setEditing(undefined)
      },
      focus: () => {},
    }),
    [openThread, store],
  )
  const onFocused = (act: (message: Message) => void) => () => {
    const message = items.find(({ id }) => id === focusedMessage())
    if (message) act(message)
  }
  useShortcuts(
    {
      j: { label: text.next, action: () => moveInLog(1) },
      k: { label: text.previous, action: () => moveInLog(-1) },
      r: openThread && {
        label: text.reply,
        action: onFocused(({ id, parentMessageId }) => openThread(parentMessageId ?? id)),
      },
      e: { label: text.edit, action: onFocused(one => actions.mayEdit(one) && setEditing(one.id)) },
      u: marker && { label: text.markUnread, action: onFocused(actions.unread) },
    },
    threadId === undefined ? text.messages : text.replies,
  )
  if (messages.error && items.length === 0)
    return (
      <Problem
        title={textOfError(messages.error, language)}
        action={<Button onPress={() => void store.open()}>{text.again}</Button>}
      />
    )
  return (
    <div className={styles.conversation}>
      {messages.isLoading && <Skeleton rows={8} label={text.reading} />}
      <MessageLog
        messages={messages}
        names={names}
        actions={rowActions}
        isThread={threadId !== undefined}
        startAt={placed ?? startAt}
        newAfter={marker?.newAfter}
        highlighted={props.highlighted}
        editing={editing}
        pending={pending.map(message => (
          <PendingRow
            key={message.key}
            message={message}
            author={caller.person.name}
            names={names}
            outbox={outbox}
          />
        ))}
        {...(marker && { onSeen: marker.see, onMissed: marker.miss })}
      >
        {props.children}
      </MessageLog>
      <div className={styles.foot}>
        {closed || (
          <Composer
            channel={channel}
            threadId={threadId}
            audience={audience}
            placeholder={props.placeholder}
            onSend={message => {
              outbox.send(message)
              // the person sees what they wrote, wherever they were
              setPlaced(`end ${pending.length} ${items.at(-1)?.seq}`)
              if (messages.hasNewer) void store.open()
            }}
            onEditLast={() =>
              setEditing(
                // a channel shows replies in one line, without a field
                items.findLast(
                  one => actions.mayEdit(one) && (threadId !== undefined || one.parentMessageId === null),
                )?.id,
              )
            }
          />
        )}
      </div>
      {menu && (
        <MenuAt
          label={text.actions}
          button={menu.button}
          groups={actions.groupsOf(menu.message)}
          onClose={() => setMenu(undefined)}
        />
      )}
      {actions.question && (
        <MessageQuestion
          question={actions.question}
          audience={audience}
          onDone={store.put}
          onClose={() => actions.ask(undefined)}
        />
      )}
    </div>
  )
}
