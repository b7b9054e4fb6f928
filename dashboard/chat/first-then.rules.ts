/** One list after another, without the rows of the first in the second: for those that wait for somebody. */
export function firstThen<Row extends { id: string }>(first: readonly Row[], all: readonly Row[]): Row[] {
  const ids = new Set(first.map(({ id }) => id))
  return [...first, ...all.filter(({ id }) => !ids.has(id))]
}
