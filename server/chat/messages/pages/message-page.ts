import { limits } from '#contract/limits.ts'

/** Which way a page is read from where it begins: to older messages or to newer ones. */
export type Way = 'older' | 'newer'
type Query<Bound> = { before?: Bound; after?: Bound; limit?: number }

/** One more than the page holds, to know whether there are more. */
export function mostOf({ limit = limits.messagesPageDefault }: Query<unknown>): number {
  return limit + 1
}

/** The page of what was read: `rows` come the way they were read, and leave in the order `shown`. */
export function pageOf<Row, Item>(
  rows: readonly Row[],
  query: Query<unknown>,
  way: Way,
  shown: Way,
  show: (row: Row) => Item,
): { items: Item[]; hasMore: boolean } {
  const most = mostOf(query)
  const items = rows.slice(0, most - 1).map(show)
  return { items: way === shown ? items : items.reverse(), hasMore: rows.length === most }
}
