import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { isBuilt } from '../dashboard/build/digest.mjs'
import { chooseAddress } from './address.ts'
import type { BackgroundBuild } from './background-build.ts'
import { startBackupSchedule } from './backup/schedule.ts'
import { bundledCommands } from './bundle.mjs'
import { canBundle, startBundling } from './bundle-build.ts'
import { type Config, environmentOf } from './config.ts'
import { startDashboardBuild } from './dashboard-build.ts'
import { demoFileOf, firstRun, loadDemoAhead } from './first-run.ts'
import { type EmbeddedPostgres, startEmbedded } from './platform/data/embedded.ts'
import { migrate } from './platform/data/migrate.ts'
import { type Log, openLog } from './platform/log.ts'
import { quickStart } from './quick-start.ts'
import { superviseProcess } from './supervised-process.ts'

/** How long a child may take to stop, in addition to its drain. */
const stopMs = 5_000

/**
 * Runs a whole server: embedded PostgreSQL unless DATABASE_URL is set, migrations, demo data on the first
 * start, and one worker and one API process, which are restarted with growing pauses when they die. Ctrl-C,
 * SIGTERM, or a process with invalid settings stops everything in order and leaves no process.
 */
export async function up(initialConfig: Config): Promise<number> {
  const log = openLog(initialConfig.logLevel === 'info' ? 'warn' : initialConfig.logLevel, 'up')
  const stopping = new AbortController()
  const stopped = new Promise<void>(resolve =>
    stopping.signal.addEventListener('abort', () => resolve(), { once: true }),
  )
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stopping.abort())

  // a terminal that is gone, or a file on a full disk, ends nothing
  process.stdout.on('error', () => {})
  const print = (text: string) => process.stdout.write(`${text}\n`)
  const mustBuild = initialConfig.dashboard !== 'off' && !isBuilt()
  // beside everything that the first start does
  const dashboardBuild = mustBuild ? startDashboardBuild() : undefined
  stopping.signal.addEventListener('abort', () => dashboardBuild?.stop())
  const { promise: settings, resolve: resolveSettings } = Promise.withResolvers<NodeJS.ProcessEnv>()
  const stopTimeoutMs = (initialConfig.drainDelaySeconds + initialConfig.drainSeconds) * 1000 + stopMs
  // beside the database: they load their programs until they get their settings
  const children = (['worker', 'api'] as const).map(command =>
    superviseProcess(command, { settings, log, stopTimeoutMs }),
  )
  let embedded: EmbeddedPostgres | undefined
  let backups: ReturnType<typeof startBackupSchedule> | undefined
  let bundling: BackgroundBuild | undefined
  try {
    loadDemoAhead(initialConfig)
    if (initialConfig.databaseUrl === undefined) embedded = await openEmbedded(initialConfig.dataDir, log)
    const databaseUrl = initialConfig.databaseUrl ?? embedded!.url
    const config = { ...(await chooseAddress(initialConfig)), databaseUrl }
    const applied = await migrate(databaseUrl)
    if (applied.length > 0) print(`Database ready (${applied.length} migrations applied).`)
    await firstRun(config, print)
    if (stopping.signal.aborted) return 0

    resolveSettings(environmentOf(mustBuild ? { ...config, dashboard: 'building' } : config))
    const { backup } = config
    if (backup && backup.everyHours > 0) backups = startBackupSchedule(config, backup, log)
    const ended = Promise.race([stopped.then(() => 0), ...children.map(child => child.misconfigured)])
    const allReady = Promise.all(children.map(child => child.ready))
    const ready = await Promise.race([allReady, ended])
    const isBuilding = dashboardBuild?.isRunning() ?? false
    if (typeof ready !== 'number') {
      print(banner(config, ready[1]!.address ?? config.publicUrl, isBuilding))
      // as the dashboard, only where something may be built
      if (config.dashboard !== 'off' && bundledCommands() === undefined && canBundle())
        bundling = startBundling(log)
    }
    return await ended
  } finally {
    dashboardBuild?.stop()
    bundling?.stop()
    await backups?.stop()
    await Promise.all(children.map(child => child.stop()))
    await embedded?.stop()
    if (stopping.signal.aborted) print('Stopped.')
  }
}

/**
 * The file with the database URL of a running server, so that small jobs can use it without stopping the
 * server.
 */
export function databaseUrlFile(dataDir: string): string {
  return join(dataDir, 'database.url')
}

async function openEmbedded(dataDir: string, log: Log): Promise<EmbeddedPostgres> {
  const embedded = await startEmbedded({
    dataDir,
    log: (level, message, extra) => log[level](extra ?? {}, message),
  }).catch(error => {
    // the message explains to people why it cannot start
    throw Object.assign(error, { isForPeople: true })
  })
  const urlFile = databaseUrlFile(dataDir)
  rmSync(urlFile, { force: true })
  writeFileSync(urlFile, `${embedded.url}\n`, { mode: 0o600 })
  return {
    ...embedded,
    async stop() {
      rmSync(urlFile, { force: true })
      await embedded.stop()
    },
  }
}

function banner(config: Config, url: string, isBuilding: boolean): string {
  const lines = ['', `Patio is ready at ${url}`, `Documentation of the API: ${url}/docs`]
  if (isBuilding) lines.push('The dashboard is still being built. Its address opens it in a few seconds.')
  const demoFile = demoFileOf(config)
  if (config.demo && existsSync(demoFile)) lines.push('', ...demoLines(demoFile, url))
  lines.push('', 'Ctrl-C stops everything.')
  return lines.join('\n')
}

function demoLines(demoFile: string, url: string): string[] {
  const { operator, organizations } = JSON.parse(readFileSync(demoFile, 'utf8')) as DemoFile
  const relativePath = relative('', demoFile)
  const path = relativePath.startsWith('..') ? demoFile : relativePath
  const line = ({ email, password }: Account, role: string) =>
    `  ${email.padEnd(28)} ${password.padEnd(24)} ${role}`
  return [
    `Demo people (also in ${path}):`,
    ...organizations.flatMap(({ name, plan, people }) =>
      people.map(person => line(person, `${person.role}, ${name} (${plan})`)),
    ),
    line(operator, 'operator of this server'),
    '',
    'Things to try in another terminal, line by line:',
    ...quickStart(url, path).flatMap(({ title, commands }, index) => [
      `${index + 1}. ${title}`,
      ...commands.map(command => `   ${command}`),
    ]),
  ]
}

type Account = { email: string; password: string }
type DemoFile = {
  operator: Account
  organizations: { name: string; plan: string; people: (Account & { role: string })[] }[]
}
