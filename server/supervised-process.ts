import { type ChildProcess, fork } from 'node:child_process'
import { join } from 'node:path'
import { wrongSettingsExit } from './config.ts'
import type { Log } from './platform/log.ts'

/**
 * The space for short-lived objects. An API process holds requests for the milliseconds of a commit, a worker
 * its deliveries for a moment: in a smaller space they would be promoted before they are garbage. An idle
 * process does not keep it.
 */
export const youngGenerationFlags = {
  api: ['--max-semi-space-size=32'],
  worker: ['--max-semi-space-size=64'],
} as const
const firstPauseMs = 100
const longestPauseMs = 5_000
const stableMs = 30_000

export type SupervisedProcess = {
  /** Resolves with the address of an API process when the process is ready. */
  ready: Promise<{ address?: string }>
  /**
   * Resolves with the exit code of a process with invalid settings, for instance because its port is taken.
   */
  misconfigured: Promise<number>
  stop(): Promise<void>
}

type Supervision = {
  /** The environment of the process. Until it is there, the process loads its program. */
  settings: Promise<NodeJS.ProcessEnv>
  log: Log
  /** How long the process may take to stop before it is killed. */
  stopTimeoutMs: number
}

/** Starts a process of this program, and keeps one running until `stop()`. */
export function superviseProcess(
  command: 'api' | 'worker',
  { settings, log, stopTimeoutMs }: Supervision,
): SupervisedProcess {
  const { promise: ready, resolve: resolveReady } = Promise.withResolvers<{ address?: string }>()
  const { promise: misconfigured, resolve: resolveMisconfigured } = Promise.withResolvers<number>()
  let child: ChildProcess
  let isStopping = false
  let pauseMs = firstPauseMs
  let timer: NodeJS.Timeout | undefined

  function start(): void {
    const startedAt = performance.now()
    const started = fork(join(import.meta.dirname, 'main.mjs'), [command, supervisedFlag], {
      execArgv: [...process.execArgv, ...youngGenerationFlags[command]],
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    })
    child = started
    // a process that has ended meanwhile is replaced by another one
    settings.then(environment => started.send(environment, () => {}))
    started.on('message', message => resolveReady(message as { address?: string }))
    started.once('error', error => {
      log.error({ err: error, command }, 'a process could not be started')
      if (started.pid === undefined) startAgain()
    })
    started.once('exit', (code, signal) => {
      if (isStopping) return
      if (code === wrongSettingsExit) return resolveMisconfigured(code)
      if (performance.now() - startedAt > stableMs) pauseMs = firstPauseMs
      log.error({ command, code, signal, pauseMs }, 'a process ended and is restarted')
      startAgain()
    })
  }
  function startAgain(): void {
    timer = setTimeout(start, pauseMs)
    pauseMs = Math.min(pauseMs * 2, longestPauseMs)
  }
  start()

  return {
    ready,
    misconfigured,
    async stop() {
      isStopping = true
      clearTimeout(timer)
      if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
      const exited = new Promise(resolve => child.once('exit', resolve))
      child.kill('SIGTERM')
      const force = setTimeout(() => child.kill('SIGKILL'), stopTimeoutMs)
      await exited
      clearTimeout(force)
    },
  }
}

/** The argument of a process whose settings come from its supervisor. */
const supervisedFlag = '--supervised'

/** Whether `superviseProcess` started this process with these arguments. */
export function isSupervised(args: readonly string[]): boolean {
  return args.includes(supervisedFlag) && process.send !== undefined
}

/**
 * The environment that the supervisor sends to this process. Until then the process ends with its supervisor, and leaves
 * Ctrl-C to it.
 */
export function settingsOfSupervisor(): Promise<NodeJS.ProcessEnv> {
  return new Promise(resolve => {
    const end = () => process.exit()
    const ignore = () => {}
    process.on('disconnect', end).on('SIGINT', ignore).on('SIGHUP', ignore)
    process.once('message', settings => {
      process.off('disconnect', end).off('SIGINT', ignore).off('SIGHUP', ignore)
      resolve(settings as NodeJS.ProcessEnv)
    })
  })
}
