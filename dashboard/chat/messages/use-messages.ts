import { useEffect, useMemo } from 'react'
import { listMessages, listThread, readMessage } from '#contract/chat/messages.ts'
import { limits } from '#contract/limits.ts'
import { statusOf } from '../../data/errors.ts'
import { useFrames } from '../../data/frame-listeners.ts'
import { useCall } from '../../data/read.ts'
import { useStore } from '../../parts/store.ts'
import { createMessageStore, type LoadedMessages, type MessageStore } from './message-store.ts'

export type Messages = LoadedMessages & { store: MessageStore }
/** A channel, or one of its threads. */
export type Conversation = { channelId: string; threadId?: string | undefined }

/** The messages of a channel or thread, which follow what others do. The caller opens the place where it begins. */
export function useMessages({ channelId, threadId }: Conversation): Messages {
  const call = useCall()
  const store = useMemo(() => {
    const page = (query: { before?: number; after?: number }) => {
      const sized = {
        ...query,
        limit: query.after === undefined ? limits.messagesPageDefault : limits.messagesPage,
      }
      return threadId === undefined
        ? call(listMessages, { params: { id: channelId }, query: sized })
        : call(listThread, { params: { messageId: threadId }, query: sized })
    }
    return createMessageStore({
      older: before => page({ before }),
      newer: after => page({ after }),
      one: messageId =>
        call(readMessage, { params: { messageId } }).catch(error => {
          if (statusOf(error) === 404) return undefined
          throw error
        }),
    })
  }, [call, channelId, threadId])
  useEffect(() => () => store.close(), [store])
  useFrames(({ event, data }) => {
    if (event === 'resync') return void store.open(placeOf(store))
    if (data.channelId !== channelId) return
    const { messageId, seq, parentMessageId } = data as {
      messageId: string
      seq: number
      parentMessageId: string | null
    }
    const isMine = threadId === undefined || parentMessageId === threadId
    if (event === 'message-created') {
      if (isMine) store.catchUp()
      // the count of its replies
      if (threadId === undefined && parentMessageId) store.refresh(parentMessageId)
    }
    if (event === 'message-updated' || event === 'message-deleted')
      store.refresh(messageId, isMine ? seq : undefined)
  })
  const loaded = useStore(store as MessageStore & { set: never })
  return useMemo(() => ({ ...loaded, store }), [loaded, store])
}

/** Where the messages are read again after a break: at the end, or where the person was. */
function placeOf(store: MessageStore): number | undefined {
  const { items, hasNewer } = store.get()
  return hasNewer ? items[Math.floor(items.length / 2)]?.seq : undefined
}
