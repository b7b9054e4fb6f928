import { readSubmission } from '#contract/marketplace/review-queue.ts'
import { fail } from '#platform/fail.ts'
import { query } from '#platform/http/operation.ts'
import { showDetail } from './submission.json.ts'
import { detailOf } from './submission.sql.ts'

/** What was submitted last of an entry, what changed since the last approval, and what the checks found in it. */
export const read = query(readSubmission, async ({ params, services: { database } }) => {
  const { row, files, approved } = (await detailOf(database.wide, params.entryId)) ?? fail('ENTRY_NOT_FOUND')
  return showDetail(row, files, approved)
})
