import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { allCaptured } from '#tests/support/elements.ts'
import { dataFolder, runProgram } from '#tests/support/processes.ts'

/** `npm run cluster`, without its arguments. */
export const clusterProgram = [process.execPath, join(import.meta.dirname, '../../../tools/cluster.ts')]

/** Fails with the command that installs what is missing. */
export function requirePrograms(programs: Record<string, string>): void {
  const missing = Object.entries(programs).filter(
    ([program]) => spawnSync('sh', ['-c', `command -v ${program}`]).status !== 0,
  )
  if (missing.length === 0) return
  const packages = missing.map(([, debianPackage]) => debianPackage).join(' ')
  throw new Error(
    `${missing.map(([program]) => program)} missing. Debian, without starting services: apt-get install ${packages}`,
  )
}

/** The processes that `npm run cluster` started. */
export type PatioCluster = ReturnType<typeof runProgram> & {
  /** The URL of HAProxy. */
  readonly url: string
  /** The current process of `api-1`, `worker-2`, `haproxy`. */
  pidOf(name: string): number
  /** The names of the processes that ended, in order. */
  ended(): string[]
}

/** Starts two api and two worker processes behind HAProxy and waits until they are ready. */
export async function startPatioCluster(env: Record<string, string>): Promise<PatioCluster> {
  requirePrograms({ haproxy: 'haproxy' })
  const program = runProgram([...clusterProgram, '--port', '0', '--folder', dataFolder()], env)
  const [, url = ''] = await program.waitForOutput(/^Patio is ready at (\S+)$/m)
  return {
    ...program,
    url,
    pidOf(name) {
      const pids = allCaptured(new RegExp(`^${name} is process (\\d+)$`, 'gm'), program.output())
      return Number(pids.at(-1))
    },
    ended: () => allCaptured(/^(\S+) ended \(/gm, program.output()),
  }
}
