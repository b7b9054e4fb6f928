import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, readlinkSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

type Found = { pid: number; isServer: boolean }

/** How long each step waits, in milliseconds, before the next and harder one. */
type Patience = { leaveMs: number; fastMs: number; immediateMs: number }

const usualPatience: Patience = { leaveMs: 0, fastMs: 15_000, immediateMs: 5_000 }
const pollMs = 20
const killMs = 10_000

/**
 * Ends every PostgreSQL process that works in `dir`: waits `leaveMs` for them to go by themselves, then stops
 * the server in fast mode, then in immediate mode, then kills.
 *
 * Afterwards nothing holds the folder or its shared memory. Throws when something survives even kill -9.
 */
export async function clearProcesses(dir: string, patience: Partial<Patience> = {}): Promise<void> {
  const { leaveMs, fastMs, immediateMs } = { ...usualPatience, ...patience }
  if (processesIn(dir).length === 0) return
  if (leaveMs && (await gone(dir, leaveMs))) return
  for (const [signal, ms] of [
    ['SIGINT', fastMs],
    ['SIGQUIT', immediateMs],
    ['SIGKILL', killMs],
  ] as const) {
    // Only the server understands the gentle signals; it passes them on. Backends without one must be killed.
    const targets = processesIn(dir).filter(found => found.isServer || signal === 'SIGKILL')
    if (targets.length === 0 && signal !== 'SIGKILL') continue
    for (const { pid } of targets) send(pid, signal)
    if (await gone(dir, ms)) return
  }
  throw new Error(`PostgreSQL processes in ${dir} do not end: ${processesIn(dir).map(found => found.pid)}`)
}

/**
 * Removes what a killed server left to say that it runs. PostgreSQL believes it as long as any process, even a
 * zombie nobody reaped or a stranger that got the same id, answers to the id in it, and would not start.
 */
export function forgetDeadServer(dir: string): void {
  // Without /proc we cannot be sure that nothing is left, so the word of PostgreSQL stands.
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

/** The PostgreSQL processes (also initdb) that work in the cluster folder `dir`. */
export function processesIn(dir: string): Found[] {
  // A process id from a file can be anybody's by now, and a server that has just begun has not written one.
  // The folder a process works in is its true identity, and a zombie has none.
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

/** Where there is no /proc only the server itself can be found; its children follow it. */
function serverByPidFile(dir: string): Found[] {
  try {
    const pid = Number(readFileSync(join(dir, 'postmaster.pid'), 'utf8').split('\n')[0])
    const command = execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' })
    return command.includes(`postgres -D ${dir}`) ? [{ pid, isServer: true }] : []
  } catch {
    return []
  }
}
