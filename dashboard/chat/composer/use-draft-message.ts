import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import { deleteDraft, listDrafts, readDraft, saveDraft } from '#contract/chat/drafts.ts'
import { postMessage } from '#contract/chat/messages.ts'
import type { MessageVisibility } from '#contract/chat/shapes.ts'
import { useDraft } from '../../data/drafts.ts'
import { useOrganization } from '../../data/organization.tsx'
import { keyOf, useCall, useRead } from '../../data/read.ts'
import type { Conversation } from '../messages/use-messages.ts'

/** A message that was not sent; mentions are ids. */
export type DraftMessage = {
  content: string
  visibility: MessageVisibility
  readerIds: readonly string[]
}
const saveAfterMs = 800

/**
 * The draft of a channel or thread: on this device with its readers, and on the server for the other devices, which learn
 * the words alone (MSG-16). `found` is what the composer begins with; undefined until both are known.
 */
export function useDraftMessage({ channelId, threadId }: Conversation) {
  const call = useCall()
  const cache = useQueryClient()
  const { id: organizationId } = useOrganization()
  const query = threadId === undefined ? {} : { parentMessageId: threadId }
  const target = useRef({ params: { id: channelId }, query })
  const device = useDraft<typeof postMessage, DraftMessage>(postMessage, `${channelId} ${threadId ?? ''}`)
  const server = useRead(readDraft, { params: { id: channelId }, query }, { staleMs: 0 })
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const waiting = useRef<string>(undefined)
  const saved = useRef<string>(undefined)
  // one change after the other: a late save must not bring back what was sent
  const last = useRef(Promise.resolve())

  const write = useCallback(() => {
    clearTimeout(timer.current)
    timer.current = undefined
    const content = waiting.current
    waiting.current = undefined
    if (content === undefined || content === (saved.current ?? '')) return
    const isListed = (saved.current ?? '') === '' || content === ''
    saved.current = content
    const { params, query: ofThread } = target.current
    last.current = last.current
      .then(async () => {
        if (content === '') await call(deleteDraft, { params, query: ofThread })
        else await call(saveDraft, { params, body: { content, ...ofThread } })
      })
      // the device has it
      .catch(() => {})
      .then(() => {
        if (isListed) void cache.invalidateQueries({ queryKey: keyOf(organizationId, listDrafts) })
      })
  }, [call, cache, organizationId])
  useEffect(() => write, [write])

  const { save: saveOnDevice, clear: clearOnDevice, isLoaded, values, savedAt } = device
  const [found, setFound] = useState<DraftMessage & { isFromElsewhere: boolean }>()
  const isKnown = isLoaded && !server.isPending
  useEffect(() => {
    if (!isKnown || found) return
    const elsewhere = server.data?.content ?? ''
    saved.current = elsewhere
    const isLater = Date.parse(server.data?.updatedAt ?? '') > (savedAt ?? 0)
    const isOwn = values !== undefined && (values.content === elsewhere || !isLater || elsewhere === '')
    const rest = {
      visibility: values?.visibility ?? ('VISIBLE' as const),
      readerIds: values?.readerIds ?? [],
    }
    setFound(
      isOwn
        ? { ...rest, content: values.content, isFromElsewhere: false }
        : { ...rest, content: elsewhere, isFromElsewhere: elsewhere !== '' },
    )
  }, [isKnown, found, server.data, values, savedAt])

  return {
    found,
    save: (draft: DraftMessage) => {
      // the chosen readers stay for the next message
      if (draft.content.trim() === '' && draft.visibility === 'VISIBLE') clearOnDevice()
      else saveOnDevice(draft)
      waiting.current = draft.content.trim() === '' ? '' : draft.content
      timer.current ??= setTimeout(write, saveAfterMs)
    },
    /** After sending: nothing is left, here or elsewhere. */
    clear: (next: Omit<DraftMessage, 'content'>) => {
      if (next.visibility === 'VISIBLE') clearOnDevice()
      else saveOnDevice({ ...next, content: '' })
      waiting.current = ''
      write()
    },
  }
}
