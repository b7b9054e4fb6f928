import { useState } from 'react'
import type { OwnChannel } from '#contract/chat/channels.ts'
import { editMessage } from '#contract/chat/messages.ts'
import type { Message, MessageVisibility } from '#contract/chat/shapes.ts'
import { textOfError } from '../../data/errors.ts'
import { useOrganization } from '../../data/organization.tsx'
import { useAction } from '../../data/read.ts'
import type { MenuEntry, MenuGroup } from '../../parts/menu.tsx'
import { showToast } from '../../parts/toasts.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import { useManages } from '../channels/channel-rights.ts'
import { lineOf, type Names } from './chat-text.rules.ts'
import { messageTexts } from './message.words.ts'

/** A question before a message is deleted, or read by others than before. */
export type MessageQuestion = { kind: 'delete' | 'show' | 'hide'; message: Message }

type Options = {
  channel: OwnChannel
  names: Names
  edit: (messageId: string) => void
  /** Shows a message as it is now. */
  put: (message: Message) => void
  openThread?: ((messageId: string) => void) | undefined
  markUnread?: ((message: Message) => Promise<void>) | undefined
}

/** The actions that a person may take on a message, for its menu and its keys. */
export function useMessageActions({ channel, names, edit, put, openThread, markUnread }: Options) {
  const text = useWords(messageTexts)
  const language = useLanguage()
  const { address } = useOrganization()
  const [question, setQuestion] = useState<MessageQuestion>()
  const change = useAction(editMessage, { refreshes: [] })
  const manages = useManages()(channel)
  const failed = (error: unknown) => showToast({ kind: 'failed', text: textOfError(error, language) })

  function isOwn({ author }: Message): boolean {
    return author.id === names.ownId && author.kind !== 'APP'
  }
  const mayEdit = (message: Message) =>
    isOwn(message) && message.deletedAt === null && !channel.isArchived && channel.role !== null
  const mayDelete = (message: Message) =>
    message.deletedAt === null && !channel.isArchived && (isOwn(message) || manages)

  async function copy(words: string): Promise<void> {
    try {
      await navigator.clipboard.writeText(words)
      showToast({ text: text.copied })
    } catch {
      showToast({ kind: 'failed', text: text.notCopied })
    }
  }
  function setVisibility(message: Message, visibility: MessageVisibility): void {
    change.mutate(
      { params: { messageId: message.id }, body: { visibility } },
      { onSuccess: put, toastsFailure: true },
    )
  }
  function unread(message: Message): void {
    void markUnread?.(message).catch(failed)
  }
  function visibilities(message: Message): MenuEntry[] {
    if (!mayEdit(message) || message.author.kind === 'AI') return []
    const { visibility } = message
    return [
      ...(visibility === 'VISIBLE'
        ? []
        : [
            {
              id: 'show',
              label: text.makeVisible,
              icon: 'eye' as const,
              onAction: () => setQuestion({ kind: 'show', message }),
            },
          ]),
      ...(visibility === 'VISIBLE'
        ? [
            {
              id: 'internal',
              label: text.makeInternal,
              icon: 'hidden' as const,
              onAction: () => setVisibility(message, 'INTERNAL'),
            },
          ]
        : []),
      ...(visibility === 'PRIVATE'
        ? []
        : [
            {
              id: 'hide',
              label: text.makePrivate,
              icon: 'lock' as const,
              onAction: () => setQuestion({ kind: 'hide', message }),
            },
          ]),
    ]
  }
  function groupsOf(message: Message): MenuGroup[] {
    const { id, parentMessageId, content } = message
    const link = `${location.origin}/o/${encodeURIComponent(address)}/channels/${channel.id}?message=${id}`
    const main: (MenuEntry | false)[] = [
      openThread !== undefined && {
        id: 'reply',
        label: text.reply,
        icon: 'reply',
        shortcut: 'r',
        onAction: () => openThread(parentMessageId ?? id),
      },
      mayEdit(message) && {
        id: 'edit',
        label: text.edit,
        icon: 'edit',
        shortcut: 'e',
        onAction: () => edit(id),
      },
      {
        id: 'text',
        label: text.copyText,
        icon: 'copy',
        onAction: () => void copy(lineOf(content ?? '', names)),
      },
      { id: 'link', label: text.copyLink, icon: 'link', onAction: () => void copy(link) },
      markUnread !== undefined && {
        id: 'unread',
        label: text.markUnread,
        icon: 'circle',
        shortcut: 'u',
        onAction: () => unread(message),
      },
    ]
    return [
      { id: 'main', entries: main.filter(entry => entry !== false) },
      { id: 'visibility', entries: visibilities(message) },
      {
        id: 'end',
        entries: mayDelete(message)
          ? [
              {
                id: 'delete',
                label: text.remove,
                icon: 'trash',
                isDangerous: true,
                onAction: () => setQuestion({ kind: 'delete', message }),
              },
            ]
          : [],
      },
    ]
  }
  return { groupsOf, mayEdit, unread, question, ask: setQuestion }
}
