import { type CellColumn, cellColumns } from './item-cells.ts'

/** The action of a key in a cell. */
export type CellAction =
  | { kind: 'focus'; key: string; column: CellColumn }
  | { kind: 'add' }
  | { kind: 'duplicate' }
  | { kind: 'move'; by: -1 | 1 }

/** The parts of a keyboard event in a cell that decide. */
type CellKey = {
  key: string
  altKey: boolean
  ctrlKey: boolean
  metaKey: boolean
  shiftKey: boolean
  currentTarget: { value: string; selectionStart: number | null; selectionEnd: number | null }
}

/**
 * The action of a key in a cell, as in a spreadsheet; undefined for keys that belong to the field or the browser. `keys`:
 * the rows from top to bottom. Left and right leave a cell at the end of its text, or while all of it is selected.
 */
export function cellOfKey(
  event: CellKey,
  keys: readonly string[],
  key: string,
  column: CellColumn,
): CellAction | undefined {
  const at = keys.indexOf(key)
  const isUp = event.key === 'ArrowUp'
  const isVertical = isUp || event.key === 'ArrowDown'
  if (event.ctrlKey || event.metaKey)
    return event.key.toLowerCase() === 'd' && !event.altKey ? { kind: 'duplicate' } : undefined
  if (event.altKey) return isVertical ? { kind: 'move', by: isUp ? -1 : 1 } : undefined
  const focus = (to: string | undefined, columnTo: CellColumn | undefined): CellAction | undefined =>
    to === undefined || columnTo === undefined ? undefined : { kind: 'focus', key: to, column: columnTo }
  if (event.key === 'Enter') {
    const to = keys[at + (event.shiftKey ? -1 : 1)]
    if (to === undefined && !event.shiftKey) return { kind: 'add' }
    return focus(to ?? key, column)
  }
  if (event.shiftKey) return undefined
  if (isVertical) return focus(keys[at + (isUp ? -1 : 1)] ?? key, column)
  const { value, selectionStart, selectionEnd } = event.currentTarget
  const isAll = selectionStart === 0 && selectionEnd === value.length
  const place = cellColumns.indexOf(column)
  if (event.key === 'ArrowLeft' && (isAll || selectionEnd === 0)) return focus(key, cellColumns[place - 1])
  if (event.key === 'ArrowRight' && (isAll || selectionStart === value.length))
    return focus(key, cellColumns[place + 1])
  return undefined
}
