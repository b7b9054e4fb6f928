import { pageOf } from '#platform/http/pagination.ts'
import { lastOf } from '#platform/required.ts'

/** Reads one row more than the page shows, to know whether there is a next page; `nextBefore` is null on the last one. */
export async function readCursorPage<Row extends { id: string }>(
  query: { before?: string; limit?: number },
  read: (before: string | null, limit: number) => Promise<Row[]>,
): Promise<{ items: Row[]; nextBefore: string | null }> {
  const { limit } = pageOf(query)
  const rows = await read(query.before ?? null, limit + 1)
  const items = rows.slice(0, limit)
  return { items, nextBefore: rows.length > limit ? lastOf(items).id : null }
}
