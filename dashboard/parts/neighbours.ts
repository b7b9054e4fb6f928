/** Opens the rows before and after the open one in a list; undefined where there is none. */
export function neighboursOf<Row>(
  rows: readonly Row[],
  index: number,
  open: (row: Row) => void,
): { onPrevious: (() => void) | undefined; onNext: (() => void) | undefined } {
  const opening = (at: number) => {
    const row = rows[at]
    return index === -1 || row === undefined ? undefined : () => open(row)
  }
  return { onPrevious: opening(index - 1), onNext: opening(index + 1) }
}
