import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

export type DataDirLock = { release(): void }

const SQLITE_BUSY = 5

// Keeps a reference, because the garbage collector would close the lock and release it.
const held = new Set<DatabaseSync>()

/**
 * Makes this process the only user of `dataDir` until `release()` or the end of the process, however it ends.
 *
 * Throws if another process holds the lock, and names it. `patio.pid` serves people and that message only.
 */
export function lockDataDir(dataDir: string): DataDirLock {
  const lock = takeLock(dataDir)
  held.add(lock)
  writeFileSync(pidFile(dataDir), `${process.pid}\n`)
  return {
    release() {
      if (!held.delete(lock)) return
      rmSync(pidFile(dataDir), { force: true })
      lock.close()
    },
  }
}

function takeLock(dataDir: string): DatabaseSync {
  let lock: DatabaseSync | undefined
  try {
    // Node has no flock. SQLite takes an operating system lock on its file, which ends with its process:
    // there is no stale lock after kill -9, and a reused process id does not matter.
    lock = new DatabaseSync(join(dataDir, 'patio.lock'))
    lock.exec('pragma locking_mode = exclusive; begin exclusive')
    return lock
  } catch (cause) {
    lock?.close()
    const { errcode, message } = cause as { errcode?: number; message: string }
    if (errcode !== SQLITE_BUSY)
      throw new Error(`the data folder ${dataDir} cannot be used: ${message}`, { cause })
    throw new Error(
      `another Patio is already running on ${dataDir} (process ${ownerOf(dataDir)}). ` +
        'Stop it first, or set DATA_DIR to another folder.',
    )
  }
}

function ownerOf(dataDir: string): string {
  try {
    return readFileSync(pidFile(dataDir), 'utf8').trim() || 'unknown'
  } catch {
    return 'unknown'
  }
}

function pidFile(dataDir: string): string {
  return join(dataDir, 'patio.pid')
}
