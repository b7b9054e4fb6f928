import { limits } from '#contract/limits.ts'
import type { AssetOrder, AssetStatus, AssetType, Visibility } from '#contract/studio/assets.ts'
import type { CountCache } from '#platform/data/count-cache.ts'
import type { Db } from '#platform/data/db.ts'
import type { Caller } from '#platform/http/caller.ts'
import { listWithin } from './listing/asset-filters.sql.ts'
import { listPage, type PageRow } from './listing/asset-list.sql.ts'
import { listContents } from './listing/collection-contents.sql.ts'
import { listFiltersOf } from './listing/list-fragments.ts'
import { searchAssets } from './search/search.ts'

/** A page of a list or, with `search`, of a search. */
export type CatalogueQuery = {
  search?: string | undefined
  type?: AssetType | undefined
  status?: AssetStatus | undefined
  visibility?: Visibility | undefined
  authorId?: string | undefined
  collectionId?: string | undefined
  entityType?: string | undefined
  entityId?: string | undefined
  /** A tag as it is stored. */
  tag?: string | undefined
  orderBy?: AssetOrder | undefined
  limit: number
  offset: number
}

/** Its assets with the total; `isBound` if there are more than the total. A page without assets has one row without an id. */
export type CataloguePage = { rows: PageRow[]; total: number; isBound: boolean }

/** Reads the assets that the caller may read (CAT-1 to CAT-11). */
export async function readCatalogue(
  db: Db,
  counts: CountCache,
  caller: Caller,
  query: CatalogueQuery,
): Promise<CataloguePage> {
  const { search, tag } = query
  if (search?.trim()) return searchAssets(db, counts, caller, { ...query, search })
  const rows = await listRows(db, caller, query)
  const total = Number(rows[0]?.total ?? 0)
  // only lists with a tag stop at the bound
  const isBound = tag !== undefined && total > limits.searchTotal
  return { rows, total: isBound ? limits.searchTotal : total, isBound }
}

function listRows(db: Db, caller: Caller, query: CatalogueQuery): Promise<PageRow[]> {
  const { orderBy = 'popular', authorId, collectionId, entityType, entityId, tag, limit, offset } = query
  const args = { ...listFiltersOf(caller, query), limit, offset }
  const within = { authorId, collectionId, entityType, entityId, tag }
  const activeFilters = Object.values(within).filter(value => value !== undefined)
  if (activeFilters.length === 0) return listPage(db, caller, orderBy, args)
  if (activeFilters.length === 1 && collectionId !== undefined)
    return listContents(db, orderBy, collectionId, args)
  return listWithin(db, orderBy, within, args)
}
