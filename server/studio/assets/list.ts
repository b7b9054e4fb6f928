import { limits } from '#contract/limits.ts'
import type { Input } from '#contract/operation.ts'
import { listAssets } from '#contract/studio/assets.ts'
import { countCacheOf } from '#platform/data/count-cache.ts'
import type { Db } from '#platform/data/database.ts'
import type { Caller } from '#platform/http/caller.ts'
import { query } from '#platform/http/operation.ts'
import { listContents } from '../collections/collection-contents.sql.ts'
import { showItem } from './asset.json.ts'
import { normalizeTags } from './asset.rules.ts'
import { listWithin } from './asset-filters.sql.ts'
import { listPage, type PageRow } from './listing/asset-list.sql.ts'
import { listFiltersOf } from './listing/list-fragments.ts'
import { searchAssets } from './search/search.ts'

type Query = Input<typeof listAssets>['query'] & { limit: number; offset: number }

const countCache = countCacheOf(2_000)

/** Lists the assets that the caller may read (CAT-1). */
export const list = query(listAssets, async ({ db, caller, query, services }) => {
  const { limit, offset } = query as Query
  const { search } = query
  if (search?.trim()) {
    const { rows, total, isBound } = await searchAssets(db, countCache(services.database), caller, {
      ...(query as Query),
      search,
      ...tagOf(query),
    })
    const page = { items: itemsOf(rows), total, limit, offset }
    return isBound ? { ...page, totalIsBound: true as const } : page
  }
  const rows = await pageOf(db, caller, query as Query)
  const total = Number(rows[0]?.total ?? 0)
  const page = { items: itemsOf(rows), total, limit, offset }
  // only lists with a tag stop at the bound
  return query.tag !== undefined && total > limits.searchTotal
    ? { ...page, total: limits.searchTotal, totalIsBound: true as const }
    : page
})

/** The tag as it is stored. */
function tagOf({ tag }: Pick<Query, 'tag'>): { tag?: string } {
  return tag === undefined ? {} : { tag: normalizeTags([tag])[0]! }
}

function itemsOf(rows: PageRow[]) {
  return rows.flatMap(row => (row.id === null ? [] : [showItem(row)]))
}

function pageOf(db: Db, caller: Caller, query: Query): Promise<PageRow[]> {
  const { orderBy = 'popular', authorId, collectionId, entityType, entityId, limit, offset } = query
  const filters = listFiltersOf(caller, query)
  const within = { authorId, collectionId, entityType, entityId, ...tagOf(query) }
  const activeFilters = Object.values(within).filter(value => value !== undefined)
  if (activeFilters.length === 0) return listPage(db, orderBy, { ...filters, limit, offset })
  if (activeFilters.length === 1 && collectionId !== undefined)
    return listContents(db, orderBy, collectionId, { ...filters, limit, offset })
  return listWithin(db, orderBy, within, { ...filters, limit, offset })
}
