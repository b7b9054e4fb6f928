import { limits } from '#contract/limits.ts'
import type { Db } from '#platform/data/db.ts'
import { withFilters } from '#platform/data/dynamic-filters.ts'
import { sql } from '#platform/data/statement.ts'
import { type Page, pageOf } from '#platform/http/pagination.ts'

/** Selects rows of a list by their ids or by a text. */
export type ListSelection = { ids?: readonly string[] | undefined; search?: string | undefined }
/** A table of a list. `columns` and filters refer to it by `alias`. */
export type ListedTable = { table: string; alias: string; columns: string }

type AnyArgs = Readonly<Record<string, unknown>>
/** A list: its columns, its `from … where …` clause, and its order. */
type ListSource = { columns: string; from: string; order: string }

/**
 * Builds a list function with the arguments of `from` and of the optional filters, which null omits; see withFilters. The
 * function returns a page of rows and the total, up to limits.customersCounted.
 */
export function pagedList<Row, Args extends Readonly<Record<string, string | boolean | null>>>(
  { columns, from, order }: ListSource,
  filters: { readonly [Name in keyof Args]?: string },
) {
  const page = withFilters<Row, AnyArgs>(
    filters,
    condition => `select ${columns} ${from} and ${condition} order by ${order} limit $limit offset $offset`,
  )
  const count = withFilters<{ total: number }, AnyArgs>(
    filters,
    condition =>
      `select count(*) as total from (select ${from} and ${condition} limit ${limits.customersCounted}) n`,
  )
  return async (db: Db, args: Args, { limit, offset }: Page): Promise<{ rows: Row[]; total: number }> => {
    const pageArgs = { ...args, limit, offset }
    const [rows, { total }] = await Promise.all([
      db.rows(page(pageArgs), pageArgs),
      db.one(count(args), args),
    ])
    return { rows, total }
  }
}

/** The page of a list; with ids, all of them are on the first one (CRM-12). */
export function listPageOf(query: Partial<Page> & ListSelection): Page {
  return query.ids ? { limit: limits.pageLimit, offset: 0 } : pageOf(query)
}

/**
 * Builds the read of up to limits.pageLimit rows by their ids, each from the primary key, in the order of the list. An
 * argument of a filter that is null leaves its condition out.
 */
export function rowsByIds<Row, Name extends string>(
  { table, alias, columns }: ListedTable,
  filters: Readonly<Record<Name, string>>,
  order = `${alias}.created_at desc, ${alias}.id desc`,
) {
  const conditions = Object.entries(filters).map(
    ([name, condition]) => `($${name}::text is null or ${condition})`,
  )
  const select = sql<Row, object>(`
    select ${columns} from (
      select r.* from ${table} r where r.organization_id = $organization
        and r.id = any($ids::text[]) offset 0) ${alias}
    where ${conditions.join(' and ')} order by ${order}`)
  return async (
    db: Db,
    ids: readonly string[],
    args: Readonly<Record<Name, string | null>>,
    { limit, offset }: Page,
  ): Promise<{ rows: Row[]; total: number }> => {
    const found = await db.rows(select, { ...args, ids })
    return { rows: found.slice(offset, offset + limit), total: found.length }
  }
}
