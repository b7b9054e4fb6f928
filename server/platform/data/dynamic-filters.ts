import { type Statement, sql } from './statement.ts'

type Declare = <Row, Args extends object>(text: string) => Statement<Row, Args>

/**
 * A list with optional filters, as one prepared statement for each combination of them, so that each combination has its
 * own plan.
 *
 * @param filters for each optional argument its condition, such as `{ role: 'm.role = $role' }`; an argument that is null
 *   leaves its condition out
 * @param write returns the text for a condition that follows `where … and`
 * @returns the statement for the given arguments, which it takes then
 */
export function withFilters<Row, Args extends object>(
  filters: { readonly [Name in keyof Args]?: string },
  write: (condition: string) => string,
  declare: Declare = sql,
): (args: Args) => Statement<Row, Args> {
  const names = Object.keys(filters) as (keyof Args)[]
  const variants = Array.from({ length: 2 ** names.length }, (_, chosen) => {
    const conditions = names.filter((_, at) => chosen & (1 << at)).map(name => filters[name])
    return declare<Row, Args>(write(conditions.join(' and ') || 'true'))
  })
  return args =>
    variants[names.reduce((chosen, name, at) => (args[name] === null ? chosen : chosen | (1 << at)), 0)]!
}

/** A pattern for LIKE that finds the text anywhere, with its special characters escaped. */
export function likePattern(text: string | undefined): string | null {
  return text === undefined ? null : `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`
}
