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
  const { store, items } = messages
  const [editing, setEditing] = useState<string>()
  const [menu, setMenu] = useState<{ message: Message; button: HTMLElement }>()
  const [placed, setPlaced] = useState<string>()
  // biome-ignore lint/correctness/useExhaustiveDependencies: another beginning takes the person there
  useEffect(() => setPlaced(undefined), [startAt])
  const { outbox, pending } = usePending(channel.id, threadId, messages)
  const actions = useMessageActions({
    channel,
    names: audience.names,
    edit: setEditing,
    put: store.put,
    openThread,
    markUnread: marker?.markUnread,
  })
  const names = useAuthorNames(items, audience.names)
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
  useMessageKeys({ items, actions, edit: setEditing, openThread, hasMarker: marker !== undefined, threadId })
  function editLast(): void {
    // a channel shows replies in one line, without a field
    const isShown = (one: Message) => threadId !== undefined || one.parentMessageId === null
    setEditing(items.findLast(one => actions.mayEdit(one) && isShown(one))?.id)
  }
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
        pending={<PendingRows pending={pending} names={names} outbox={outbox} />}
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
            onEditLast={editLast}
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

/** The outbox of the person here, and the messages in it that have not arrived yet. */
function usePending(channelId: string, threadId: string | undefined, { items, store }: Messages) {
  const { caller } = useOrganization()
  const outbox = useOutbox({ channelId, threadId }, message => store.put(message))
  const pending = notArrived(outbox.pending, items, caller.person.id)
  const { discard } = outbox
  useEffect(() => {
    // posted after all: only its answer was lost
    for (const message of outbox.pending) if (message.isFailed && !pending.includes(message)) discard(message)
  })
  return { outbox, pending }
}

/** The messages that are being sent. */
function PendingRows({
  pending,
  names,
  outbox,
}: Pick<ReturnType<typeof usePending>, 'pending' | 'outbox'> & { names: Audience['names'] }) {
  const { caller } = useOrganization()
  return pending.map(message => (
    <PendingRow
      key={message.key}
      message={message}
      author={caller.person.name}
      names={names}
      outbox={outbox}
    />
  ))
}

/** The names of the audience and of those who have written: the same object until somebody else writes, so that messages are not drawn again. */
function useAuthorNames(items: readonly Message[], names: Audience['names']): Audience['names'] {
  const authors = authorsOf(items)
  const authorIds = authors.map(({ id }) => id).join()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the ids stand for the authors
  return useMemo(() => {
    const byId = new Map(authors.map(({ id, displayName }) => [id, displayName]))
    for (const [id, name] of names.byId) byId.set(id, name)
    return { ...names, byId }
  }, [names, authorIds])
}

/** The keys of the log: they move in it, and act on the message with the focus. */
function useMessageKeys({
  items,
  actions,
  edit,
  openThread,
  hasMarker,
  threadId,
}: Pick<ConversationProps, 'openThread' | 'threadId'> & {
  items: readonly Message[]
  actions: ReturnType<typeof useMessageActions>
  edit: (messageId: string) => void
  hasMarker: boolean
}): void {
  const text = useWords(messageTexts)
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
      e: { label: text.edit, action: onFocused(one => actions.mayEdit(one) && edit(one.id)) },
      u: hasMarker ? { label: text.markUnread, action: onFocused(actions.unread) } : undefined,
    },
    threadId === undefined ? text.messages : text.replies,
  )
}
