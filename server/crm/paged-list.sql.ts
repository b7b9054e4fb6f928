import { limits } from '#contract/limits.ts'
import type { Db } from '#platform/data/database.ts'
import { withFilters } from '#platform/data/dynamic-filters.ts'

type Value = string | boolean | null
/** What is listed: `columns` of what stands after `from`, up to its `where`, in an order. */
type ListSource = { columns: string; from: string; order: string }

/**
 * Makes a list of customers. Its values, from `$2` on, are those of conditions that always hold (`fixed`) and then those of
 * filters, which null leaves out; see `narrowed`. It gives a page of rows, and how many there are, as far as they are counted.
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
