/** `mixed`: some of the rows that are loaded are selected, not all. */
export type SelectionState = 'none' | 'mixed' | 'all'

/** Whether none, some or all of the rows are selected. */
export function selectionState(keys: readonly string[], selection: ReadonlySet<string>): SelectionState {
  const count = keys.filter(key => selection.has(key)).length
  if (count === 0) return 'none'
  return count === keys.length ? 'all' : 'mixed'
}

/** All rows that are loaded, or none of them if all were selected. */
export function toggledAll(keys: readonly string[], selection: ReadonlySet<string>): ReadonlySet<string> {
  if (selectionState(keys, selection) === 'all') return without(selection, keys)
  return new Set([...selection, ...keys])
}

/**
 * The selection after a press on a row. With `anchor`, the row that was pressed before, all rows between the two
 * get the state that the pressed row gets.
 */
export function toggled(
  keys: readonly string[],
  selection: ReadonlySet<string>,
  key: string,
  anchor?: string,
): ReadonlySet<string> {
  const [from, to] = [keys.indexOf(anchor ?? key), keys.indexOf(key)].sort((a, b) => a - b) as [
    number,
    number,
  ]
  const range = from < 0 ? [key] : keys.slice(from, to + 1)
  return selection.has(key) ? without(selection, range) : new Set([...selection, ...range])
}

function without(selection: ReadonlySet<string>, keys: readonly string[]): ReadonlySet<string> {
  const removed = new Set(keys)
  return new Set([...selection].filter(key => !removed.has(key)))
}
