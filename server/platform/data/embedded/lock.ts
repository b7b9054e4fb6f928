import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

export type DataDirLock = { release(): void }

const SQLITE_BUSY = 5

// A lock that loses its last reference would be closed by the garbage collector, and so given up.
const held = new Set<DatabaseSync>()

/**
 * Makes this process the only owner of `dataDir` until `release()` or its death, whatever the death.
 *
 * Throws when another process holds it, naming that process. `patio.pid` is for people and for that
 * message; nothing is ever decided by it.
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
    // Node has no flock. SQLite takes a lock of the operating system on its file, which dies with its
    // process: there is no stale lock to recognise after kill -9, and a reused process id means nothing.
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
        'Stop it first, or give this one a data folder of its own.',
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
