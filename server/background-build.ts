import { fork } from 'node:child_process'
import { constants, setPriority } from 'node:os'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')

/** A build that runs beside the server. */
export type BackgroundBuild = { isRunning(): boolean; stop(): void }

/**
 * Runs a program of this repository in a process of low priority. `ended` is called once, after its last output: with why it
 * failed, or undefined if it succeeded or was stopped. It must not throw.
 */
export function startBackgroundBuild(
  program: string,
  ended: (failure: string | undefined) => void,
): BackgroundBuild {
  const child = fork(join(root, program), [], { stdio: ['ignore', 'ignore', 'pipe', 'ipc'] })
  if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW)
  let errors = ''
  child.stderr?.on('data', piece => {
    errors += piece
  })
  let isRunning = true
  let isStopped = false
  function end(failure: string | undefined): void {
    if (!isRunning) return
    isRunning = false
    ended(isStopped ? undefined : failure)
  }
  child.once('error', error => end(`${error.message}\n`))
  // after its last output
  child.once('close', (code, signal) =>
    end(code === 0 ? undefined : errors || `${program} ended with ${signal ?? code}\n`),
  )
  return {
    isRunning: () => isRunning,
    stop() {
      isStopped = true
      child.kill()
    },
  }
}
