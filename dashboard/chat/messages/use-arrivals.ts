import { useEffect, useRef, useState } from 'react'
import type { Message } from '#contract/chat/shapes.ts'
import { useWords } from '../../words/words.ts'
import { messageTexts } from './message.words.ts'
import type { LoadedMessages } from './message-store.ts'

/** Screen readers hear what arrived within this time together. */
const collectMs = 3_000

/** The messages of others that arrived: how many of them below what is shown, and what screen readers say about them. */
export function useArrivals(
  { items, hasNewer, isLoading }: LoadedMessages,
  ownId: string,
  isFollowing: boolean,
  onMissed: (() => void) | undefined,
): { missed: number; spoken: string } {
  const text = useWords(messageTexts)
  const [missed, setMissed] = useState(0)
  const [spoken, setSpoken] = useState('')
  const known = useRef<{ seq: number; hasNewer: boolean }>(undefined)
  const collected = useRef<Message[]>([])
  const latest = useRef({ isFollowing, onMissed })
  useEffect(() => {
    latest.current = { isFollowing, onMissed }
  })
  const last = items.at(-1)?.seq
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a later message is news
  useEffect(() => {
    if (isLoading) return
    const former = known.current
    known.current = { seq: last ?? 0, hasNewer }
    // messages that were there before are read page by page
    if (!former || former.hasNewer) return
    const arrived = items.filter(({ seq, author }) => seq > former.seq && author.id !== ownId)
    if (arrived.length === 0) return
    const isSeen = latest.current.isFollowing && document.visibilityState === 'visible'
    if (!isSeen) {
      latest.current.onMissed?.()
      setMissed(count => count + arrived.length)
    }
    if (collected.current.length === 0) setTimeout(say, collectMs)
    collected.current.push(...arrived)
  }, [last, hasNewer, isLoading])
  useEffect(() => {
    if (isFollowing) setMissed(0)
  }, [isFollowing])

  function say(): void {
    const [first, ...others] = collected.current.splice(0)
    if (!first) return
    setSpoken(
      others.length === 0
        ? `${first.author.displayName}: ${first.content ?? text.deleted}`
        : text.arrived(others.length + 1),
    )
  }
  return { missed, spoken }
}
