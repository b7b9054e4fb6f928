import { existsSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'

const memory = '/dev/shm'
const roomBytes = 2 * 1024 ** 3

/**
 * The folder for test databases: in memory if it has 2 GB of free space, else the temporary folder. Copying a
 * database writes hundreds of small files, which is several times faster in memory. Programs may not be
 * executable there.
 */
export function databaseFolder(): string {
  if (!existsSync(memory)) return tmpdir()
  const { bavail, bsize } = statfsSync(memory)
  return bavail * bsize > roomBytes ? memory : tmpdir()
}
