import { spawnSync } from 'node:child_process'
import { appendFileSync, rmSync, statfsSync } from 'node:fs'
import { join } from 'node:path'
import { firstOf } from './elements.ts'

/** Mounts below need root, or a user namespace. */
const namespaces = ['-m', '-Urm'].filter(
  flags => spawnSync('unshare', [flags, 'mount', '-t', 'tmpfs', 'x', '/mnt']).status === 0,
)
export const canMount = namespaces.length > 0

/**
 * Runs a program so that `folder` is a disk of its own, of `mib` mebibytes, which only it and its children see. It
 * begins with the files of `model`.
 */
export function onSmallDisk(folder: string, mib: number, model?: string): string[] {
  const copy = model === undefined ? '' : `cp -a '${model}/.' '${folder}' && `
  const script = `mount -t tmpfs -o size=${mib}m,mode=755 tmpfs '${folder}' && ${copy}exec "$@"`
  return ['unshare', firstOf(namespaces), 'sh', '-c', script, 'sh']
}

/** A folder as a process sees it. */
export function folderOf({ pid }: { pid: number }, folder: string): string {
  return `/proc/${pid}/root${folder}`
}

/** Fills the disk of a folder with a file in it, up to `leaveMib`. */
export function fillDisk(folder: string, leaveMib = 0): void {
  for (const bytes of [1024 * 1024, 4096]) {
    try {
      while (leaveMib === 0 || freeMib(folder) > leaveMib)
        appendFileSync(join(folder, 'filler'), Buffer.alloc(bytes))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
    }
  }
}

export function freeDisk(folder: string): void {
  rmSync(join(folder, 'filler'), { force: true })
}

export function freeMib(folder: string): number {
  const { bavail, bsize } = statfsSync(folder)
  return Math.floor((bavail * bsize) / 1024 / 1024)
}
