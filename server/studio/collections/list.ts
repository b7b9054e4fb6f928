import { listCollectionAssets, listCollections } from '#contract/studio/collections.ts'
import { query } from '#platform/http/operation.ts'
import { pageOf } from '#platform/http/pagination.ts'
import { showItem } from '../assets/asset.json.ts'
import { listContents, listFiltersOf } from '../assets/catalogue/index.ts'
import { collectionFor } from './collection.access.ts'
import { showCollection } from './collection.json.ts'
import { listPage } from './collection-list.sql.ts'

/** Lists collections (COL-7). */
export const list = query(listCollections, async ({ db, caller, query }) => {
  const { limit, offset } = pageOf(query)
  const { parentId = null, tree: isTree = false } = query
  const rows = await listPage(db, { parentId, isTree }, { ...listFiltersOf(caller, {}), limit, offset })
  const total = rows[0]?.total ?? 0
  if (total === 0 && parentId !== null && parentId !== 'root') await collectionFor(db, parentId)
  return { items: rows.flatMap(row => (row.id === null ? [] : [showCollection(row)])), total, limit, offset }
})

/** Lists the assets of a collection that the caller may read (COL-14). */
export const listAssets = query(listCollectionAssets, async ({ db, caller, params: { id }, query }) => {
  const { limit, offset } = pageOf(query)
  const [rows] = await Promise.all([
    listContents(db, query.orderBy ?? 'popular', id, { ...listFiltersOf(caller, query), limit, offset }),
    collectionFor(db, id),
  ])
  const items = rows.flatMap(row => (row.id === null ? [] : [showItem(row)]))
  return { items, total: Number(rows[0]?.total ?? 0), limit, offset }
})
