import { readSubmittedFile } from '#contract/marketplace/review-queue.ts'
import { fail } from '#platform/fail.ts'
import { stream } from '#platform/http/operation.ts'
import { sendReleaseFile } from '../release-file.ts'
import { submittedFile } from './submission.sql.ts'

/** Sends a file of the last submission of an entry to an operator. */
export const file = stream(readSubmittedFile, async ({ params, query, services, reply }) => {
  const found = await submittedFile(services.database.crossTenant, params.entryId, query.path)
  return sendReleaseFile(reply, services, found ?? fail('ENTRY_NOT_FOUND'))
})
