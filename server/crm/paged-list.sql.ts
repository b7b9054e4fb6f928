import { limits } from '#contract/limits.ts'
import type { Db } from '#platform/data/database.ts'
import { withFilters } from '#platform/data/dynamic-filters.ts'

type Value = string | boolean | null
/** A list: its columns, its `from … where …` clause, and its order. */
type ListSource = { columns: string; from: string; order: string }

/**
 * Builds a list function. Its values, from `$2` on, are those of the `fixed` conditions and then those of the optional filters,
 * which null omits; see withFilters. The function returns a page of rows and the total, up to limits.customersCounted.
 */
export function pagedList<Row, Values extends readonly Value[]>(
  { columns, from, order }: ListSource,
  fixed: readonly string[],
  filters: readonly string[],
) {
  const last = 1 + fixed.length + filters.length
  const fromWhere = (condition: string) => [from, ...fixed, condition].join(' and ')
  const page = withFilters<Row, [...Value[], limit: number, offset: number]>(
    filters,
    condition =>
      `select ${columns} ${fromWhere(condition)} order by ${order} limit $${last + 1} offset $${last + 2}`,
  )
  const count = withFilters<{ total: number }, Value[]>(
    filters,
    condition =>
      `select count(*) as total from (select ${fromWhere(condition)} limit ${limits.customersCounted}) n`,
  )
  return async (
    db: Db,
    values: Values,
    { limit, offset }: { limit: number; offset: number },
  ): Promise<{ rows: Row[]; total: number }> => {
    const filterValues = values.slice(fixed.length)
    const [rows, counted] = await Promise.all([
      db.rows(page(...filterValues), ...values, limit, offset),
      db.first(count(...filterValues), ...values),
    ])
    return { rows, total: counted!.total }
  }
}
