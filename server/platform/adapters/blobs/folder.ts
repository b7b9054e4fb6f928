import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { ObjectMissing } from '../files/errors.ts'
import { removeStaleUploads } from '../files/spool.ts'
import type { Blobs } from './port.ts'
import { receiveBlob } from './receive.ts'

const readBytes = 1024 * 1024

/** Blobs in a folder. Bytes wait in its folder `incoming` until they are complete. */
export async function openFolderBlobs(root: string): Promise<Blobs> {
  const spool = join(root, 'incoming')
  await mkdir(spool, { recursive: true, mode: 0o700 })
  await removeStaleUploads(spool)
  return {
    async write(name, source) {
      const received = await receiveBlob(spool, source)
      const path = join(root, name)
      await sync(received.path)
      await mkdir(dirname(path), { recursive: true, mode: 0o700 })
      await rename(received.path, path)
      await sync(dirname(path))
      return { name, bytes: received.size, sha256: received.sha256 }
    },
    async read(name) {
      const file = await open(join(root, name)).catch(error => {
        if (error.code === 'ENOENT') throw new ObjectMissing(`There is no ${name}`)
        throw error
      })
      return file.createReadStream({ highWaterMark: readBytes })
    },
    async *list(folder) {
      for (const entry of await entriesOf(join(root, folder))) {
        if (!entry.isFile()) continue
        const path = join(entry.parentPath, entry.name)
        const { size, mtimeMs } = await stat(path)
        yield { name: path.slice(root.length + 1), bytes: size, changedAtMs: mtimeMs }
      }
    },
    remove: name => rm(join(root, name), { force: true }),
    close() {},
  }
}

async function entriesOf(folder: string) {
  return readdir(folder, { recursive: true, withFileTypes: true }).catch(error => {
    if (error.code === 'ENOENT') return []
    throw error
  })
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
