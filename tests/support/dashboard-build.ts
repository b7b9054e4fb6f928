import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { isBuilt } from '../../dashboard/build/digest.mjs'

/** Vitest's global setup: builds the dashboard if its sources changed since the last build. */
export function setup(): void {
  if (isBuilt()) return
  const repository = join(import.meta.dirname, '../..')
  const { status, stderr } = spawnSync(process.execPath, ['dashboard/build/build.ts'], {
    cwd: repository,
    encoding: 'utf8',
    // as users get it: Vitest says “test”, with which React would be the one for development
    env: { ...process.env, NODE_ENV: 'production' },
  })
  if (status !== 0) throw new Error(`The dashboard could not be built:\n${stderr}`)
}
