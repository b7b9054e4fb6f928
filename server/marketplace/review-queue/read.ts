import { readSubmission } from '#contract/marketplace/review-queue.ts'
import { fail } from '#platform/fail.ts'
import { query } from '#platform/http/operation.ts'
import { showDetail } from './submission.json.ts'
import { detailOf } from './submission.sql.ts'

/** Reads the last submission of an entry, its changes since the last approval and its findings. */
export const read = query(readSubmission, async ({ params, services: { database } }) => {
  const { row, files, approved } =
    (await detailOf(database.crossTenant, params.entryId)) ?? fail('ENTRY_NOT_FOUND')
  return showDetail(row, files, approved)
})
