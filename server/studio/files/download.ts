import { openFile } from '#contract/studio/files.ts'
import { fail } from '#platform/fail.ts'
import { sendStoredFile } from '#platform/http/file-download.ts'
import { stream } from '#platform/http/operation.ts'
import { filenameOf, sealedText, sealPurpose } from './file.rules.ts'
import { fileForAddress } from './file.sql.ts'

/**
 * Sends the file of a signed address, or one range of it. Browsers save the file and never display it, so that scripts in
 * it cannot run under the origin of this server (FIL-18).
 */
export const download = stream(openFile, async ({ params: { fileId }, query, services, request, reply }) => {
  const { organization, expires, signature } = query
  if (!services.seals.isSealed(sealPurpose, sealedText({ organization, fileId, expires }), signature)) {
    fail('FILE_ADDRESS_INVALID')
  }
  const { isExpired, file } = await fileForAddress(services.database.of(organization), fileId, expires)
  if (isExpired) fail('FILE_ADDRESS_INVALID')
  if (!file) fail('FILE_NOT_FOUND')
  const storedFile = { ...file, id: fileId, filename: filenameOf(file.path) }
  return sendStoredFile(storedFile, { files: services.files, request, reply })
})
