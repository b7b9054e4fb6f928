import { type KeyboardEvent, useEffect, useState } from 'react'
import { type FoundCard, findCard } from './board.rules.ts'
import type { useBoardMoves } from './board-moves.ts'
import type { BoardProps } from './board-props.ts'

type CardKeysOptions<Card extends object> = Pick<BoardProps<Card>, 'columns' | 'cardKey'> &
  Pick<ReturnType<typeof useBoardMoves<Card>>, 'root' | 'moves' | 'held'> & {
    canMove: boolean
    moveBy: (found: FoundCard<Card>, direction: -1 | 1) => void
  }

/** Moves the card with the focus by Shift and an arrow, once its former move is confirmed. Returns the listener of the board. */
export function useCardKeys<Card extends object>({
  columns,
  cardKey,
  root,
  moves,
  held,
  canMove,
  moveBy,
}: CardKeysOptions<Card>): (event: KeyboardEvent) => void {
  const [waiting, setWaiting] = useState<{ key: string; direction: -1 | 1 }>()
  useEffect(() => {
    if (!waiting || moves.has(waiting.key)) return
    setWaiting(undefined)
    const found = findCard(columns, waiting.key, cardKey)
    if (found) moveBy(found, waiting.direction)
  })
  return event => {
    const direction = event.key === 'ArrowLeft' ? -1 : event.key === 'ArrowRight' ? 1 : undefined
    if (!direction || !event.shiftKey || event.ctrlKey || event.metaKey || event.altKey || !canMove) return
    const row = (event.target as Element).closest<HTMLElement>('[data-key]')
    const key = event.target === root.current ? held.current : row?.dataset.key
    const found = findCard(columns, key, cardKey)
    if (!found) return
    event.preventDefault()
    event.stopPropagation()
    setWaiting({ key: cardKey(found.card), direction })
  }
}
