import { limits } from '#contract/limits.ts'

/** Which way a page is read from where it begins: to older messages or to newer ones. */
export type ReadDirection = 'older' | 'newer'
type MessagePageQuery<Bound> = { before?: Bound; after?: Bound; limit?: number }

/** One more than the page holds, to know whether there are more. */
export function fetchLimit({ limit = limits.messagesPageDefault }: MessagePageQuery<unknown>): number {
  return limit + 1
}

/** The page of what was read: `rows` come the way they were read, and leave in the order `shown`. */
export function toMessagePage<Row, Item>(
  rows: readonly Row[],
  query: MessagePageQuery<unknown>,
  direction: ReadDirection,
  order: ReadDirection,
  show: (row: Row) => Item,
): { items: Item[]; hasMore: boolean } {
  const limit = fetchLimit(query)
  const items = rows.slice(0, limit - 1).map(show)
  return { items: direction === order ? items : items.reverse(), hasMore: rows.length === limit }
}
