import { limits } from '#contract/limits.ts'
import { uploadFiles } from '#contract/studio/files.ts'
import type { Tx } from '#platform/data/db.ts'
import { storeObjects } from '#platform/data/stored-objects.ts'
import { fail } from '#platform/fail.ts'
import type { Caller } from '#platform/http/caller.ts'
import { workflow } from '#platform/http/operation.ts'
import { newId } from '#platform/ids.ts'
import { firstOf, lookUp } from '#platform/required.ts'
import { type AssetVersion, lockVersion, versionFor } from '../versions/version.access.ts'
import { showFile } from './file.json.ts'
import { assertWritable, findPathConflict } from './file.rules.ts'
import { deleteFiles, type FileRow, filesOf, insertFiles } from './file.sql.ts'
import { recordFilesChanged } from './files-changed.ts'
import { type ReceivedFile, receiveFiles } from './receive-files.ts'

/**
 * Adds attachments. The server receives and stores the bytes before the transaction starts, which then adds all files or
 * none (FIL-3). No lock is held during the upload.
 */
export const upload = workflow(
  uploadFiles,
  async ({ db, caller, params: { id, version: ref }, query, form, services, transact }) => {
    const { asset, version } = await versionFor(db, caller, id, ref, 'edit')
    assertWritable(asset, version)
    const received: ReceivedFile[] = []
    try {
      await receiveFiles(form, services, received)
      await storeObjects(
        services,
        received.map(({ incoming }) => incoming),
      )
      const files = await transact(
        async tx => {
          // The version that `current` meant when the upload started
          const locked = await lockVersion(tx, caller, id, version.version, 'edit')
          return addFiles(tx, caller, locked, received, query.overwrite === true)
        },
        { subject: id, changed: ['files'] },
      )
      const attachments = files.map(showFile)
      return { ...firstOf(attachments), files: attachments }
    } finally {
      await Promise.all(received.map(({ incoming }) => incoming.discard()))
    }
  },
)

/** Adds the files to the version. With `overwrite`, they replace files with the same paths. */
async function addFiles(
  tx: Tx,
  caller: Caller,
  { asset, version }: AssetVersion,
  received: readonly ReceivedFile[],
  overwrite: boolean,
): Promise<FileRow[]> {
  assertWritable(asset, version)
  const existing = await filesOf(tx, version.id)
  const replaced = existing.filter(file => received.some(({ path }) => path === file.path))
  const remaining = existing.filter(file => !replaced.includes(file))
  const paths = received.map(({ path }) => path)
  const conflict = overwrite
    ? findPathConflict(
        remaining.map(({ path }) => path),
        paths,
      )
    : findPathConflict(
        existing.map(({ path }) => path),
        paths,
      )
  if (conflict !== undefined) fail('FILE_EXISTS', { path: conflict })
  assertVersionLimits([...remaining, ...received.map(({ incoming }) => incoming)])
  await Promise.all([
    deleteFiles(
      tx,
      version.id,
      replaced.map(file => file.id),
    ),
    insertFiles(
      tx,
      received.map(({ path, contentType, incoming: { size, sha256 } }) => ({
        id: newId(),
        assetId: asset.id,
        versionId: version.id,
        createdBy: caller.personId,
        path,
        contentType,
        size,
        sha256,
      })),
    ),
    recordFilesChanged(tx, caller, asset, version.id),
  ])
  const stored = await filesOf(tx, version.id)
  const byPath = new Map(stored.map(file => [file.path, file]))
  return paths.map(path => lookUp(byPath, path))
}

function assertVersionLimits(files: readonly { size: number }[]): void {
  if (files.length > limits.filesPerVersion) fail('TOO_MANY_FILES', { limit: limits.filesPerVersion })
  const bytes = files.reduce((sum, { size }) => sum + size, 0)
  if (bytes > limits.versionBytes) fail('FILE_TOO_LARGE', { limit: limits.versionBytes })
}
