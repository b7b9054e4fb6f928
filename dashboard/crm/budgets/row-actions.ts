import type { KeyboardEvent } from 'react'
import type { CellColumn, ItemRow } from './item-cells.ts'

/** The actions of the keys and the menu of a row. */
export type RowActions = {
  change: (row: ItemRow) => void
  duplicate: (key: string) => void
  move: (key: string, by: -1 | 1) => void
  remove: (key: string) => void
  /** Returns false if the text has a single cell, which the browser pastes itself. */
  paste: (key: string, column: CellColumn, text: string) => boolean
  /** Handles a key in a cell. */
  onKey: (event: KeyboardEvent<HTMLInputElement>, key: string, column: CellColumn) => void
}
