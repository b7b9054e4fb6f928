import { listShares } from '#contract/studio/shares.ts'
import { query } from '#platform/http/operation.ts'
import { pageOf } from '#platform/http/pagination.ts'
import { firstOf } from '#platform/required.ts'
import { assetFor } from '../assets/asset.access.ts'
import { showShare } from './share.json.ts'
import { listSharesOf } from './share.sql.ts'

/** Lists the active shares of an asset (SHR-10). */
export const list = query(listShares, async ({ db, caller, params, query }) => {
  const { limit, offset } = pageOf(query)
  const [, rows] = await Promise.all([
    assetFor(db, caller, params.id, 'edit'),
    listSharesOf(db, params.id, limit, offset),
  ])
  const items = rows.flatMap(row => (row.id === null ? [] : [showShare(row)]))
  return { items, total: firstOf(rows).total, limit, offset }
})
