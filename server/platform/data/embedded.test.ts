import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, afterEach, expect, test } from 'vitest'
import { crowd } from '#tests/support/crowd.ts'
import { defined, findIn } from '#tests/support/elements.ts'
import { databaseFolder } from '#tests/support/folders.ts'
import { clearProcesses, processesIn } from './embedded/processes.ts'
import {
  type EmbeddedOptions,
  type EmbeddedPostgres,
  embeddedPlatformPackage,
  startEmbedded,
} from './embedded.ts'

const isRoot = process.geteuid?.() === 0
const ordinary = { uid: 65534, gid: 65534 }
const here = import.meta.dirname
const root = join(here, '../../..')
const cleanups: (() => unknown)[] = []

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

function tempDir(parent = databaseFolder()): string {
  const dir = fs.mkdtempSync(join(parent, 'patio-embedded-'))
  cleanups.push(() => fs.rmSync(dir, { recursive: true, force: true, maxRetries: 5 }))
  return dir
}

let model: string | undefined
afterAll(() => model && fs.rmSync(model, { recursive: true }))

/** A data folder whose first start is behind it: a copy, because making a cluster takes a second. */
async function usedDataDir(): Promise<string> {
  if (!model) {
    model = fs.mkdtempSync(join(databaseFolder(), 'patio-embedded-'))
    await (await startEmbedded({ dataDir: model, log: () => {} })).stop()
  }
  const dataDir = tempDir()
  fs.cpSync(model, dataDir, { recursive: true })
  return dataDir
}

async function start(dataDir: string, options: Partial<EmbeddedOptions> = {}): Promise<EmbeddedPostgres> {
  const db = await startEmbedded({ dataDir, log: () => {}, ...options })
  cleanups.push(() => db.stop())
  return db
}

async function ask(url: string, sql: string): Promise<Record<string, unknown>> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query(sql)
    return rows[0] ?? {}
  } finally {
    await client.end()
  }
}

type Owner = { child: ChildProcess; url: string; pid: number; exited: Promise<unknown> }

/** Another process that starts PostgreSQL on `dataDir` and then does what `afterwards` says. */
async function startElsewhere(
  dataDir: string,
  { afterwards = 'await new Promise(() => setInterval(() => {}, 1e6))', as = {}, checkout = root } = {},
): Promise<Owner> {
  const child = spawnOwner(dataDir, afterwards, as, checkout)
  const exited = once(child, 'exit')
  let complaint = ''
  defined(child.stderr).on('data', text => (complaint += text))
  const line = await Promise.race([
    once(createInterface(defined(child.stdout)), 'line'),
    once(child, 'close').then(() => Promise.reject(new Error(complaint))),
  ])
  return { child, exited, ...(JSON.parse(line[0]) as { url: string; pid: number }) }
}

