import type { Route } from '#contract/route.ts'
import type { CallInput, Client } from './client.ts'

/** The items of a list, whatever its paging. */
export type ItemOf<Out> = Out extends
  | { items: readonly (infer Item)[] }
  | { data: readonly (infer Item)[] }
  | { errors: readonly (infer Item)[] }
  ? Item
  : never

type ListPage = {
  items?: unknown[]
  data?: unknown[]
  errors?: unknown[]
  pagination?: { page?: number; hasNextPage?: boolean; total?: number; limit?: number; offset?: number }
  total?: number
  limit?: number
  offset?: number
  totalIsBound?: boolean
  hasMore?: boolean
  nextCursor?: string | null
  nextAfter?: string | null
}

/**
 * Iterates over a list and loads its pages as needed: `for await (const lead of listAll(client, listLeads))
 * …`. Starts at `input.query`, whose `limit` is the page size. Lists with a cursor end at the present; lists
 * with an offset can miss or repeat an item that moves meanwhile.
 */
export async function* listAll<In, Out>(
  client: Client,
  route: Route<In, Out>,
  input: CallInput<In> = {},
): AsyncGenerator<ItemOf<Out>, void, undefined> {
  let query = { ...(input as { query?: Record<string, unknown> }).query }
  while (true) {
    const page = (await client.call(route, { ...input, query } as CallInput<In>)) as ListPage
    const items = page.items ?? page.data ?? page.errors
    if (!items) throw new TypeError(`${route.method} ${route.path} answers no list`)
    yield* items as ItemOf<Out>[]
    const next = nextOf(page, items, query)
    if (!next) return
    query = { ...query, ...next }
  }
}

/** The query of the next page; undefined after the last page. */
function nextOf(
  page: ListPage,
  items: unknown[],
  query: Record<string, unknown>,
): Record<string, unknown> | undefined {
  const { pagination, hasMore, nextCursor, nextAfter, totalIsBound } = page
  if (pagination?.hasNextPage !== undefined)
    return pagination.hasNextPage ? { page: pagination.page! + 1 } : undefined
  if (hasMore !== undefined) {
    if (!hasMore) return undefined
    if (nextCursor) return { cursor: nextCursor }
    if (nextAfter) return { after: nextAfter }
    return besideMessages(items, query)
  }
  const { total, limit, offset } = pagination ?? page
  if (total === undefined || limit === undefined || offset === undefined) return undefined
  const next = offset + items.length
  const isOver = items.length < limit || (next >= total && !totalIsBound)
  return isOver ? undefined : { offset: next }
}

/**
 * Messages are numbered: ascending pages continue after the last one, others before it. A page of one message
 * does not show its direction.
 */
function besideMessages(items: unknown[], query: Record<string, unknown>): Record<string, unknown> {
  const [first, last] = [items.at(0), items.at(-1)] as ({ id: string; seq?: number } | undefined)[]
  if (!first || !last) throw new TypeError('A page without items tells that there are more')
  const place = last.seq ?? last.id
  if (query.after !== undefined) return { after: place }
  if (first.seq === undefined || last.seq === undefined || query.before !== undefined)
    return { before: place }
  if (items.length === 1) throw new TypeError('Give a limit of 2 or more')
  return last.seq > first.seq ? { after: place } : { before: place }
}
