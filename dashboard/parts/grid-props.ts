import type { ReactNode } from 'react'
import type { Column } from './grid-column.ts'
import type { MenuEntry, MenuGroup } from './menu.tsx'

export type GridProps<Row> = {
  /** Names the list for screen readers: “Leads”. */
  label: string
  /** The same list on every render: a constant, or `useMemo`. */
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  rowKey: (row: Row) => string
  /** Names a row in what screen readers say about its checkbox and its menu. */
  rowLabel?: (row: Row) => string
  /** The page of a row: its first cell is a link to it, and `o` opens it. */
  rowHref?: (row: Row) => string
  /** Opens the details of a row beside the list: a press on it, or Enter. */
  onOpen?: (row: Row) => void
  /** The key of the row whose details are open. */
  current?: string | undefined
  /** The current order, one of those that the columns name. Only the server sorts. */
  sort?: string | undefined
  onSort?: (order: string) => void
  selection?: ReadonlySet<string>
  onSelect?: (selection: ReadonlySet<string>) => void
  rowMenu?: (row: Row) => readonly MenuGroup[] | readonly MenuEntry[]
  /** How many there are on the server, which counts at most 10,000. */
  total?: number | undefined
  isLoading?: boolean
  hasMore?: boolean
  isLoadingMore?: boolean
  loadMore?: () => void
  /** How many rows others have created since. A line above the list announces them, and `onShowNew` shows them. */
  newCount?: number
  onShowNew?: () => void
  /** Replaces the rows: `<Problem>`. */
  error?: ReactNode
  /** Replaces the rows when there are none: `<Empty>`. */
  empty?: ReactNode
  /** `fill`: as high as its container. `content`: as high as its rows, for a short list within a page. */
  height?: 'fill' | 'content'
}

/** The menu of a grid that is open: the actions of a row, or the orders on a phone. */
export type GridMenu = { label: string; button: HTMLElement; groups: readonly MenuGroup[] }
