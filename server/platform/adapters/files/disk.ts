import { mkdir, open, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { ObjectMissing, onDisk } from './errors.ts'
import { mapConcurrently } from './map-concurrently.ts'
import type { Files } from './port.ts'
import { receiveInto, removeStaleUploads, type Spooled } from './spool.ts'

const readBytes = 128 * 1024

/**
 * Objects as files below `root`, which several processes may share: `objects/ab/<digest>`. A file is written
 * to `incoming`, synced, and then renamed, so that no name ever leads to a partial object.
 */
export async function openDisk(root: string): Promise<Files> {
  const spool = join(root, 'incoming')
  const objects = join(root, 'objects')
  const pathOf = (sha256: string) => join(objects, sha256.slice(0, 2), sha256)
  for (const folder of [spool, objects]) await mkdir(folder, { recursive: true, mode: 0o700 })

  async function isThere({ sha256, size }: Spooled): Promise<boolean> {
    return stat(pathOf(sha256)).then(
      there => there.size === size,
      () => false,
    )
  }

  async function move(one: Spooled): Promise<string> {
    const path = pathOf(one.sha256)
    const folder = dirname(path)
    if (await isThere(one)) await one.discard()
    else {
      await seal(one.path)
      if (await mkdir(folder, { recursive: true, mode: 0o700 })) await sync(objects)
      await rename(one.path, path)
    }
    return folder
  }

  return {
    receive: (source, maxBytes, isOwn) => receiveInto(spool, source, maxBytes, isOwn),
    async put(incoming) {
      await onDisk(async () => {
        const folders = await mapConcurrently(incoming as readonly Spooled[], move)
        // also for existing objects: another process may have renamed them only just now
        await mapConcurrently([...new Set(folders)], sync)
      })
    },
    async open(sha256, range) {
      if (range?.length === 0) return Readable.from([])
      const file = await onDisk(() =>
        open(pathOf(sha256), 'r').catch(error => {
          if (error.code === 'ENOENT') throw new ObjectMissing(`There is no object ${sha256}`)
          throw error
        }),
      )
      return file.createReadStream({
        highWaterMark: readBytes,
        ...(range && { start: range.start, end: range.start + range.length - 1 }),
      })
    },
    async remove(sha256) {
      await onDisk(async () => {
        await rm(pathOf(sha256), { force: true })
        await sync(dirname(pathOf(sha256))).catch(() => {})
      })
    },
    removeStaleUploads: () => onDisk(() => removeStaleUploads(spool)),
    close() {},
  }
}

/** Returns once the file is on disk, and makes it read-only: a stored object never changes. */
async function seal(path: string): Promise<void> {
  const file = await open(path, 'r')
  try {
    await file.chmod(0o400)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** Returns once the file, or the names in the folder, are on disk. */
async function sync(path: string): Promise<void> {
  const file = await open(path, 'r')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}
