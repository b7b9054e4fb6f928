import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type BackgroundBuild, startBackgroundBuild } from './background-build.ts'
import type { Log } from './platform/log.ts'

/** Whether the packages for development are installed, with which the program is bundled. */
export function canBundle(): boolean {
  return existsSync(join(import.meta.dirname, '../node_modules/rolldown'))
}

/** Bundles the program for the next start. This start, and the next one if it fails, run the sources. */
export function startBundling(log: Log): BackgroundBuild {
  return startBackgroundBuild('tools/bundle.ts', errors => {
    if (errors !== undefined) log.warn({ errors }, 'the program cannot be bundled')
  })
}
