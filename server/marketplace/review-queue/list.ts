import { listSubmissions } from '#contract/marketplace/review-queue.ts'
import { query } from '#platform/http/operation.ts'
import { pageOf } from '#platform/http/pagination.ts'
import { showSubmission } from './submission.json.ts'
import { pageOfSubmissions } from './submission.sql.ts'

/** Lists the review queue, oldest first. */
export const list = query(listSubmissions, async ({ query, services: { database } }) => {
  const { limit, offset } = pageOf(query)
  const { status } = query
  const { rows, total } = await pageOfSubmissions(database.crossTenant, status, { limit, offset })
  return { items: rows.map(showSubmission), total, limit, offset }
})
