import { limits } from '#contract/limits.ts'
import type { Db } from '#platform/data/db.ts'
import { withFilters } from '#platform/data/dynamic-filters.ts'
import { pageWithTotal, type RowWithTotal } from '#platform/data/page-with-total.ts'
import type { Page } from '#platform/http/pagination.ts'
import type { ListedTable } from './paged-list.sql.ts'
import { matchesIndexed, termsOf } from './search-terms.ts'

/** A list with the text that its searches match, as the trigram index has it. */
export type SearchedTable = ListedTable & { search: string }

/** The condition that a folded text matches every pattern of `patternLines`. */
export const matchesAll = (column: string, parameter: string) =>
  `${column} like all(string_to_array(${parameter}, E'\\n'))`

/** The patterns of a search, one per line; null without a search. */
export function patternLines(search: string | undefined): string | null {
  return search === undefined ? null : termsOf(search).patterns.join('\n')
}

/**
 * Builds the search of a list with a folded text `search`, an expression with a trigram index. It reads the newest rows first, where a
 * common term has enough matches; only rarer terms use the trigram index, which then returns few rows (CRM-13). An argument
 * of a filter that is null leaves its condition out.
 */
export function recentSearch<Row extends { id: string }, Name extends string>(
  { table, alias, columns, search }: SearchedTable,
  filters: Readonly<Record<Name, string>>,
) {
  const matches = `${alias}.search like all($patterns::text[])`
  const rows = `from ${table} ${alias} where ${alias}.organization_id = $organization`
  const statements = withFilters<RowWithTotal<Row>, Record<string, unknown>>(
    filters,
    condition => `
    with newest as materialized (
      select ${alias}.id, ${alias}.created_at from (
        select ${alias}.id, ${alias}.created_at, ${search} as search ${rows} and ${condition}
        order by ${alias}.created_at desc, ${alias}.id desc limit ${limits.customerSearchNewest}) ${alias}
      where ${matches}),
    others as materialized (
      select ${alias}.id, ${alias}.created_at from (
        select ${alias}.*, ${search} as search ${rows} and ${matchesIndexed(search)} limit ${limits.customersCounted}) ${alias}
      where ${condition} and ${matches} and $isIndexed::boolean
        and (select count(*) from newest) < ${limits.customerSearchEnough}
      limit ${limits.customerSearchFound}),
    found as materialized (select * from newest union select * from others)
    select t.total, p.* from (select count(*)::int as total from found) t left join (
      select ${columns}, f.created_at as sort_key from (
        select found.id, found.created_at from found
        order by found.created_at desc, found.id desc limit $limit offset $offset) f
      join ${table} ${alias} on ${alias}.organization_id = $organization and ${alias}.id = f.id) p on true
    order by p.sort_key desc, p.id desc`,
  )
  return async (
    db: Db,
    text: string,
    filterArgs: Readonly<Record<Name, string | null>>,
    { limit, offset }: Page,
  ): Promise<{ rows: Row[]; total: number }> => {
    const args = { ...filterArgs, ...termsOf(text), limit, offset }
    return pageWithTotal(await db.rows(statements(args), args))
  }
}
