import { useEffect, useMemo } from 'react'
import { postMessage } from '#contract/chat/messages.ts'
import type { Message } from '#contract/chat/shapes.ts'
import { needErrorTexts, statusOf, textOfError } from '../../data/errors.ts'
import { useOrganization } from '../../data/organization.tsx'
import { useCall } from '../../data/read.ts'
import { useStoredRows } from '../../data/stored-rows.ts'
import { currentTime } from '../../parts/clock.ts'
import { useLanguage } from '../../words/words.ts'
import type { PendingMessage } from './outbox.rules.ts'
import type { Conversation } from './use-messages.ts'

export type NewMessage = Pick<PendingMessage, 'content' | 'visibility' | 'readerIds' | 'fileIds'>
export type Outbox = {
  pending: readonly PendingMessage[]
  send: (message: NewMessage) => void
  retry: (message: PendingMessage) => void
  discard: (message: PendingMessage) => void
}

/** The messages of this tab whose answer is awaited; all others in the browser were not sent. */
const sending = new Set<string>()

/**
 * Posts messages, which are shown at once. A message that was not sent stays in this browser until the
 * person sends it again, with the same key, or throws it away.
 */
export function useOutbox(
  { channelId, threadId }: Conversation,
  onPosted: (message: Message) => void,
): Outbox {
  const call = useCall()
  const language = useLanguage()
  const { id: organizationId } = useOrganization()
  const rows = useStoredRows<PendingMessage>(postMessage, organizationId)
  const { put, remove, isLoaded } = rows
  const pending = useMemo(
    () =>
      rows.items
        .filter(message => message.channelId === channelId && message.threadId === threadId)
        .toSorted((a, b) => a.at - b.at),
    [rows.items, channelId, threadId],
  )
  // the tab that sent them was closed before the answer
  useEffect(() => {
    if (!isLoaded) return
    for (const message of pending)
      if (!message.isFailed && !sending.has(message.key)) put({ ...message, isFailed: true })
  }, [isLoaded, pending, put])

  async function post(message: PendingMessage): Promise<void> {
    const { key, content, visibility, readerIds, fileIds } = message
    sending.add(key)
    put({ ...message, isFailed: false, reason: undefined })
    try {
      const posted = await call(postMessage, {
        params: { id: channelId },
        body: {
          content,
          visibility,
          ...(threadId !== undefined && { parentMessageId: threadId }),
          ...(readerIds.length > 0 && { readerIds: [...readerIds] }),
          ...(fileIds.length > 0 && { fileIds: [...fileIds] }),
        },
        headers: { 'Idempotency-Key': key },
      })
      remove(key)
      onPosted(posted)
    } catch (error) {
      await needErrorTexts(language)
      const isRefused = statusOf(error) !== undefined
      put({ ...message, isFailed: true, reason: isRefused ? textOfError(error, language) : undefined })
    } finally {
      sending.delete(key)
    }
  }
  return {
    pending,
    send: message =>
      void post({
        ...message,
        key: crypto.randomUUID(),
        channelId,
        threadId,
        at: currentTime(),
        isFailed: false,
      }),
    retry: message => void post(message),
    discard: ({ key }) => remove(key),
  }
}
