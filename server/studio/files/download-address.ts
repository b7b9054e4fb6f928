import { limits } from '#contract/limits.ts'
import { pathAt } from '#contract/operation.ts'
import { addressOfFile, openFile } from '#contract/studio/files.ts'
import { fail } from '#platform/fail.ts'
import { query } from '#platform/http/operation.ts'
import { versionFor } from '../versions/version.access.ts'
import { filenameOf, sealedText, sealPurpose } from './file.rules.ts'
import { fileOf } from './file.sql.ts'

/** Creates a short-lived download address that needs no session (FIL-16, FIL-17). */
export const downloadAddress = query(addressOfFile, async ({ db, caller, params, services }) => {
  const { version } = await versionFor(db, caller, params.id, params.version, 'read')
  const file = (await fileOf(db, version.id, params.fileId)) ?? fail('FILE_NOT_FOUND')
  const expires = file.now_seconds + limits.fileAddressMinutes * 60
  const organization = db.organizationId
  const signature = services.seals.seal(sealPurpose, sealedText({ organization, fileId: file.id, expires }))
  const query = new URLSearchParams({ organization, expires: String(expires), signature })
  const path = pathAt('public', openFile).replace(':fileId', file.id)
  return {
    url: `${services.publicUrl}${path}?${query}`,
    expiresAt: new Date(expires * 1000).toISOString(),
    filename: filenameOf(file.path),
    contentType: file.content_type,
    size: file.size,
    sha256: file.sha256,
  }
})
