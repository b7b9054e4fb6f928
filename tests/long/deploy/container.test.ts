import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { chownSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startEmbedded } from '#platform/data/embedded.ts'
import { freePort } from '#platform/ports.ts'
import { defined, firstOf, itemAt } from '#tests/support/elements.ts'
import { until } from '#tests/support/processes.ts'
import { s3Keys, startS3 } from '#tests/support/s3.ts'

// The images must exist: they take minutes to build. docs/guides/deployment.md has the commands.
const images = ['localhost/patio', 'localhost/patio-embedded']
const advice =
  'Debian: apt-get install buildah runc. Then, as root: buildah bud --format docker --file deploy/Containerfile --tag patio . ' +
  'and the same with --tag patio-embedded --target embedded'
const userId = 10_001
const groupId = 999
/** The drain, and the stop of PostgreSQL after it. */
const stopMs = 15_000

const folders: string[] = []
const containers: string[] = []
const running = new Set<Container>()

function buildah(...args: string[]): string {
  const { status, stdout, stderr, error } = spawnSync('buildah', args, { encoding: 'utf8' })
  if (error) throw new Error(advice)
  if (status !== 0) throw new Error(`buildah ${args.join(' ')}\n${stderr}`)
  return stdout.trim()
}

/** The folder of a volume, which belongs to the user of the image. */
function volume(): string {
  const folder = mkdtempSync(join(tmpdir(), 'patio-volume-'))
  folders.push(folder)
  chownSync(folder, userId, groupId)
  return folder
}

/** Runs a program in a container of its own process namespace, on the network of this machine. */
function run(image: string, env: Record<string, string>, data: string, program: string[]): ChildProcess {
  const container = buildah('from', '--pull-never', image)
  containers.push(container)
  const settings = Object.entries(env).flatMap(([name, value]) => ['--env', `${name}=${value}`])
  const isolation = ['--isolation', 'oci', '--runtime', 'runc', '--network', 'host']
  const args = ['run', ...isolation, '--volume', `${data}:/var/lib/patio`, ...settings, container, '--']
  return spawn('buildah', [...args, ...program], { stdio: ['pipe', 'pipe', 'pipe'] })
}

type Output = { status: number | null; text: string }

async function outputOf(child: ChildProcess, input = '', onText?: (text: string) => void): Promise<Output> {
  let text = ''
  for (const stream of [defined(child.stdout), defined(child.stderr)]) {
    stream.on('data', piece => {
      text += piece
      onText?.(text)
    })
  }
  defined(child.stdin).end(input)
  const [status] = (await once(child, 'close')) as [number | null]
  return { status, text }
}

type Container = { firstProcess: number; output(): string; ended: Promise<Output> }

/** Starts a command with the entry point that the image declares. */
async function start(image: string, command: string, env: Record<string, string>, data: string) {
  const mark = randomUUID()
  const program = ['tini', '--', 'node', 'server/main.mjs', command]
  let output = ''
  const ended = outputOf(run(image, { ...env, TEST_MARK: mark }, data, program), '', text => {
    output = text
  })
  let firstProcess = 0
  await until('the first process runs', () => {
    firstProcess = firstProcessWith(`TEST_MARK=${mark}`) ?? 0
    return firstProcess !== 0
  })
  const container: Container = { firstProcess, output: () => output, ended }
  running.add(container)
  void ended.then(() => running.delete(container))
  return container
}

/** The process with the number 1 in its namespace whose environment contains the setting. */
function firstProcessWith(setting: string): number | undefined {
  return readdirSync('/proc')
    .map(Number)
    .find(pid => {
      try {
        if (!readFileSync(`/proc/${pid}/environ`, 'utf8').includes(`${setting}\0`)) return false
        return statusOf(pid, 'NSpid').endsWith('\t1') && statusOf(pid, 'Name') === 'tini'
      } catch {
        // not a process, or one that has just ended
        return false
      }
    })
}

function statusOf(pid: number, name: string): string {
  const line = readFileSync(`/proc/${pid}/status`, 'utf8')
    .split('\n')
    .find(text => text.startsWith(`${name}:`))
  return line?.slice(name.length + 2) ?? ''
}

