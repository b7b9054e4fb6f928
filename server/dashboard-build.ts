import { fork } from 'node:child_process'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { join } from 'node:path'

/** The folder that `npm run build` writes. */
export const builtFolder = join(import.meta.dirname, '../dashboard/dist')
/** The last file of a build, with the digest of its sources. */
export const builtFromFile = '.built-from'
const runningMark = '.building'

/** A build that runs beside the start of the server. */
export type DashboardBuild = { isRunning(): boolean; stop(): void }

const advice = 'The dashboard could not be built. Run npm run build, or set DASHBOARD=off.\n'

/**
 * Builds the dashboard in a process of low priority (DSH-5). A failed build is reported, and the server runs
 * without a dashboard.
 */
export function startDashboardBuild(): DashboardBuild | undefined {
  const mark = join(builtFolder, runningMark)
  try {
    mkdirSync(builtFolder, { recursive: true })
    // the pages of an earlier version must not call the API of this one
    rmSync(join(builtFolder, builtFromFile), { force: true })
    writeFileSync(mark, '')
  } catch (error) {
    process.stderr.write(`${advice}${(error as Error).message}\n`)
    return undefined
  }
  const program = join(import.meta.dirname, '../dashboard/build/build.ts')
  const child = fork(program, [], { stdio: ['ignore', 'ignore', 'pipe', 'ipc'] })
  if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW)
  let errors = ''
  child.stderr?.on('data', chunk => {
    errors += chunk
  })
  let isRunning = true
  let isStopped = false
  function end(reason = ''): void {
    if (!isRunning) return
    isRunning = false
    rmSync(mark, { force: true })
    if (isStopped || existsSync(join(builtFolder, builtFromFile))) return
    process.stderr.write(`${advice}${errors}${reason}`)
  }
  child.once('error', error => end(`${error.message}\n`))
  // after its last output
  child.once('close', () => end())
  return {
    isRunning: () => isRunning,
    stop() {
      isStopped = true
      child.kill()
    },
  }
}

/** Whether the build that `npm start` began still runs. */
export function isDashboardBuildRunning(folder: string): boolean {
  return existsSync(join(folder, runningMark))
}
