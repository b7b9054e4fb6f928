import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type BackgroundBuild, startBackgroundBuild } from './background-build.ts'

/** The folder that `npm run build` writes. */
export const builtFolder = join(import.meta.dirname, '../dashboard/dist')
/** The last file of a build, with the digest of its sources. */
export const builtFromFile = '.built-from'
const runningMark = '.building'

const advice = 'The dashboard could not be built. Run npm run build, or set DASHBOARD=off.\n'

/** Builds the dashboard (DSH-5). A failed build is reported, and the server runs without a dashboard. */
export function startDashboardBuild(): BackgroundBuild | undefined {
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
  return startBackgroundBuild('dashboard/build/build.ts', failure => {
    rmSync(mark, { force: true })
    if (failure !== undefined) process.stderr.write(`${advice}${failure}`)
  })
}

/** Whether the build that `npm start` began still runs. */
export function isDashboardBuildRunning(folder: string): boolean {
  return existsSync(join(folder, runningMark))
}
