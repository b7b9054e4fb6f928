import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

const builds = ['dashboard/build/build.ts', 'tools/bundle.ts']

/** Vitest's global setup: builds the dashboard and bundles the program, if their sources changed since the last time. */
export function setup(): void {
  for (const build of builds) {
    const { status, stderr } = spawnSync(process.execPath, [build], {
      cwd: join(import.meta.dirname, '../..'),
      encoding: 'utf8',
      // as users get it: Vitest says “test”, with which React would be the one for development
      env: { ...process.env, NODE_ENV: 'production' },
    })
    if (status !== 0) throw new Error(`${build} failed:\n${stderr}`)
  }
}