async function isReady(port: number): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}/readyz`).then(
    ({ status }) => status === 200,
    () => false,
  )
}

async function stop(container: Container): Promise<string> {
  const signalledAt = performance.now()
  process.kill(container.firstProcess, 'SIGTERM')
  const { text } = await container.ended
  expect(performance.now() - signalledAt).toBeLessThan(stopMs)
  return text
}

beforeAll(() => {
  for (const image of images)
    if (spawnSync('buildah', ['inspect', '--type', 'image', image]).status !== 0)
      throw new Error(`${image} is missing. ${advice}`)
})
afterAll(() => {
  for (const { firstProcess } of running) process.kill(firstProcess, 'SIGKILL')
  for (const container of containers) buildah('rm', container)
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

test.each(images)('%s runs as an ordinary user who can change its data folder alone', async image => {
  const data = volume()
  const look =
    'id -u; find / -xdev -type d -writable 2>/dev/null | sort; ls /opt/patio; find /opt/patio -path /opt/patio/node_modules -prune -o -name "*.test.ts*" -print'
  const { status, text } = await outputOf(run(image, {}, data, ['sh', '-c', look]))
  expect(status).toBe(0)
  expect(text.split('\n').filter(Boolean)).toEqual([
    String(userId),
    '/run/lock',
    '/tmp',
    '/var/lib/patio',
    '/var/tmp',
    ...'dashboard dist migrations node_modules package.json patio.cdx.json server'.split(' '),
  ])
  const notices = ['grep', '-c', '^pg ', '/opt/patio/dashboard/dist/third-party-notices.txt']
  expect(await outputOf(run(image, {}, data, notices))).toEqual({ status: 0, text: '1\n' })
  const threads = "process.exit(typeof (await import('@napi-rs/nice')).nice === 'function' ? 0 : 1)"
  const program = ['node', '--input-type=module', '--eval', threads]
  expect((await outputOf(run(image, {}, data, program))).status).toBe(0)
})

test('a whole server keeps its accounts, and stops in order', async () => {
  const data = volume()
  const port = await freePort('127.0.0.1')
  const env = { PORT: String(port), PUBLIC_URL: `http://localhost:${port}` }
  const probe = async () => (await outputOf(run(itemAt(images, 1), env, data, ['ready']))).status
  expect(await probe()).toBe(1)
  const first = await start(itemAt(images, 1), 'up', env, data)
  await until('the server is ready', () => isReady(port))
  expect(statusOf(first.firstProcess, 'Uid')).toMatch(new RegExp(`^${userId}\\t`))
  expect(statusOf(first.firstProcess, 'CapEff')).toBe('0000000000000000')
  expect(await probe()).toBe(0)
  // the dashboard is there, and nothing builds it
  const page = await (await fetch(`http://127.0.0.1:${port}/sign-in`)).text()
  expect(page).toContain('/assets/')

  const account = { email: 'you@example.com', password: 'a long enough password of mine' }
  const operator = [
    'node',
    'server/main.mjs',
    'operator',
    'create',
    '--email',
    account.email,
    '--name',
    'You',
  ]
  const created = await outputOf(run(itemAt(images, 1), env, data, operator), `${account.password}\n`)
  expect(created.status, created.text).toBe(0)
  expect(await stop(first)).toMatch(/\nStopped\.\n$/)

  const second = await start(itemAt(images, 1), 'up', env, data)
  await until('the server is ready again', () => isReady(port))
  const signedIn = await fetch(`http://127.0.0.1:${port}/api/auth/sign-in/email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(account),
  })
  expect(signedIn.status).toBe(200)
  expect(await stop(second)).toMatch(/\nStopped\.\n$/)
})

test('migrate, api and worker run from one image with a PostgreSQL and a bucket of their own', async () => {
  const port = await freePort('127.0.0.1')
  const folder = mkdtempSync(join(tmpdir(), 'patio-deploy-'))
  folders.push(folder)
  const database = await startEmbedded({
    dataDir: join(folder, 'database'),
    port: await freePort('127.0.0.1'),
    log: () => {},
  })
  const store = await startS3(join(folder, 'store'))
  try {
    const env = {
      PORT: String(port),
      PUBLIC_URL: `http://localhost:${port}`,
      DATABASE_URL: database.url,
      SIGN_IN_SECRET: 'a secret of this test that is long enough',
      SESSION_KEYS: 't1:a key of this test that is long enough',
      FILES_URL: 's3://patio/files',
      S3_ENDPOINT: store.url,
      AWS_ACCESS_KEY_ID: s3Keys.accessKeyId,
      AWS_SECRET_ACCESS_KEY: s3Keys.secretAccessKey,
    }
    const main = ['tini', '--', 'node', 'server/main.mjs']
    // an api process does not start on a database without tables
    const early = await outputOf(run(firstOf(images), env, volume(), [...main, 'api']))
    expect(early.status, early.text).toBe(1)
    const migrated = await outputOf(run(firstOf(images), env, volume(), [...main, 'migrate']))
    expect(migrated.status, migrated.text).toBe(0)
    const api = await start(firstOf(images), 'api', env, volume())
    const worker = await start(firstOf(images), 'worker', env, volume())
    await until('the api is ready', () => isReady(port))
    await until('the worker is ready', () => worker.output().includes('"msg":"at work"'))
    await Promise.all([stop(api), stop(worker)])
    expect((await Promise.all([api.ended, worker.ended])).map(({ status }) => status)).toEqual([0, 0])
  } finally {
    await store.stop()
    await database.stop()
  }
})
