import type { ReactNode } from 'react'

export type SortDirection = 'ascending' | 'descending'

/** A column of a Grid. Make the list of columns once (a constant, or `useMemo`), so that rows are not drawn again. */
export type Column<Row> = {
  id: string
  title: string
  /** The title is only for screen readers. */
  isTitleHidden?: boolean
  /** A track of CSS grid: `116px`, `minmax(0, 2fr)`. Without it, a share of the remaining width. */
  width?: string
  align?: 'end'
  /** The name of the order by which the server sorts this column; two names if it sorts both ways. */
  sort?: string | { ascending: string; descending: string }
  /** The direction of the only order; without it, descending. */
  sortDirection?: SortDirection
  /** Its place in the two lines of a row on a phone. Without it, the first column is the title and others are hidden. */
  phone?: 'title' | 'end' | 'below' | 'belowEnd' | 'hidden'
  /** `noValue` if there is none. */
  cell: (row: Row) => ReactNode
  /** The content on a phone, where no title says what it is; without it, that of `cell`. */
  phoneCell?: (row: Row) => ReactNode
}

/** The content of a cell without a value. A row on a phone leaves it out. */
export const noValue = '–'

export type PhonePlace = NonNullable<Column<unknown>['phone']>

/** The place of the column in a row on a phone. */
export function phonePlaceOf<Row>(column: Column<Row>, index: number): PhonePlace {
  return column.phone ?? (index === 0 ? 'title' : 'hidden')
}

/** The orders in which the server sorts by this column: none, one, or one for each direction. */
export function ordersOf<Row>({
  sort,
  sortDirection = 'descending',
}: Column<Row>): readonly { order: string; direction: SortDirection }[] {
  if (sort === undefined) return []
  if (typeof sort === 'string') return [{ order: sort, direction: sortDirection }]
  return [
    { order: sort.ascending, direction: 'ascending' },
    { order: sort.descending, direction: 'descending' },
  ]
}

/** The direction in which the rows are sorted by this column, or undefined. */
export function directionOf<Row>(
  column: Column<Row>,
  current: string | undefined,
): SortDirection | undefined {
  return ordersOf(column).find(({ order }) => order === current)?.direction
}

/** The order that a press on the title of the column chooses, or undefined if the column does not sort. */
export function nextSort<Row>(column: Column<Row>, current: string | undefined): string | undefined {
  const orders = ordersOf(column).map(({ order }) => order)
  return orders[(orders.indexOf(current ?? '') + 1) % orders.length]
}

/** The tracks of a row on a wide screen, as a value of `grid-template-columns`. */
export function tracksOf<Row>(
  columns: readonly Column<Row>[],
  { hasSelection, hasActions }: { hasSelection: boolean; hasActions: boolean },
): string {
  return [
    ...(hasSelection ? ['48px'] : []),
    ...columns.map(({ width }) => width ?? 'minmax(96px, 1fr)'),
    ...(hasActions ? ['40px'] : []),
  ].join(' ')
}
