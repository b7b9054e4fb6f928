import type { ReactNode } from 'react'

/** A column of a board, with the cards that were read so far. */
export type BoardColumn<Card> = {
  id: string
  title: string
  /** The title as the screen shows it: `<Status>`. */
  head?: ReactNode
  /** Below the title: sums, a note. */
  about?: ReactNode
  cards: readonly Card[]
  /** How many there are on the server. */
  total: number | undefined
  isLoading?: boolean
  /** Replaces the cards: `<Problem>`. */
  error?: ReactNode
  hasMore?: boolean
  isLoadingMore?: boolean
  loadMore?: () => void
}

export type BoardProps<Card extends object> = {
  /** Names the board for screen readers: “Leads”. */
  label: string
  columns: readonly BoardColumn<Card>[]
  cardKey: (card: Card) => string
  /** The title of a card. */
  cardLabel: (card: Card) => string
  /** Where a press on a card or Enter leads to. */
  cardHref?: (card: Card) => string | undefined
  /** Below the title. */
  children: (card: Card) => ReactNode
  /** Why a card cannot move to a column; undefined if it can. */
  obstacleOf?: (card: Card, columnId: string) => string | undefined
  /**
   * Moves a card to a column, which shows it at once. When the promise resolves, the card is where `columns` have it;
   * with a text, the move was refused for that reason. Without it, nobody can move cards.
   */
  onMove?: ((card: Card, columnId: string) => Promise<string | undefined>) | undefined
}