function spawnOwner(dataDir: string, afterwards: string, as: object, checkout: string): ChildProcess {
  const program = `
    process.on('SIGINT', () => console.log('interrupted'))
    import { startEmbedded } from ${JSON.stringify(join(checkout, 'server/platform/data/embedded.ts'))}
    const db = await startEmbedded({ dataDir: ${JSON.stringify(dataDir)}, log: () => {} })
    console.log(JSON.stringify({ url: db.url, pid: db.pid() }))
    ${afterwards}`
  const node = checkout === root ? process.execPath : join(checkout, 'node')
  const child = spawn(node, ['--input-type=module-typescript', '-e', program], {
    ...as,
    cwd: '/',
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  cleanups.push(async () => {
    child.kill('SIGKILL')
    await clearProcesses(join(dataDir, 'postgres'), { fastMs: 0 })
  })
  return child
}

/** Children of the owner: the server and the small process that stops it when the owner is gone. */
function childrenOf(pid: number): number[] {
  return fs.readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number)
}

async function killWithoutHeirs({ child, pid, exited }: Owner): Promise<void> {
  for (const other of childrenOf(defined(child.pid))) if (other !== pid) process.kill(other, 'SIGKILL')
  child.kill('SIGKILL')
  await exited
}

/** The part of the repository that starts PostgreSQL, as freshly installed without any install script. */
function copyCheckout(dir: string): string {
  fs.chmodSync(dir, 0o755)
  const name = embeddedPlatformPackage()
  const program = ['ports.ts', 'data/embedded.ts', 'data/embedded'].map(path => join('server/platform', path))
  for (const path of ['package.json', ...program]) {
    fs.cpSync(join(root, path), join(dir, path), { recursive: true })
  }
  const filter = (path: string) => !fs.lstatSync(path).isSymbolicLink()
  fs.cpSync(join(root, 'node_modules', name), join(dir, 'node_modules', name), { recursive: true, filter })
  fs.copyFileSync(process.execPath, join(dir, 'node'))
  return dir
}

test('a first start creates a production-ready PostgreSQL 18, and a second start finds the data', async () => {
  const dataDir = tempDir()
  const first = await start(dataDir)
  expect(
    await ask(
      first.url,
      `select current_setting('server_version_num')::int / 10000 as version, current_user as role,
              current_setting('data_checksums') as checksums, current_setting('fsync') as fsync,
              current_setting('server_encoding') as encoding, current_setting('timezone') as timezone,
              current_setting('listen_addresses') as addresses, rolsuper as is_superuser
       from pg_roles where rolname = current_user`,
    ),
  ).toEqual({
    version: 18,
    role: 'patio',
    is_superuser: false,
    checksums: 'on',
    fsync: 'on',
    encoding: 'UTF8',
    timezone: 'UTC',
    addresses: '',
  })
  expect(fs.statSync(join(dataDir, 'postgres')).mode & 0o777).toBe(0o700)
  expect(fs.statSync(join(dataDir, 'postgres/patio-password')).mode & 0o777).toBe(0o600)
  await ask(first.url, 'create table kept as select 42 as answer')
  await first.stop()
  expect(processesIn(join(dataDir, 'postgres'))).toEqual([])

  const startedAt = performance.now()
  const second = await start(dataDir)
  expect(performance.now() - startedAt).toBeLessThan(1500 * crowd())
  expect(second.url).toBe(first.url)
  expect(await ask(second.url, 'select answer from kept')).toEqual({ answer: 42 })
})

test('accented text folds, and trigram and unaccent search work without a superuser', async () => {
  const { url } = await start(await usedDataDir())
  await ask(url, 'create extension pg_trgm')
  await ask(url, 'create extension unaccent')
  const found = await ask(
    url,
    `select lower('ÉÇÃO') as lower, unaccent('Ação') as plain, similarity('órgão', 'ÓRGÃO') as similarity,
            'Às' ilike 'às' as is_like, to_tsvector('simple', 'ÓRGÃO—Ação')::text as words`,
  )
  expect(found).toEqual({
    lower: 'éção',
    plain: 'Acao',
    similarity: 1,
    is_like: true,
    words: "'ação':2 'órgão':1",
  })
})

test('a second process is refused with the id of the first, which is not affected', async () => {
  const dataDir = await usedDataDir()
  const owner = await startElsewhere(dataDir)
  const refusal = `another Patio is already running on ${dataDir} (process ${owner.child.pid})`
  await expect(start(dataDir)).rejects.toThrow(refusal)
  await expect(start(dataDir)).rejects.toThrow(refusal)
  expect(await ask(owner.url, 'select 1 as one')).toEqual({ one: 1 })
  expect(processesIn(join(dataDir, 'postgres')).some(({ pid }) => pid === owner.pid)).toBe(true)

  const ours = await usedDataDir()
  await start(ours)
  await expect(start(ours)).rejects.toThrow(`(process ${process.pid})`)
})

test('when the owner is killed, the server stops, and the next start has the data', async () => {
  const dataDir = await usedDataDir()
  const owner = await startElsewhere(dataDir)
  await ask(owner.url, 'create table kept as select 42 as answer')
  owner.child.kill('SIGKILL')
  await expect.poll(() => processesIn(join(dataDir, 'postgres'))).toEqual([])
  const { url } = await start(dataDir)
  expect(await ask(url, 'select answer from kept')).toEqual({ answer: 42 })
})

test('a process that ends without stop leaves no server', async () => {
  const dataDir = await usedDataDir()
  const { exited } = await startElsewhere(dataDir, { afterwards: '' })
  expect(await exited).toEqual([0, null])
  await expect.poll(() => processesIn(join(dataDir, 'postgres'))).toEqual([])
})

test.runIf(process.platform === 'linux')('a server that a killed owner left is taken over', async () => {
  const dataDir = await usedDataDir()
  const owner = await startElsewhere(dataDir)
  await ask(owner.url, 'create table kept as select 42 as answer')
  await killWithoutHeirs(owner)
  expect(await ask(owner.url, 'select answer from kept')).toEqual({ answer: 42 })
  const complaints: string[] = []
  const db = await start(dataDir, { log: (_, message) => complaints.push(message) })
  expect(complaints).toEqual([])
  expect(db.pid()).not.toBe(owner.pid)
  expect(await ask(db.url, 'select answer from kept')).toEqual({ answer: 42 })
  await db.stop()
  expect(processesIn(join(dataDir, 'postgres'))).toEqual([])
})

test('an owner killed at any moment of a first start or a recovery does not affect the next one', async () => {
  const dataDir = tempDir()
  const forever = 'await new Promise(() => setInterval(() => {}, 1e6))'
  for (const killAfterMs of [150, 350, 600, 900, 1300, 200, 250, 400]) {
    const child = spawnOwner(dataDir, forever, {}, root)
    const exited = once(child, 'exit')
    await sleep(killAfterMs)
    for (const { pid, isServer } of processesIn(join(dataDir, 'postgres')))
      if (isServer) process.kill(pid, 'SIGKILL')
    child.kill('SIGKILL')
    expect(await exited).toEqual([null, 'SIGKILL'])
  }
  const { url } = await start(dataDir)
  expect(await ask(url, 'select 1 as one')).toEqual({ one: 1 })
  expect(fs.readdirSync(dataDir).filter(name => name.startsWith('postgres.new-'))).toEqual([])
})

test('another process with the id of a killed server is left alone and does no harm', async () => {
  const dataDir = await usedDataDir()
  await (await start(dataDir)).stop()
  const { uid, gid } = fs.statSync(join(dataDir, 'postgres'))
  const stranger = spawn('sleep', ['60'], { uid, gid, stdio: 'ignore' })
  cleanups.push(() => stranger.kill())
  for (const name of ['postmaster.pid', '.s.PGSQL.5432.lock']) {
    fs.writeFileSync(join(dataDir, 'postgres', name), `${stranger.pid}\n/elsewhere\n1\n5432\n.\n\n\n`)
    fs.chownSync(join(dataDir, 'postgres', name), uid, gid)
  }
  const { url } = await start(dataDir)
  expect(await ask(url, 'select 1 as one')).toEqual({ one: 1 })
  expect(stranger.exitCode ?? stranger.signalCode).toBeNull()
})

test('a killed server is restarted, even if one of its backends does not notice', async () => {
  const dataDir = await usedDataDir()
  const reasons: string[] = []
  let isUp: () => void
  const up = new Promise<void>(resolve => (isUp = resolve))
  const messages: string[] = []
  const log = (_: string, message: string) => messages.push(message)
  const db = await start(dataDir, { log, onDown: reason => reasons.push(reason), onUp: () => isUp() })
  await ask(db.url, 'create table kept as select 42 as answer')
  const client = new pg.Client({ connectionString: db.url })
  client.on('error', () => {})
  await client.connect()
  const backend = (await client.query('select pg_backend_pid() as pid')).rows[0].pid as number
  process.kill(backend, 'SIGSTOP')
  const before = db.pid()
  process.kill(before, 'SIGKILL')
  await up
  expect(reasons).toEqual(['signal SIGKILL'])
  expect(messages).toEqual(['PostgreSQL died, restarting it', 'PostgreSQL is running again'])
  expect(db.pid()).not.toBe(before)
  expect(await ask(db.url, 'select answer from kept')).toEqual({ answer: 42 })
  await db.stop()
  expect(processesIn(join(dataDir, 'postgres'))).toEqual([])
})

test('a server that is stopped during its restart leaves nothing', async () => {
  const dataDir = await usedDataDir()
  let isDown: () => void
  const down = new Promise<void>(resolve => (isDown = resolve))
  const db = await start(dataDir, { onDown: () => isDown() })
  process.kill(db.pid(), 'SIGKILL')
  await down
  await sleep(120)
  await db.stop()
  expect(processesIn(join(dataDir, 'postgres'))).toEqual([])
  await start(dataDir)
})

test.runIf(process.platform === 'linux')('stopping escalates until nothing is left', async () => {
  const dataDir = await usedDataDir()
  const owner = await startElsewhere(dataDir)
  const client = new pg.Client({ connectionString: owner.url })
  client.on('error', () => {})
  await client.connect()
  const backend = (await client.query('select pg_backend_pid() as pid')).rows[0].pid as number
  await killWithoutHeirs(owner)
  process.kill(backend, 'SIGSTOP')
  await clearProcesses(join(dataDir, 'postgres'), { fastMs: 200, immediateMs: 200 })
  expect(processesIn(join(dataDir, 'postgres'))).toEqual([])
  await start(dataDir)
})

test('Ctrl-C to the whole process group does not reach the server', async () => {
  const dataDir = await usedDataDir()
  const owner = await startElsewhere(dataDir)
  const output = once(defined(owner.child.stdout), 'data')
  process.kill(-defined(owner.child.pid), 'SIGINT')
  await output
  expect(await ask(owner.url, 'select 1 as one')).toEqual({ one: 1 })
  expect(processesIn(join(dataDir, 'postgres')).some(({ pid }) => pid === owner.pid)).toBe(true)
})

test('an incomplete cluster is created again, a foreign folder is left alone', async () => {
  const dataDir = tempDir()
  fs.mkdirSync(join(dataDir, 'postgres.new-x1y2z3/base'), { recursive: true })
  fs.writeFileSync(join(dataDir, 'postgres.new-x1y2z3/PG_VERSION'), '18\n')
  fs.mkdirSync(join(dataDir, 'postgres'))
  const db = await start(dataDir)
  expect(await ask(db.url, 'select 1 as one')).toEqual({ one: 1 })
  expect(fs.existsSync(join(dataDir, 'postgres.new-x1y2z3'))).toBe(false)

  const strange = tempDir()
  fs.mkdirSync(join(strange, 'postgres'))
  fs.writeFileSync(join(strange, 'postgres/diary.txt'), 'mine')
  await expect(start(strange)).rejects.toThrow('is not a PostgreSQL cluster')
  fs.writeFileSync(join(strange, 'postgres/PG_VERSION'), '17\n')
  await expect(start(strange)).rejects.toThrow('was created by PostgreSQL 17')
  expect(fs.readdirSync(join(strange, 'postgres'))).toEqual(['PG_VERSION', 'diary.txt'])
})

test('after the data folder was removed, there is a new cluster, and after the password file, a new password', async () => {
  const dataDir = join(tempDir(), 'data')
  const first = await start(dataDir)
  await ask(first.url, 'create table kept as select 42 as answer')
  await first.stop()
  fs.rmSync(join(dataDir, 'postgres/patio-password'))
  const second = await start(dataDir)
  expect(second.url).not.toBe(first.url)
  expect(await ask(second.url, 'select answer from kept')).toEqual({ answer: 42 })
  await second.stop()
  fs.rmSync(dataDir, { recursive: true })
  const third = await start(dataDir)
  expect(await ask(third.url, `select to_regclass('kept') as name`)).toEqual({ name: null })
})

test('a path too long for a socket is served on loopback, with the password only', async () => {
  const db = await start(join(tempDir(), 'a-rather-long-name-for-a-folder/'.repeat(4)))
  expect(db.url).toMatch(/@127\.0\.0\.1:\d+\/patio$/)
  expect(await ask(db.url, 'select 1 as one')).toEqual({ one: 1 })
  await expect(ask(db.url.replace(/:[^:@]+@/, ':guess@'), 'select 1')).rejects.toThrow(
    'password authentication',
  )
})

test('a full log is rotated', async () => {
  const dataDir = await usedDataDir()
  fs.writeFileSync(join(dataDir, 'postgres.log'), Buffer.alloc(11 * 1024 * 1024))
  await start(dataDir)
  expect(fs.statSync(join(dataDir, 'postgres.log')).size).toBeLessThan(10_000)
  expect(fs.statSync(join(dataDir, 'postgres.log.1')).size).toBe(11 * 1024 * 1024)
})

test('a setting that PostgreSQL refuses is reported with its message, and nothing is left', async () => {
  const dataDir = await usedDataDir()
  await expect(start(dataDir, { settings: { shared_buffers: 'plenty' } })).rejects.toThrow('"plenty"')
  expect(processesIn(join(dataDir, 'postgres'))).toEqual([])
  await start(dataDir, { settings: { fsync: 'off' } })
})

test('a platform without a package gets advice to set DATABASE_URL', () => {
  const platform = defined(Object.getOwnPropertyDescriptor(process, 'platform'))
  Object.defineProperty(process, 'platform', { ...platform, value: 'sunos' })
  cleanups.push(() => Object.defineProperty(process, 'platform', platform))
  expect(() => embeddedPlatformPackage()).toThrow(/sunos.*DATABASE_URL/)
})

test.runIf(isRoot)('root starts it in a checkout and data folder that only root can enter', async () => {
  const shared = '/var/lib/patio'
  if (!fs.existsSync(shared)) cleanups.push(() => fs.rmSync(shared, { recursive: true, force: true }))
  const secret = tempDir(tmpdir())
  const checkout = copyCheckout(fs.mkdtempSync(join(secret, 'checkout-')))
  expect(fs.statSync(secret).mode & 0o777).toBe(0o700)
  const dataDir = join(checkout, 'data')
  const owner = await startElsewhere(dataDir, { checkout })
  await ask(owner.url, 'create table kept as select 42 as answer')
  expect(fs.statSync(`/proc/${owner.pid}`).uid).not.toBe(0)
  expect(fs.readlinkSync(`/proc/${owner.pid}/cwd`)).toBe(join(dataDir, 'postgres'))
  await killWithoutHeirs(owner)
  const { url } = await startElsewhere(dataDir, { checkout })
  expect(await ask(url, 'select answer from kept')).toEqual({ answer: 42 })
})

test.runIf(isRoot)('an ordinary user starts it from a checkout it cannot write', async () => {
  const checkout = copyCheckout(tempDir(tmpdir()))
  const dataDir = tempDir()
  fs.chownSync(dataDir, ordinary.uid, ordinary.gid)
  const owner = await startElsewhere(dataDir, { checkout, as: ordinary })
  expect(await ask(owner.url, 'select 1 as one')).toEqual({ one: 1 })
  expect(fs.statSync(`/proc/${owner.pid}`).uid).toBe(ordinary.uid)
  await killWithoutHeirs(owner)
  const again = await startElsewhere(dataDir, { checkout, as: ordinary })
  expect(await ask(again.url, 'select 1 as one')).toEqual({ one: 1 })
})

test.runIf(isRoot)('an ordinary user gets the reason why a cluster cannot be used or created', async () => {
  const checkout = copyCheckout(tempDir(tmpdir()))
  const dataDir = tempDir()
  fs.chmodSync(dataDir, 0o777)
  fs.mkdirSync(join(dataDir, 'postgres'), { mode: 0o700 })
  await expect(startElsewhere(dataDir, { checkout, as: ordinary })).rejects.toThrow(
    `postgres belongs to user id 0 and Patio runs as user id ${ordinary.uid}`,
  )
  fs.rmdirSync(join(dataDir, 'postgres'))
  fs.chmodSync(join(dataDir, 'patio.lock'), 0o666)
  await expect(startElsewhere(dataDir, { checkout, as: { uid: 54_321, gid: 54_321 } })).rejects.toThrow(
    'the user id 54321 has no name in /etc/passwd',
  )
  expect(fs.readdirSync(dataDir)).not.toContain('postgres')
})

test.runIf(isRoot)(
  'root runs it as the owner of the data folder, also from a copy made by root',
  async () => {
    const dataDir = tempDir()
    const users = fs.readFileSync('/etc/passwd', 'utf8').split('\n')
    const someone = findIn(
      users.map(line => Number(line.split(':')[2])),
      uid => uid > 0 && uid !== ordinary.uid,
    )
    fs.chownSync(dataDir, someone, someone)
    const first = await start(dataDir)
    expect(fs.statSync(`/proc/${first.pid()}`).uid).toBe(someone)
    await ask(first.url, 'create table kept as select 42 as answer')
    await first.stop()
    for (const name of fs.readdirSync(dataDir)) expect(fs.statSync(join(dataDir, name)).uid).toBe(someone)
    const copy = tempDir()
    fs.cpSync(join(dataDir, 'postgres'), join(copy, 'postgres'), { recursive: true })
    expect(fs.statSync(join(copy, 'postgres/PG_VERSION')).uid).toBe(0)
    const second = await start(copy)
    expect(await ask(second.url, 'select answer from kept')).toEqual({ answer: 42 })
  },
)
