import { limits } from '#contract/limits.ts'
import type { Db } from '#platform/data/database.ts'
import { withFilters } from '#platform/data/dynamic-filters.ts'
import { sql } from '#platform/data/statement.ts'

export type Page = { limit: number; offset: number }
/** Selects rows of a list by their ids or by a text. */
export type ListSelection = { ids?: readonly string[] | undefined; search?: string | undefined }
/** A table of a list. `columns` and filters refer to it by `alias`. */
export type ListedTable = { table: string; alias: string; columns: string }

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
  return async (db: Db, values: Values, { limit, offset }: Page): Promise<{ rows: Row[]; total: number }> => {
    const filterValues = values.slice(fixed.length)
    const [rows, counted] = await Promise.all([
      db.rows(page(...filterValues), ...values, limit, offset),
      db.first(count(...filterValues), ...values),
    ])
    return { rows, total: counted!.total }
  }
}

/** The page of a list; with ids, all of them are on the first one (CRM-12). */
export function pageOf({
  limit = limits.pageLimitDefault,
  offset = 0,
  ids,
}: Partial<Page> & ListSelection): Page {
  return ids ? { limit: limits.pageLimit, offset: 0 } : { limit, offset }
}

/**
 * Builds the read of up to limits.pageLimit rows by their ids, each from the primary key, in the order of the list. Each filter
 * is a condition on `$3` and following; null leaves it out.
 */
export function rowsByIds<Row>(
  { table, alias, columns }: ListedTable,
  filters: readonly string[],
  order = `${alias}.created_at desc, ${alias}.id desc`,
) {
  const conditions = filters.map((filter, n) => `($${n + 3}::text is null or ${filter})`)
  const select = sql<Row, [ids: string[], ...(string | null)[]]>(`
    select ${columns} from (
      select r.* from ${table} r where r.organization_id = $1 and r.id = any($2::text[]) offset 0) ${alias}
    where ${conditions.join(' and ')} order by ${order}`)
  return async (
    db: Db,
    ids: readonly string[],
    values: readonly (string | null)[],
    { limit, offset }: Page,
  ): Promise<{ rows: Row[]; total: number }> => {
    const found = await db.rows(select, [...ids], ...values)
    return { rows: found.slice(offset, offset + limit), total: found.length }
  }
}
