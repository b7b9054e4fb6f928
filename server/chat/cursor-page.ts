/**
 * A page that begins after `before`, with where the next one begins; null when there is none. `read` is asked for one
 * row more than the page shows.
 */
export async function readCursorPage<Row extends { id: string }>(
  query: { before?: string; limit?: number },
  read: (before: string | null, limit: number) => Promise<Row[]>,
): Promise<{ items: Row[]; nextBefore: string | null }> {
  const limit = query.limit!
  const rows = await read(query.before ?? null, limit + 1)
  const items = rows.slice(0, limit)
  return { items, nextBefore: rows.length > limit ? items.at(-1)!.id : null }
}
