import { listMyReviews, listReviews } from '#contract/marketplace/reviews.ts'
import type { Caller } from '#platform/http/caller.ts'
import { query } from '#platform/http/operation.ts'
import { pageOf } from '#platform/http/pagination.ts'
import { firstOf } from '#platform/required.ts'
import { entryFor } from '../entries/entry.access.ts'
import { showReview } from './review.json.ts'
import { listReviewsBy, listReviewsOf } from './review.sql.ts'

/** Lists the reviews of an entry (REV-9). */
export const list = query(listReviews, async ({ db, caller, params, query }) => {
  const { limit, offset } = pageOf(query)
  const [, rows] = await Promise.all([
    entryFor(db, caller, params.id),
    listReviewsOf(db, caller.personId, params.id, limit, offset),
  ])
  return { ...shown(rows, caller), limit, offset }
})

/** Lists the reviews of the caller, including those of entries that are not listed. */
export const listOwn = query(listMyReviews, async ({ db, caller, query }) => {
  const { limit, offset } = pageOf(query)
  return { ...shown(await listReviewsBy(db, caller.personId, limit, offset), caller), limit, offset }
})

function shown(rows: Awaited<ReturnType<typeof listReviewsOf>>, caller: Caller) {
  const items = rows.flatMap(row => (row.id === null ? [] : [showReview(row, caller)]))
  return { items, total: firstOf(rows).total }
}
