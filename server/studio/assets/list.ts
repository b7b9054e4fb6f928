import type { Input } from '#contract/operation.ts'
import { listAssets } from '#contract/studio/assets.ts'
import { countCacheOf } from '#platform/data/count-cache.ts'
import { query } from '#platform/http/operation.ts'
import { firstOf } from '#platform/required.ts'
import { showItem } from './asset.json.ts'
import { normalizeTags } from './asset.rules.ts'
import { readCatalogue } from './catalogue/index.ts'

type Query = Input<typeof listAssets>['query'] & { limit: number; offset: number }

const countCache = countCacheOf(2_000)

/** Lists the assets that the caller may read (CAT-1). */
export const list = query(listAssets, async ({ db, caller, query, services }) => {
  const { tag, ...others } = query as Query
  const { rows, total, isBound } = await readCatalogue(db, countCache(services.database), caller, {
    ...others,
    tag: tag === undefined ? undefined : firstOf(normalizeTags([tag])),
  })
  const items = rows.flatMap(row => (row.id === null ? [] : [showItem(row)]))
  const page = { items, total, limit: others.limit, offset: others.offset }
  return isBound ? { ...page, totalIsBound: true as const } : page
})
