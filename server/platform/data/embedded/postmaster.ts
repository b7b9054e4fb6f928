import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, copyFileSync, openSync, readFileSync, renameSync, statSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { SystemAccount } from './account.ts'
import { clearProcesses, forgetDeadServer } from './processes.ts'
import { dataArgument } from './program.ts'
import { bareEnvironment, type Software } from './software.ts'

export type Postmaster = {
  pid: number
  /** Resolves with a short reason when the process has ended. */
  ended: Promise<string>
  /** Requests a fast stop; does nothing if the process has ended. */
  interrupt(): void
  /** Whether a running PostgreSQL keeps this process alive. Otherwise it is stopped with this process. */
  hold(isHeld: boolean): void
}

export type Launch = {
  software: Software
  dir: string
  account: SystemAccount
  settings: Record<string, string>
  logFile: string
}

const logLimitBytes = 10 * 1024 * 1024
const readyPollMs = 5
const readyLimitMs = 300_000

/**
 * Starts the server of a cluster and waits until it accepts connections, through crash recovery if necessary.
 *
 * Throws with the last lines of its log if it ends before that, or takes longer than five minutes.
 */
export async function launch({ software, dir, account, settings, logFile }: Launch): Promise<Postmaster> {
  forgetDeadServer(dir)
  boundLog(logFile, 'moving')
  const log = openSync(logFile, 'a', 0o600)
  const logStart = sizeOf(logFile)
  const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const child = spawn(join(software.dir, 'bin/postgres'), ['-D', dataArgument(dir), ...options], {
    ...account,
    cwd: dir,
    env: bareEnvironment,
    // A session of its own: Ctrl-C reaches the whole foreground group, and the API must drain first.
    detached: true,
    stdio: ['ignore', log, log],
  })
  closeSync(log)
  const exited = new Promise<string>(resolve => {
    child.on('error', error => resolve(error.message))
    child.on('exit', (code, signal) => resolve(signal ? `signal ${signal}` : `exit code ${code}`))
  })
  const lifeline = child.pid ? tieToUs(child.pid) : undefined
  const ended = exited.then(how => {
    lifeline?.kill('SIGKILL')
    return how
  })
  const outcome = await Promise.race([ended, ready(dir, child)])
  if (outcome !== 'ready') {
    await clearProcesses(dir)
    const output = readFileSync(logFile).subarray(logStart).toString().trim().split('\n').slice(-6).join('\n')
    throw new Error(`PostgreSQL did not start (${outcome}): ${output}`)
  }
  return {
    pid: child.pid!,
    ended,
    interrupt: () => void child.kill('SIGINT'),
    hold(isHeld) {
      for (const one of [child, lifeline]) isHeld ? one?.ref() : one?.unref()
    },
  }
}

async function ready(dir: string, child: ChildProcess): Promise<string> {
  const late = AbortSignal.timeout(readyLimitMs)
  while (child.exitCode === null && child.signalCode === null) {
    const [pid, , , , , , , status] = readPidFile(dir)
    if (pid === String(child.pid) && status?.trim() === 'ready') return 'ready'
    if (late.aborted) return 'not ready in time'
    await sleep(readyPollMs)
  }
  return new Promise(() => {})
}

function readPidFile(dir: string): string[] {
  try {
    return readFileSync(join(dir, 'postmaster.pid'), 'utf8').split('\n')
  } catch {
    return []
  }
}

/**
 * A small process that waits at a pipe from this one. However this process ends, including kill -9 and
 * process.exit(), the pipe closes and the small process stops PostgreSQL.
 */
function tieToUs(pid: number): ChildProcess {
  const wait = 'read -r _; kill -INT "$1" 2>/dev/null'
  const lifeline = spawn('/bin/sh', ['-c', wait, 'patio-postgres-lifeline', String(pid)], {
    detached: true,
    env: bareEnvironment,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  lifeline.on('error', () => {})
  lifeline.stdin!.on('error', () => {})
  return lifeline
}

/**
 * Keeps the log below twice 10 MB: a full log becomes `….1`. A running server keeps its file open, so the
 * file is then copied and truncated instead of moved.
 */
export function boundLog(logFile: string, how: 'moving' | 'copying'): void {
  if (sizeOf(logFile) < logLimitBytes) return
  if (how === 'moving') {
    renameSync(logFile, `${logFile}.1`)
  } else {
    copyFileSync(logFile, `${logFile}.1`)
    truncateSync(logFile)
  }
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0
}
