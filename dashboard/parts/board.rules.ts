import type { BoardColumn } from './board-props.ts'

/** A card that was moved and whose move is not confirmed yet. */
export type BoardMove<Card> = { card: Card; to: string }

/** A column of a board with the moves on their way: cards that come are first, and the total counts them. */
export function withMoves<Card>(
  column: BoardColumn<Card>,
  moves: ReadonlyMap<string, BoardMove<Card>>,
  keyOf: (card: Card) => string,
): BoardColumn<Card> {
  if (moves.size === 0) return column
  const keys = new Set(column.cards.map(keyOf))
  const coming = [...moves].filter(([key, { to }]) => to === column.id && !keys.has(key))
  const staying = column.cards.filter(card => (moves.get(keyOf(card))?.to ?? column.id) === column.id)
  const going = column.cards.length - staying.length
  return {
    ...column,
    cards: [...coming.map(([, { card }]) => card), ...staying],
    total: column.total === undefined ? undefined : column.total + coming.length - going,
  }
}

/** The nearest column at the left (-1) or right (1) of a column to which a card can move. */
export function nextColumnOf(
  columnIds: readonly string[],
  from: string,
  direction: -1 | 1,
  canMove: (columnId: string) => boolean,
): string | undefined {
  const at = columnIds.indexOf(from)
  const candidates = direction === 1 ? columnIds.slice(at + 1) : columnIds.slice(0, Math.max(at, 0)).reverse()
  return candidates.find(canMove)
}

/** A card of the board, and the column that shows it. */
export type FoundCard<Card> = { card: Card; columnId: string }

export function findCard<Card>(
  columns: readonly Pick<BoardColumn<Card>, 'id' | 'cards'>[],
  key: string | undefined,
  keyOf: (card: Card) => string,
): FoundCard<Card> | undefined {
  for (const { id, cards } of columns) {
    const card = cards.find(one => keyOf(one) === key)
    if (card) return { card, columnId: id }
  }
  return undefined
}
