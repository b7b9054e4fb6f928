import { useEffect, useRef, useState } from 'react'
import type { OwnChannel } from '#contract/chat/channels.ts'
import { limits } from '#contract/limits.ts'
import type { NewMessage } from '../messages/outbox.ts'
import { fromWire, type Mentions, toWire } from './mention.rules.ts'
import type { Audience } from './use-audience.ts'
import { type DraftMessage, useDraftMessage } from './use-draft-message.ts'
import { useFiles } from './use-files.ts'

const noMentions: Mentions = new Map()

/** The message that a person writes: its words, mentions, readers and files. It begins with the draft. */
export function useComposedMessage(
  channel: OwnChannel,
  threadId: string | undefined,
  audience: Audience,
  onSend: (message: NewMessage) => void,
) {
  const [value, setValue] = useState('')
  const [mentions, setMentions] = useState(noMentions)
  const [{ visibility, readerIds }, setReaders] = useState<Omit<DraftMessage, 'content'>>({
    visibility: 'VISIBLE',
    readerIds: [],
  })
  const [isFromElsewhere, setFromElsewhere] = useState(false)
  const { found, save, clear } = useDraftMessage({ channelId: channel.id, threadId })
  const files = useFiles(channel.id)

  // the draft comes once the names of its mentions are known, unless the person has begun to type
  const isFilled = useRef(false)
  const { isLoaded, names, applications } = audience
  useEffect(() => {
    if (!found || !isLoaded || isFilled.current) return
    isFilled.current = true
    const former = fromWire(found.content, names.byId)
    const isUnclear = found.isFromElsewhere && applications.length > 0
    setValue(now => now || former.text)
    setMentions(former.mentions)
    setFromElsewhere(isUnclear)
    // its readers are not known here: the words of a draft must not become visible by accident
    setReaders({
      visibility: isUnclear ? 'INTERNAL' : found.visibility,
      readerIds: found.readerIds,
    })
  }, [found, isLoaded, names, applications])

  const content = toWire(value, mentions)
  const tooLong = content.length - limits.messageContent
  const fileIds = files.files.flatMap(({ id }) => (id === undefined ? [] : [id]))
  const hasWords = content.trim() !== ''
  const isReady = (hasWords || fileIds.length > 0) && tooLong <= 0 && !files.isUploading

  function change(part: Partial<DraftMessage> & { mentions?: Mentions }): void {
    isFilled.current = true
    const next = { visibility, readerIds, ...part }
    const nextMentions = part.mentions ?? mentions
    const words = part.content ?? value
    setValue(words)
    setMentions(nextMentions)
    setReaders({ visibility: next.visibility, readerIds: next.readerIds })
    save({ visibility: next.visibility, readerIds: next.readerIds, content: toWire(words, nextMentions) })
  }
  function send(): void {
    const words = hasWords ? content : files.files.map(({ name }) => name).join(', ')
    onSend({
      content: words.trim(),
      visibility,
      readerIds: visibility === 'PRIVATE' ? readerIds : [],
      fileIds,
    })
    clear({ visibility, readerIds })
    setValue('')
    setMentions(noMentions)
    setFromElsewhere(false)
    files.clear()
  }
  return {
    value,
    mentions,
    visibility,
    readerIds,
    files,
    /** Whether the draft is from another device, where its readers are not known. */
    isFromElsewhere,
    /** By how many characters the message is too long; not above 0 if it is not. */
    tooLong,
    isReady,
    change,
    send,
  }
}

export type ComposedMessage = ReturnType<typeof useComposedMessage>
