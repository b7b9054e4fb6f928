import { existsSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'

const memory = '/dev/shm'
const roomBytes = 2 * 1024 ** 3

/**
 * Where tests put databases: in memory where that has 2 GB to spare, else in the folder for temporary files.
 * Copying a database means hundreds of small files, several times faster there. Programs may not be executable.
 */
export function databaseFolder(): string {
  if (!existsSync(memory)) return tmpdir()
  const { bavail, bsize } = statfsSync(memory)
  return bavail * bsize > roomBytes ? memory : tmpdir()
}
