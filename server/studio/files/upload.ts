import { limits } from '#contract/limits.ts'
import { uploadFiles } from '#contract/studio/files.ts'
import type { Tx } from '#platform/data/database.ts'
import { storeObjects } from '#platform/data/stored-objects.ts'
import { fail } from '#platform/fail.ts'
import type { Caller } from '#platform/http/caller.ts'
import { workflow } from '#platform/http/operation.ts'
import { newId } from '#platform/ids.ts'
import { lockVersion, type Reached, versionFor } from '../versions/version.access.ts'
import { showFile } from './file.json.ts'
import { assertWritable, clashIn } from './file.rules.ts'
import { deleteFiles, type FileRow, filesOf, insertFiles } from './file.sql.ts'
import { type Received, receiveFiles } from './receive.ts'
import { sayFilesChanged } from './write.ts'

/**
 * Adds attachments. Nobody waits for the bytes: the server receives and stores them first, and only then one
 * transaction adds all of the files or none (FIL-3).
 */
export const upload = workflow(
  uploadFiles,
  async ({ db, caller, params: { id, version: ref }, query, form, services, transact }) => {
    const { asset, version } = await versionFor(db, caller, id, ref, 'edit')
    assertWritable(asset, version)
    const received: Received[] = []
    try {
      await receiveFiles(form, services, received)
      await storeObjects(
        services,
        received.map(({ incoming }) => incoming),
      )
      const files = await transact(
        async tx => {
          // what `current` meant when the upload began
          const reached = await lockVersion(tx, caller, id, version.version, 'edit')
          return addFiles(tx, caller, reached, received, query.overwrite === true)
        },
        { subject: id, changed: ['files'] },
      )
      const shown = files.map(showFile)
      return { ...shown[0]!, files: shown }
    } finally {
      await Promise.all(received.map(({ incoming }) => incoming.discard()))
    }
  },
)

/** Adds all of the files to the version, in place of those that stand at the same paths if that is wanted. */
async function addFiles(
  tx: Tx,
  caller: Caller,
  { asset, version }: Reached,
  received: readonly Received[],
  overwrite: boolean,
): Promise<FileRow[]> {
  assertWritable(asset, version)
  const there = await filesOf(tx, version.id)
  const replaced = there.filter(file => received.some(({ path }) => path === file.path))
  const kept = there.filter(file => !replaced.includes(file))
  const paths = received.map(({ path }) => path)
  const clash = overwrite
    ? clashIn(
        kept.map(({ path }) => path),
        paths,
      )
    : clashIn(
        there.map(({ path }) => path),
        paths,
      )
  if (clash !== undefined) fail('FILE_EXISTS', { path: clash })
  assertRoom([...kept, ...received.map(({ incoming }) => incoming)])
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
    sayFilesChanged(tx, caller, asset, version.id),
  ])
  const now = await filesOf(tx, version.id)
  return paths.map(path => now.find(file => file.path === path)!)
}

function assertRoom(files: readonly { size: number }[]): void {
  if (files.length > limits.filesPerVersion) fail('TOO_MANY_FILES', { limit: limits.filesPerVersion })
  const bytes = files.reduce((sum, { size }) => sum + size, 0)
  if (bytes > limits.versionBytes) fail('FILE_TOO_LARGE', { limit: limits.versionBytes })
}
