import { fork } from 'node:child_process'
import { existsSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { join } from 'node:path'
import type { Log } from './platform/log.ts'

const root = join(import.meta.dirname, '..')

/** Whether the packages for development are installed, with which the program is bundled. */
export function canBundle(): boolean {
  return existsSync(join(root, 'node_modules/rolldown'))
}

/**
 * Bundles the program for the next start, in a process of low priority. This start, and the next one if it fails, run the sources.
 */
export function startBundling(log: Log): { stop(): void } {
  const child = fork(join(root, 'tools/bundle.ts'), [], { stdio: ['ignore', 'ignore', 'pipe', 'ipc'] })
  if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW)
  let errors = ''
  child.stderr?.on('data', piece => {
    errors += piece
  })
  let isStopped = false
  child.once('error', err => log.warn({ err }, 'the program cannot be bundled'))
  // after its last output
  child.once('close', code => {
    if (code !== 0 && !isStopped) log.warn({ errors }, 'the program cannot be bundled')
  })
  return {
    stop() {
      isStopped = true
      child.kill()
    },
  }
}
