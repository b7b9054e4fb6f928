/**
 * `npm run cluster [-- --api 2 --workers 2 --port 4000 --folder data/cluster]`: several api and worker processes on this machine
 * behind HAProxy, for tests and trials, on the PostgreSQL of DATABASE_URL. A process that ends is started again, as systemd
 * does. Other settings apply to every process. `--port 0` chooses a free port. Ctrl-C stops everything that this started.
 */
import { type ChildProcess, fork, spawn } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { migrate } from '#platform/data/migrate.ts'
import { freePort } from '#platform/ports.ts'
import { readSecrets } from '#server/config/secrets.ts'
import { readConfig, wrongSettingsExit } from '#server/config.ts'
import { firstRun } from '#server/first-run.ts'
import { youngGenerationFlags } from '#server/supervised-process.ts'

const root = join(import.meta.dirname, '..')
const host = '127.0.0.1'
/** As in deploy/systemd. */
const restartPauseMs = 1_000
/** A program that fails so often in a row, each time soon after its start, is not started again. */
const maxEarlyFailures = 5
const earlyMs = 10_000
const drainDelaySeconds = '3'

const { values } = parseArgs({
  options: {
    api: { type: 'string', default: '2' },
    workers: { type: 'string', default: '2' },
    port: { type: 'string', default: '4000' },
    folder: { type: 'string', default: 'data/cluster' },
  },
})
const folder = resolve(values.folder)
const databaseUrl = process.env.DATABASE_URL
if (!databaseUrl) throw new Error('Set DATABASE_URL to a PostgreSQL database that exists')
mkdirSync(folder, { recursive: true })
const port = Number(values.port) || (await freePort(host))
const { signInSecret, sessionKeys } = readSecrets(
  process.env.SIGN_IN_SECRET,
  process.env.SESSION_KEYS,
  folder,
  { mayGenerate: true },
)
const env: NodeJS.ProcessEnv = {
  FILES_URL: `file:${join(folder, 'files')}`,
  PUBLIC_URL: `http://localhost:${port}`,
  DRAIN_DELAY_SECONDS: drainDelaySeconds,
  ...process.env,
  SIGN_IN_SECRET: signInSecret,
  SESSION_KEYS: sessionKeys.map(({ kid, secret }) => `${kid}:${secret}`).join(),
  DATA_DIR: folder,
  HOST: host,
  TRUST_PROXY: host,
}

const print = (text: string) => void process.stdout.write(`${text}\n`)
const children = new Map<string, ChildProcess>()
let isStopping = false

/**
 * Starts a process, prints its number, and starts it again when it ends. Stops everything when it fails again and again, for instance
 * because its port is taken. A process that was killed did not fail.
 */
function keepRunning(name: string, start: () => ChildProcess, earlyFailures = 0): void {
  const startedAt = performance.now()
  const child = start()
  children.set(name, child)
  print(`${name} is process ${child.pid}`)
  child.once('exit', async (code, signal) => {
    if (isStopping) return
    print(`${name} ended (${signal ?? code})`)
    if (code === wrongSettingsExit) return stop(wrongSettingsExit)
    const isEarly = code !== null && performance.now() - startedAt < earlyMs
    const failures = isEarly ? earlyFailures + 1 : 0
    if (failures === maxEarlyFailures) {
      print(`${name} failed ${failures} times in a row: see its messages above. Nothing is started again`)
      return stop(1)
    }
    await sleep(restartPauseMs)
    if (!isStopping) keepRunning(name, start, failures)
  })
}

function startPatio(command: 'api' | 'worker', own: NodeJS.ProcessEnv): ChildProcess {
  return fork(join(root, 'server/main.mjs'), [command], {
    env: { ...env, ...own },
    execArgv: [...youngGenerationFlags[command]],
  })
}

/** HAProxy ends with this program, also when that is killed. */
function startHaproxy(configuration: string): ChildProcess {
  const child = spawn('setpriv', ['--pdeathsig', 'TERM', 'haproxy', '-f', configuration], {
    stdio: 'inherit',
  })
  child.once('error', error => {
    print(`HAProxy cannot be started: ${error.message}. Debian: apt-get install haproxy`)
    void stop(1)
  })
  return child
}

/** The configuration of deploy/cluster with http on one port of this machine, and these api processes. */
function haproxyConfiguration(apiPorts: readonly number[]): string {
  const servers = apiPorts.map((apiPort, index) => `  server api-${index + 1} ${host}:${apiPort}`)
  return readFileSync(join(root, 'deploy/cluster/haproxy.cfg'), 'utf8')
    .replace(/^ +(user|group|bind :443|http-request redirect) .*\n/gm, '')
    .replace('bind :80', `bind ${host}:${port}`)
    .replace(/(^ +server .*\n)+/m, `${servers.join('\n')}\n`)
}

async function stop(code: number): Promise<void> {
  if (isStopping) return
  isStopping = true
  const { haproxy, ...processes } = Object.fromEntries(children)
  await Promise.all(Object.values(processes).map(end))
  if (haproxy) await end(haproxy)
  process.exit(code)
}

async function end(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  const exited = new Promise(done => child.once('exit', done))
  child.kill('SIGTERM')
  await exited
}

async function isReady(apiPort: number): Promise<boolean> {
  return fetch(`http://${host}:${apiPort}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  )
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop(0))
await migrate(databaseUrl)
await firstRun({ ...readConfig(env), databaseUrl }, print)

const apiPorts: number[] = []
for (let number = 1; number <= Number(values.api); number++) {
  const apiPort = await freePort(host)
  apiPorts.push(apiPort)
  keepRunning(`api-${number}`, () => startPatio('api', { PORT: String(apiPort), METRICS_PORT: '' }))
}
for (let number = 1; number <= Number(values.workers); number++)
  keepRunning(`worker-${number}`, () => startPatio('worker', { PORT: '0', METRICS_PORT: '' }))
const configuration = join(folder, 'haproxy.cfg')
writeFileSync(configuration, haproxyConfiguration(apiPorts))
keepRunning('haproxy', () => startHaproxy(configuration))

for (const apiPort of [...apiPorts, port]) while (!isStopping && !(await isReady(apiPort))) await sleep(100)
if (!isStopping) print(`Patio is ready at http://localhost:${port}`)
