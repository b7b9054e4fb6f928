import { listAssets } from '#contract/studio/assets.ts'
import { countCacheOf } from '#platform/data/count-cache.ts'
import { query } from '#platform/http/operation.ts'
import { pageOf } from '#platform/http/pagination.ts'
import { firstOf } from '#platform/required.ts'
import { showItem } from './asset.json.ts'
import { normalizeTags } from './asset.rules.ts'
import { readCatalogue } from './catalogue/index.ts'

const countCache = countCacheOf(2_000)

/** Lists the assets that the caller may read (CAT-1). */
export const list = query(listAssets, async ({ db, caller, query, services }) => {
  const { tag, ...others } = query
  const page = pageOf(query)
  const { rows, total, isBound } = await readCatalogue(db, countCache(services.database), caller, {
    ...others,
    ...page,
    tag: tag === undefined ? undefined : firstOf(normalizeTags([tag])),
  })
  const items = rows.flatMap(row => (row.id === null ? [] : [showItem(row)]))
  const list = { items, total, ...page }
  return isBound ? { ...list, totalIsBound: true as const } : list
})
