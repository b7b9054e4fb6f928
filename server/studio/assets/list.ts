import { listAssets } from '#contract/studio/assets.ts'
import { reads } from '#platform/serve.ts'
import { shelvesOf } from './listing/shelves.ts'
import { listPage } from './listing/store.ts'
import { listWithin } from './narrowing/store.ts'
import { searchAssets } from './search/search.ts'
import { showItem } from './show.ts'

/** Document 1, GET /assets: what the caller may read, by page. */
export const list = reads(listAssets, async ({ db, caller, query }) => {
  const { limit, offset } = query as { limit: number; offset: number }
  const { orderBy = 'popular', search, authorId, collectionId, entityType, entityId } = query
  const within = { authorId, collectionId, entityType, entityId }
  const isWithin = Object.values(within).some(value => value !== undefined)
  const shelves = shelvesOf(caller, query)
  const rows = search?.trim()
    ? await searchAssets(db, caller, { ...query, search, limit, offset })
    : isWithin
      ? await listWithin(db, orderBy, within, ...shelves, limit, offset)
      : await listPage(db, orderBy, ...shelves, limit, offset)
  const items = rows.flatMap(row => (row.id === null ? [] : [showItem(row)]))
  return { items, total: Number(rows[0]?.total ?? 0), limit, offset }
})
