import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import { listOwnChannels, type OwnChannel, readChannel } from '#contract/chat/channels.ts'
import { markUnread, moveReadMarker } from '#contract/chat/members.ts'
import type { Message } from '#contract/chat/shapes.ts'
import type { Route } from '#contract/route.ts'
import { patchRows } from '../../data/frames.patch.ts'
import { useOrganization } from '../../data/organization.tsx'
import { keyOf, useCall } from '../../data/read.ts'

const restMs = 300

export type ReadMarker = {
  /** The number after which the line of new messages stands; undefined without one. */
  newAfter: number | undefined
  /** The person has seen the messages up to this number. */
  see: (seq: number) => void
  /** Messages arrived while the person was not looking. */
  miss: () => void
  markUnread: (message: Message) => Promise<void>
}

/** Moves the read marker with the eye, and keeps the line of new messages where it was when the person came. */
export function useReadMarker({ id, readSeq, unreadCount, lastSeq }: OwnChannel): ReadMarker {
  const call = useCall()
  const { id: organizationId } = useOrganization()
  const cache = useQueryClient()
  const [newAfter, setNewAfter] = useState(unreadCount > 0 ? (readSeq ?? undefined) : undefined)
  const read = useRef(readSeq ?? lastSeq)
  const seen = useRef(0)
  // what a person marks as unread stays so until they leave the channel
  const isHeld = useRef(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)

  const patch = useCallback(
    (values: { readSeq: number; unreadCount: number }) => {
      for (const operation of [listOwnChannels, readChannel] as readonly Route[])
        cache.setQueriesData({ queryKey: keyOf(organizationId, operation) }, (former: unknown) =>
          patchRows(former, id, values),
        )
    },
    [cache, organizationId, id],
  )
  const move = useCallback(() => {
    timer.current = undefined
    const seq = seen.current
    if (seq <= read.current || isHeld.current) return
    read.current = seq
    // a failed call is repeated with the next message that is seen
    void call(moveReadMarker, { params: { id }, body: { seq } }).then(patch, () => {
      read.current = Math.min(read.current, seq - 1)
    })
  }, [call, id, patch])

  const see = useCallback(
    (seq: number) => {
      if (document.visibilityState !== 'visible' || isHeld.current) return
      seen.current = Math.max(seen.current, seq)
      if (seen.current > read.current) timer.current ??= setTimeout(move, restMs)
    },
    [move],
  )
  useEffect(
    () => () => {
      if (timer.current === undefined) return
      clearTimeout(timer.current)
      move()
    },
    [move],
  )
  return {
    newAfter,
    see,
    miss: useCallback(() => setNewAfter(former => Math.max(former ?? 0, read.current)), []),
    markUnread: async ({ id: messageId, seq }) => {
      isHeld.current = true
      clearTimeout(timer.current)
      timer.current = undefined
      try {
        patch(await call(markUnread, { params: { messageId } }))
        setNewAfter(seq - 1)
      } catch (error) {
        isHeld.current = false
        throw error
      }
    },
  }
}
