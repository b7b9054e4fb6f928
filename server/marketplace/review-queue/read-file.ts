import { limits } from '#contract/limits.ts'
import { readSubmittedFile } from '#contract/marketplace/review-queue.ts'
import { ObjectMissing, openWithin } from '#platform/adapters/files.ts'
import { fail } from '#platform/fail.ts'
import { attachmentDisposition, closeStalledDownload } from '#platform/http/file-download.ts'
import { stream } from '#platform/http/operation.ts'
import { sendBytes } from '#platform/http/send-bytes.ts'
import { filenameOf } from '#server/studio/index.ts'
import { submittedFile } from './submission.sql.ts'

/**
 * Sends a file of a submission as a download, so that a browser neither shows nor runs it. The row of the release names
 * the stored object, never the request.
 */
export const file = stream(readSubmittedFile, async ({ params, query, services, reply }) => {
  const storedFile =
    (await submittedFile(services.database.crossTenant, params.entryId, query.path)) ??
    fail('ENTRY_NOT_FOUND')
  if (storedFile.sha256 === null) fail('FILE_NOT_FOUND')
  const bytes = await openWithin(services.files, storedFile.sha256, limits.fileReadMs).catch(error => {
    if (error instanceof ObjectMissing) fail('FILE_NOT_FOUND')
    throw error
  })
  reply.headers({
    'Content-Type': 'application/octet-stream',
    'Content-Disposition': attachmentDisposition(filenameOf(storedFile.path)),
    'Content-Length': storedFile.size,
    'Content-Security-Policy': "sandbox; default-src 'none'",
  })
  closeStalledDownload(reply)
  return sendBytes(reply, bytes)
})
