/** Columns of rows as the arrays that `unnest` takes: for the name of each parameter, the key of its values in a row. */
export function columnsOf<Row, const Keys extends Readonly<Record<string, keyof Row>>>(
  rows: readonly Row[],
  keys: Keys,
): { [Name in keyof Keys]: Row[Keys[Name]][] } {
  return Object.fromEntries(Object.entries(keys).map(([name, key]) => [name, rows.map(row => row[key])])) as {
    [Name in keyof Keys]: Row[Keys[Name]][]
  }
}

/**
 * The same as the texts of arrays, which are faster to send: only for values that need no quoting in one, such as ids,
 * numbers, times and null.
 */
export function unquotedColumnsOf<Row, const Keys extends Readonly<Record<string, keyof Row>>>(
  rows: readonly Row[],
  keys: Keys,
): { [Name in keyof Keys]: string } {
  return Object.fromEntries(
    Object.entries(keys).map(([name, key]) => [name, `{${rows.map(row => row[key] ?? 'NULL').join()}}`]),
  ) as { [Name in keyof Keys]: string }
}

/** The rows in parts of a size, for statements with a limited number of rows. */
export function chunksOf<Row>(rows: readonly Row[], size: number): Row[][] {
  return Array.from({ length: Math.ceil(rows.length / size) }, (_, at) =>
    rows.slice(at * size, (at + 1) * size),
  )
}
