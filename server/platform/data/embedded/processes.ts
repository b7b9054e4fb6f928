import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, readlinkSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

type Found = { pid: number; isServer: boolean }

/** How long each step waits before the next, stronger one. */
type StopTimeouts = { leaveMs: number; fastMs: number; immediateMs: number }

const defaultTimeouts: StopTimeouts = { leaveMs: 0, fastMs: 15_000, immediateMs: 5_000 }
const pollMs = 20
const killMs = 10_000

/**
 * Ends every PostgreSQL process that works in `dir`: waits `leaveMs` for them to exit, then stops the server
 * in fast mode, then in immediate mode, then kills.
 *
 * Afterwards nothing holds the folder or its shared memory. Throws if a process survives kill -9.
 */
export async function clearProcesses(dir: string, timeouts: Partial<StopTimeouts> = {}): Promise<void> {
  const { leaveMs, fastMs, immediateMs } = { ...defaultTimeouts, ...timeouts }
  if (processesIn(dir).length === 0) return
  if (leaveMs && (await gone(dir, leaveMs))) return
  for (const [signal, ms] of [
    ['SIGINT', fastMs],
    ['SIGQUIT', immediateMs],
    ['SIGKILL', killMs],
  ] as const) {
    // Only the server handles the gentle signals, and passes them on. Backends without a server must be
    // killed.
    const targets = processesIn(dir).filter(found => found.isServer || signal === 'SIGKILL')
    if (targets.length === 0 && signal !== 'SIGKILL') continue
    for (const { pid } of targets) send(pid, signal)
    if (await gone(dir, ms)) return
  }
  throw new Error(`PostgreSQL processes in ${dir} do not exit: ${processesIn(dir).map(found => found.pid)}`)
}

/**
 * Removes the files that a killed server left behind. PostgreSQL would not start while any process, even a
 * zombie or a stranger with the same id, has the process id in them.
 */
export function forgetDeadServer(dir: string): void {
  // Without /proc we cannot be sure that nothing is left, so PostgreSQL's own files decide.
  if (process.platform !== 'linux' || processesIn(dir).length > 0) return
  for (const name of readdirSync(dir)) {
    if (name === 'postmaster.pid' || name.startsWith('.s.PGSQL.')) rmSync(join(dir, name), { force: true })
  }
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

async function gone(dir: string, withinMs: number): Promise<boolean> {
  const late = AbortSignal.timeout(withinMs)
  while (processesIn(dir).length > 0) {
    if (late.aborted) return false
    await sleep(pollMs)
  }
  return true
}

/** The PostgreSQL processes (including initdb) that work in the cluster folder `dir`. */
export function processesIn(dir: string): Found[] {
  // A process id in a file may belong to another process by now, and a new server has not written one. The
  // working folder identifies a process, and a zombie has none.
  const folder = statSync(dir, { bigint: true, throwIfNoEntry: false })
  if (!folder) return []
  if (process.platform !== 'linux') return serverByPidFile(dir)
  return readdirSync('/proc').flatMap(name => {
    if (!/^\d+$/.test(name)) return []
    try {
      if (!/\/(postgres|initdb)( \(deleted\))?$/.test(readlinkSync(`/proc/${name}/exe`))) return []
      const place = statSync(`/proc/${name}/cwd`, { bigint: true })
      if (place.ino !== folder.ino || place.dev !== folder.dev) return []
      const title = readFileSync(`/proc/${name}/cmdline`, 'utf8')
      return [{ pid: Number(name), isServer: !title.startsWith('postgres: ') }]
    } catch {
      return []
    }
  })
}

/** Without /proc, only the server itself can be found; its children follow it. */
function serverByPidFile(dir: string): Found[] {
  try {
    const pid = Number(readFileSync(join(dir, 'postmaster.pid'), 'utf8').split('\n')[0])
    const command = execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' })
    return command.includes(`postgres -D ${dir}`) ? [{ pid, isServer: true }] : []
  } catch {
    return []
  }
}
