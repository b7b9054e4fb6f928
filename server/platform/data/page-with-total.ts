import { firstOf } from '../required.ts'
/** A row of a statement that returns a page and its total. An empty page has one row, which contains only the total. */
export type RowWithTotal<Row> = { total: number } & (Row | { id: null })

/** The page and the total that such a statement returned. */
export function pageWithTotal<Row extends { id: string }>(
  rows: readonly RowWithTotal<Row>[],
): { rows: Row[]; total: number } {
  return {
    rows: rows.filter((row): row is { total: number } & Row => row.id !== null),
    total: firstOf(rows).total,
  }
}
