import type pg from 'pg'

/** Runs plain SQL: a test server, or `onPool` of a pool. */
export type SqlRunner = {
  sql<Row extends object = Record<string, unknown>>(text: string, values?: unknown[]): Promise<Row[]>
}

/** Runs the SQL of builders on a pool. */
export function onPool(pool: Pick<pg.Pool, 'query'>): SqlRunner {
  return { sql: async (text, values) => (await pool.query(text, values)).rows }
}

/**
 * Inserts rows into a table in one statement. For the builders of this folder: rows that no operation writes, or so many that
 * operations take minutes. All rows have the columns of the first one; omitted columns have their defaults. With `orSkip`, rows
 * that exist already stay as they are.
 */
export async function insertRows(
  { sql }: SqlRunner,
  table: string,
  rows: readonly Readonly<Record<string, unknown>>[],
  { orSkip = false } = {},
): Promise<void> {
  const columns = Object.keys(rows[0] ?? {}).join(', ')
  if (columns === '') return
  await sql(
    `insert into ${table} (${columns}) select ${columns} from json_populate_recordset(null::${table}, $1)
     ${orSkip ? 'on conflict do nothing' : ''}`,
    [JSON.stringify(rows)],
  )
}
