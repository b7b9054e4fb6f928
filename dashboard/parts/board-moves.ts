import { useEffect, useRef, useState } from 'react'
import { useWords } from '../words/words.ts'
import type { BoardMove } from './board.rules.ts'
import { boardTexts } from './board.words.ts'
import type { BoardProps } from './board-props.ts'
import { showToast } from './toasts.tsx'

/** Moves cards: the new column shows a card at once, also while its move is not confirmed, and the focus stays on it. */
export function useBoardMoves<Card extends object>({
  cardKey,
  cardLabel,
  onMove,
}: Pick<BoardProps<Card>, 'cardKey' | 'cardLabel' | 'onMove'>) {
  const text = useWords(boardTexts)
  const root = useRef<HTMLDivElement>(null)
  const [moves, setMoves] = useState<ReadonlyMap<string, BoardMove<Card>>>(new Map())
  /** The card that receives the focus once it is drawn in its column. */
  const [toFocus, setToFocus] = useState<{ key: string }>()
  /** The card that keys on the board itself are meant for: a moved one that has no focus yet. */
  const held = useRef<string>(undefined)

  useEffect(() => {
    if (!toFocus) return
    const frame = requestAnimationFrame(() => {
      root.current?.querySelector<HTMLElement>(`[data-key="${CSS.escape(toFocus.key)}"]`)?.focus()
    })
    return () => cancelAnimationFrame(frame)
  }, [toFocus])

  /** Lets the board itself have the focus while the card is drawn elsewhere, so that no key is lost or meets another card. */
  function hold(key: string): void {
    held.current = key
    root.current?.focus({ preventScroll: true })
    setToFocus({ key })
  }

  async function move(card: Card, to: string): Promise<void> {
    const key = cardKey(card)
    // a card moves again once it is known where it is
    if (!onMove || moves.has(key)) return
    hold(key)
    setMoves(former => new Map(former).set(key, { card, to }))
    const reason = await onMove(card, to)
    const focused = document.activeElement
    // not if the person went on to something else: a question about the move is closed by now
    const isFree = focused === document.body || focused === root.current
    const isOfCard = focused?.closest<HTMLElement>('[data-key]')?.dataset.key === key
    const isOfQuestion = Boolean(focused?.closest('[role="dialog"], [role="alertdialog"]'))
    setMoves(former => new Map([...former].filter(([other]) => other !== key)))
    if (isFree || isOfCard || isOfQuestion) hold(key)
    if (reason !== undefined) showToast({ kind: 'failed', text: text.refused(cardLabel(card), reason) })
  }

  return { root, moves, move, held }
}
