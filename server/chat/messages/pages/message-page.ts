import { limits } from '#contract/limits.ts'

/** Whether a page continues to older or to newer messages. */
export type ReadDirection = 'older' | 'newer'
type MessagePageQuery<Bound> = { before?: Bound; after?: Bound; limit?: number }

/** One row more than the page shows, to know whether there are more. */
export function fetchLimit({ limit = limits.messagesPageDefault }: MessagePageQuery<unknown>): number {
  return limit + 1
}

/** `rows` are in the read direction; the page is in `order`. */
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
