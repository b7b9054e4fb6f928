import { addressOfChatFile, openChatFile } from '#contract/chat/files.ts'
import { limits } from '#contract/limits.ts'
import { pathAt } from '#contract/operation.ts'
import { fail } from '#platform/fail.ts'
import { sendStoredFile } from '#platform/http/file-download.ts'
import { query, stream } from '#platform/http/operation.ts'
import { fileFor } from './file.access.ts'
import { showFile } from './file.json.ts'
import { isImage, sealedText, sealPurpose } from './file.rules.ts'

/** Creates a short-lived address that needs no session (MSG-22). */
export const address = query(addressOfChatFile, async ({ db, caller, params: { fileId }, services }) => {
  const file = await fileFor(db, caller, fileId)
  const expires = file.now_seconds + limits.fileAddressMinutes * 60
  const [organization, person] = [db.organizationId, caller.personId]
  const signature = services.seals.seal(sealPurpose, sealedText({ organization, fileId, person, expires }))
  const query = new URLSearchParams({ organization, person, expires: String(expires), signature })
  const path = pathAt('public', openChatFile).replace(':fileId', fileId)
  return {
    ...showFile(file),
    url: `${services.publicUrl}${path}?${query}`,
    expiresAt: new Date(expires * 1000).toISOString(),
  }
})

/** Sends the file of an address to anybody who has it, as long as its person may read the message (MSG-22, MSG-24). */
export const open = stream(openChatFile, async ({ params: { fileId }, query, services, request, reply }) => {
  const { organization, person, expires, signature } = query
  if (!services.seals.isSealed(sealPurpose, sealedText({ organization, fileId, person, expires }), signature))
    fail('FILE_ADDRESS_INVALID')
  const file = await fileFor(services.database.of(organization), { personId: person }, fileId)
  if (file.now_seconds > expires) fail('FILE_ADDRESS_INVALID')
  const isInline = isImage(file.content_type)
  return sendStoredFile(file, { files: services.files, request, reply, isInline })
})
