import { useEffect, useMemo, useRef } from 'react'
import type { CellColumn } from './item-cells.ts'

/** Focuses a cell now if it is there, else after the next drawing. */
export function useCellFocus() {
  const table = useRef<HTMLDivElement>(null)
  const wanted = useRef<string>(undefined)
  const focus = useMemo(
    () => () => {
      const cell = wanted.current && table.current?.querySelector<HTMLInputElement>(wanted.current)
      if (cell) cell.focus()
    },
    [],
  )
  useEffect(() => {
    if (wanted.current === undefined) return
    focus()
    wanted.current = undefined
  })
  const focusLater = useMemo(
    () => (key: string, column: CellColumn) => {
      wanted.current = `[data-row="${key}"][data-column="${column}"]`
      focus()
    },
    [focus],
  )
  return { table, focusLater }
}
