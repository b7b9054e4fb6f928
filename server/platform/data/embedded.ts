import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../ports.ts'
import { chooseAccount, leaveToOwner } from './embedded/account.ts'
import { database, openCluster, role } from './embedded/cluster.ts'
import { lockDataDir } from './embedded/lock.ts'
import { boundLog, type Launch, launch, type Postmaster } from './embedded/postmaster.ts'
import { clearProcesses } from './embedded/processes.ts'
import { prepareSoftware } from './embedded/software.ts'

export { embeddedPlatformPackage } from './embedded/software.ts'

export type EmbeddedOptions = {
  /** The cluster lives in `dataDir/postgres`, its log in `dataDir/postgres.log`. */
  dataDir: string
  /**
   * The loopback port to listen on. Without it, PostgreSQL uses a private unix socket, or a free port if it
   * cannot.
   */
  port?: number
  /** Extra PostgreSQL settings for this run, such as `{ fsync: 'off' }`. They override postgresql.conf. */
  settings?: Record<string, string>
  log: (level: 'info' | 'warn' | 'error', message: string, extra?: Record<string, unknown>) => void
  /** PostgreSQL ended unexpectedly and is being restarted. */
  onDown?: (reason: string) => void
  /** PostgreSQL accepts connections again after `onDown`. */
  onUp?: () => void
}

export type EmbeddedPostgres = {
  /** For node-postgres and libpq. The role `patio` owns the database `patio` and is not a superuser. */
  url: string
  /**
   * Stops PostgreSQL (open transactions are rolled back) and unlocks the data folder. Leaves no process
   * behind.
   */
  stop(): Promise<void>
  /** The process id of the running server; it changes with every restart. */
  pid(): number
}

const firstPauseMs = 100
const longestPauseMs = 5_000
const stableMs = 30_000
const logCheckMs = 60_000
const backendExitMs = 2_000
// The server of another user may occupy a port, so the start is repeated with another one.
const startAttempts = 3
// The address of a unix socket holds 104 bytes, including the closing zero, on macOS, and 108 on Linux.
const longestSocketPath = 103

/**
 * Starts the embedded PostgreSQL, creates its cluster on the first start, and restarts the server when it
 * dies, with growing pauses, until `stop()`.
 *
 * Throws if another Patio uses the folder (with its process id), if there is no package for this platform, if
 * the folder contains something other than our cluster, and with the end of the log if the server does not
 * start.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const dataDir = resolve(options.dataDir)
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const lock = lockDataDir(dataDir)
  try {
    const account = chooseAccount(dataDir)
    const software = prepareSoftware(dataDir, account)
    const isDurable = options.settings?.fsync !== 'off'
    const cluster = await openCluster(software, dataDir, account, { isDurable })
    if (cluster.isNew) options.log('info', 'created a PostgreSQL cluster', { folder: cluster.dir })
    const logFile = join(dataDir, 'postgres.log')
    const common = { software, dir: cluster.dir, account, logFile }
    const { server, auth } = await firstLaunch(common, options)
    leaveToOwner(dataDir, ['patio.lock', 'patio.pid', 'postgres.log'])
    const supervisor = superviseServer(
      server,
      { ...common, settings: { ...options.settings, ...auth.settings } },
      options,
    )
    return {
      url: `postgres://${role}:${cluster.password}@${auth.host}/${database}`,
      pid: supervisor.pid,
      async stop() {
        await supervisor.stop()
        lock.release()
      },
    }
  } catch (error) {
    lock.release()
    throw error
  }
}

type ListenAddress = { host: string; settings: Record<string, string> }

async function firstLaunch(common: Omit<Launch, 'settings'>, options: EmbeddedOptions) {
  for (let attempt = 1; ; attempt++) {
    const auth = await chooseListenAddress(common.dir, options.port)
    try {
      const settings = { ...options.settings, ...auth.settings }
      return { auth, server: await launch({ ...common, settings }) }
    } catch (error) {
      if (attempt === startAttempts) throw error
      options.log('warn', 'PostgreSQL did not start, retrying', { reason: (error as Error).message })
      await sleep(firstPauseMs * attempt)
    }
  }
}

async function chooseListenAddress(dir: string, port?: number): Promise<ListenAddress> {
  if (port === undefined && Buffer.byteLength(join(dir, '.s.PGSQL.5432')) <= longestSocketPath) {
    // The cluster folder has mode 700, so only its owner and root can reach the password.
    const settings = { listen_addresses: '', unix_socket_directories: '.', port: '5432' }
    return { host: encodeURIComponent(dir), settings }
  }
  const chosen = port ?? (await freePort('127.0.0.1'))
  const settings = { listen_addresses: '127.0.0.1', unix_socket_directories: '', port: String(chosen) }
  return { host: `127.0.0.1:${chosen}`, settings }
}

/** Restarts the server whenever it ends unexpectedly. */
function superviseServer(first: Postmaster, launchOptions: Launch, { log, onDown, onUp }: EmbeddedOptions) {
  const stopping = new AbortController()
  let server = first
  let failures = 0

  async function watch(): Promise<void> {
    while (!stopping.signal.aborted) {
      const stableTimer = setTimeout(() => (failures = 0), stableMs).unref()
      server.hold(false)
      const reason = await server.ended
      clearTimeout(stableTimer)
      if (stopping.signal.aborted) return
      log('error', 'PostgreSQL died, restarting it', { reason, log: launchOptions.logFile })
      onDown?.(reason)
      await revive()
    }
  }

  async function revive(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        await sleep(Math.min(firstPauseMs * 2 ** failures++, longestPauseMs), undefined, stopping)
        // Backends of the dead server still hold its shared memory; they exit when they notice.
        await clearProcesses(launchOptions.dir, { leaveMs: backendExitMs })
        stopping.signal.throwIfAborted()
        server = await launch(launchOptions)
        if (stopping.signal.aborted) return
        log('info', 'PostgreSQL is running again', { pid: server.pid })
        onUp?.()
        return
      } catch (error) {
        if (stopping.signal.aborted) return
        log('error', 'PostgreSQL does not start', { reason: (error as Error).message })
      }
    }
  }

  const logCheck = setInterval(() => {
    try {
      boundLog(launchOptions.logFile, 'copying')
    } catch (error) {
      log('warn', 'the log of PostgreSQL cannot be truncated', { reason: (error as Error).message })
    }
  }, logCheckMs).unref()
  const watching = watch()
  let stopped: Promise<void> | undefined

  async function stop(): Promise<void> {
    stopping.abort()
    clearInterval(logCheck)
    server.hold(true)
    server.interrupt()
    // The first call ends a launch in progress; the second, whatever the first one missed.
    await clearProcesses(launchOptions.dir)
    await watching
    await clearProcesses(launchOptions.dir)
  }

  return { pid: () => server.pid, stop: () => (stopped ??= stop()) }
}
