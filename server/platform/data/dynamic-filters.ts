import { type Statement, sql } from './statement.ts'

type Declare = <Row, Args extends readonly unknown[]>(text: string) => Statement<Row, Args>

/**
 * A list with optional filters, as one prepared statement for each combination of them, so that each
 * combination has its own plan. A filter is a condition on one parameter (`m.role = $3`); null leaves it out.
 *
 *
 * @param write returns the text for a condition that follows `where … and`
 * @returns the statement for the values of the filters, in their order
 */
export function withFilters<Row, Args extends readonly unknown[]>(
  filters: readonly string[],
  write: (condition: string) => string,
  declare: Declare = sql,
): (...values: unknown[]) => Statement<Row, Args> {
  const variants = Array.from({ length: 2 ** filters.length }, (_, chosen) =>
    declare<Row, Args>(
      write(
        filters
          .map((filter, at) => (chosen & (1 << at) ? filter : `${unset(filter)}::text is null`))
          .join(' and '),
      ),
    ),
  )
  return (...values) =>
    variants[values.reduce<number>((chosen, value, at) => (value == null ? chosen : chosen | (1 << at)), 0)]!
}

// a parameter that does not appear in the text would have no type
function unset(filter: string): string {
  return /\$\d+/.exec(filter)?.[0] ?? 'null'
}

/** A pattern for LIKE that finds the text anywhere, with its special characters escaped. */
export function likePattern(text: string | undefined): string | null {
  return text === undefined ? null : `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`
}
