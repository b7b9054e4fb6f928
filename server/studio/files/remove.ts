import { removeFile } from '#contract/studio/files.ts'
import { fail } from '#platform/fail.ts'
import { command } from '#platform/http/operation.ts'
import { lockVersion } from '../versions/version.access.ts'
import { assertWritable } from './file.rules.ts'
import { deleteFiles } from './file.sql.ts'
import { recordFilesChanged } from './files-changed.ts'

/** Deletes an attachment. Its bytes stay as long as another version or copy refers to them (FIL-13). */
export const remove = command(removeFile, async ({ tx, caller, params, audit }) => {
  const { asset, version } = await lockVersion(tx, caller, params.id, params.version, 'edit')
  assertWritable(asset, version)
  if ((await deleteFiles(tx, version.id, [params.fileId])) === 0) fail('FILE_NOT_FOUND')
  audit(asset.id, ['files'])
  await recordFilesChanged(tx, caller, asset, version.id)
})
