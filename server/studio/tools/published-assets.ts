import type { AssetOrder, AssetType } from '#contract/studio/assets.ts'
import type { Db } from '#platform/data/db.ts'
import type { Caller } from '#platform/http/caller.ts'
import { listFiltersOf, listPage } from '../assets/catalogue/index.ts'

/** The filter and page of a list. */
type PublishedPage = { types: readonly AssetType[]; orderBy: AssetOrder; limit: number; offset: number }

/** Ids of published assets that the caller may read, in the order of `GET /assets`. */
export async function listPublishedIds(db: Db, caller: Caller, page: PublishedPage): Promise<string[]> {
  const { types, orderBy, limit, offset } = page
  const filters = listFiltersOf(caller, { status: 'PUBLISHED' })
  const isWanted = (_: unknown, at: number) => types.includes(filters.types[at]!)
  const rows = await listPage(db, caller, orderBy, {
    ...filters,
    positions: filters.positions.filter(isWanted),
    statuses: filters.statuses.filter(isWanted),
    types: filters.types.filter(isWanted),
    limit,
    offset,
  })
  return rows.flatMap(({ id }) => (id === null ? [] : [id]))
}
