import type pg from 'pg'
import { only } from './elements.ts'
import { rowDefaults } from './row-defaults.ts'
import type { Table } from './table.ts'

/** Runs plain SQL: a test server, or `onPool` of a pool. */
export type SqlRunner = {
  sql<Row extends object = Record<string, unknown>>(text: string, values?: unknown[]): Promise<Row[]>
}

type Columns = Readonly<Record<string, unknown>>

const rowsPerStatement = 10_000

/** Runs the SQL of builders on a pool. */
export function onPool(pool: Pick<pg.Pool, 'query'>): SqlRunner {
  return { sql: async (text, values) => (await pool.query(text, values)).rows }
}

/**
 * Inserts rows into a table: rows that no operation writes in the time of a test, or so many that operations take minutes. This is
 * the only way to do so, except where a statement is the subject of a test.
 *
 * A row names the columns that the test is about. Of the others, those in `rowDefaults` have the values there, which is the one
 * place to change when a table gets a column, and the rest have the defaults of the table. All rows have the columns of the first
 * one. A time is a `Date` or a text, JSON is a value, and bytes are `\\x` and hexadecimal digits. There is one statement for each
 * 10,000 rows. With `orSkip`, rows that exist already stay as they are.
 */
export async function insertRows(
  { sql }: SqlRunner,
  table: Table,
  rows: readonly Columns[],
  { orSkip = false } = {},
): Promise<void> {
  const defaults = rowDefaults[table] ?? (() => ({}))
  for (let from = 0; from < rows.length; from += rowsPerStatement) {
    const part = rows.slice(from, from + rowsPerStatement).map(row => ({ ...defaults(), ...row }))
    const columns = Object.keys(part[0] ?? {}).join(', ')
    await sql(
      `insert into ${table} (${columns}) select ${columns} from json_populate_recordset(null::${table}, $1)
       ${orSkip ? 'on conflict do nothing' : ''}`,
      [JSON.stringify(part)],
    )
  }
}

/** Inserts `count` rows like `insertRows`; `rowOf` makes the columns of the `n`-th, from 1. */
export function insertMany(
  server: SqlRunner,
  table: Table,
  count: number,
  rowOf: (n: number) => Columns,
): Promise<void> {
  return insertRows(
    server,
    table,
    Array.from({ length: count }, (_, index) => rowOf(index + 1)),
  )
}

/**
 * Inserts `count` copies of the one row that has the columns `of`. `rowOf` makes the columns in which the `n`-th copy differs
 * from the original, from 1.
 */
export async function insertCopies(
  { sql }: SqlRunner,
  table: Table,
  of: Columns,
  count: number,
  rowOf: (n: number, original: Columns) => Columns,
): Promise<void> {
  const originals = await sql<{ row: Columns }>(
    `select to_jsonb(t) - array(
         select attname::text from pg_attribute where attrelid = $2::regclass and attgenerated <> '') as row
     from ${table} t where to_jsonb(t) @> $1`,
    [JSON.stringify(of), table],
  )
  const { row } = only(originals)
  await insertMany({ sql }, table, count, n => ({ ...row, ...rowOf(n, row) }))
}

/** The time that many seconds ago. */
export function secondsAgo(seconds: number): Date {
  return new Date(Date.now() - seconds * 1_000)
}

/** The date, YYYY-MM-DD in UTC, that many days after another. */
export function dayAfter(day: Date | string, days: number): string {
  return new Date(new Date(day).getTime() + days * 86_400_000).toISOString().slice(0, 10)
}
