import type { ReactNode } from 'react'

/** A column of a Grid. Make the list of columns once (a constant, or `useMemo`), so that rows are not drawn again. */
export type Column<Row> = {
  id: string
  title: string
  /** The title is only for screen readers. */
  isTitleHidden?: boolean
  /** A track of CSS grid: `116px`, `minmax(0, 2fr)`. Without it, a share of what is left. */
  width?: string
  align?: 'end'
  /** The name of the order by which the server sorts this column; two names if it sorts both ways. */
  sort?: string | { ascending: string; descending: string }
  /** The direction of the only order. */
  sortDirection?: 'ascending' | 'descending'
  /** Where it is in the two lines of a row on a phone. The first column is the title, the others are hidden. */
  phone?: 'title' | 'end' | 'below' | 'belowEnd' | 'hidden'
  cell: (row: Row) => ReactNode
}

export type PhonePlace = NonNullable<Column<unknown>['phone']>

/** The place of the column in a row on a phone. */
export function phonePlaceOf<Row>(column: Column<Row>, index: number): PhonePlace {
  return column.phone ?? (index === 0 ? 'title' : 'hidden')
}

/** The direction in which the rows are sorted by this column, or undefined. */
export function directionOf<Row>(
  { sort, sortDirection = 'descending' }: Column<Row>,
  current: string | undefined,
): 'ascending' | 'descending' | undefined {
  if (sort === undefined || current === undefined) return undefined
  if (typeof sort === 'string') return sort === current ? sortDirection : undefined
  if (sort.ascending === current) return 'ascending'
  return sort.descending === current ? 'descending' : undefined
}

/** The order that a press on the head of the column chooses. */
export function nextSort<Row>({ sort }: Column<Row>, current: string | undefined): string | undefined {
  if (sort === undefined || typeof sort === 'string') return sort
  return sort.ascending === current ? sort.descending : sort.ascending
}

/** The tracks of a row of the desktop, as CSS grid knows them. */
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
