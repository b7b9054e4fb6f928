import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import type { Blobs } from '../platform/adapters/blobs.ts'
import { openBlob } from '../platform/backup/sealed-blob.ts'
import { nowMs } from '../platform/clock.ts'
import { fileBlobName } from './backup.ts'
import { listBackups, readManifest } from './manifest.ts'
import { expiredBackups, type Retention } from './retention.ts'

/** The rest of an interrupted backup is deleted after this time. */
const staleMs = 24 * 3_600_000

/**
 * Deletes the backups that need not be kept, and then every part and every file that no kept backup has. Run it while no
 * backup is being made.
 */
export async function deleteExpired(blobs: Blobs, key: Buffer, retention: Retention): Promise<void> {
  const ids = await listBackups(blobs)
  const expired = new Set(expiredBackups(ids, retention))
  // without its manifest there is no backup, so that an interrupted deletion leaves no broken one
  for (const id of expired) await blobs.remove(`manifests/${id}`)
  const retained = ids.filter(id => !expired.has(id))
  for (const folder of ['databases', 'filelists'])
    await removeWhere(blobs, folder, name => !retained.some(id => name.split('/')[1] === id))
  if (expired.size === 0) return
  const used = new Set<string>()
  for (const id of retained) await addFiles(blobs, key, id, used)
  await removeWhere(blobs, 'files', name => !used.has(name))
}

async function removeWhere(blobs: Blobs, folder: string, isUnused: (name: string) => boolean): Promise<void> {
  for await (const { name, changedAtMs } of blobs.list(folder))
    if (isUnused(name) && nowMs() - changedAtMs > staleMs) await blobs.remove(name)
}

async function addFiles(blobs: Blobs, key: Buffer, id: string, used: Set<string>): Promise<void> {
  const { name } = (await readManifest(blobs, key, id)).files.list
  const bytes = Readable.from(openBlob(key, name, await blobs.read(name)), { objectMode: false })
  for await (const line of createInterface({ input: bytes }))
    used.add(fileBlobName(key, line.replace(/ .*/, '')))
}
