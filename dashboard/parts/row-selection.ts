import { useState } from 'react'

const nothing: ReadonlySet<string> = new Set()

/** The key of the row of a list that has the focus. */
export function focusedRowKey(): string | undefined {
  return document.activeElement?.closest<HTMLElement>('[data-row-key]')?.dataset.rowKey
}

/** The selection of a list, and the rows on which a key acts. `openId` is the row whose sheet is open. */
export function useRowSelection<Row extends { id: string }>(
  rows: readonly Row[],
  openId: string | undefined,
) {
  const [selection, select] = useState(nothing)
  // a row that left the list is not selected any more
  const selected = rows.filter(({ id }) => selection.has(id))
  return {
    selection,
    select,
    selected,
    clear: () => select(nothing),
    /** The selected rows; without a selection the one with the focus, or the open one. */
    chosen(): readonly Row[] {
      if (selected.length > 0) return selected
      const chosenId = focusedRowKey() ?? openId
      return rows.filter(({ id }) => id === chosenId)
    },
  }
}
