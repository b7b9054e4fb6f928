import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { wrongSettingsExit } from '#server/config.ts'
import { freshDatabase } from '#tests/support/postgres.ts'
import {
  childrenOf,
  dataFolder,
  endAll,
  processesOn,
  removeFolders,
  run,
  start,
  until,
  usedDataFolder,
} from '#tests/support/processes.ts'

const root = join(import.meta.dirname, '../..')
const { PATH = '', HOME = '/' } = process.env

const secrets = {
  SIGN_IN_SECRET: 'a secret of this test that is long enough',
  SESSION_KEYS: 'k1:another secret of this test that is long enough',
}

const started: ChildProcess[] = []
afterAll(() => {
  for (const { pid, exitCode } of started) if (pid && exitCode === null) process.kill(-pid, 'SIGKILL')
  endAll()
  removeFolders()
})

test('SIGTERM to the process of npm start alone stops the whole server', async () => {
  const dataDir = await usedDataFolder()
  const npm = spawn('npm', ['start'], {
    cwd: root,
    env: { PATH, HOME, PORT: '0', DATA_DIR: dataDir },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  started.push(npm)
  let output = ''
  for (const stream of [npm.stdout, npm.stderr]) {
    stream.setEncoding('utf8').on('data', piece => {
      output += piece
    })
  }
  await until('the server is ready', () => output.includes('Patio is ready at'))
  npm.kill('SIGTERM')
  await once(npm, 'exit')
  await until('no process is left', () => processesOn(dataDir).length === 0, 20_000)
  expect(output).toContain('Stopped.')
})

test('a server whose port was taken while its API process was down ends, and says why', async () => {
  const patio = await start('up', { DATA_DIR: await usedDataFolder() })
  const port = Number(new URL(patio.url).port)
  const other = createServer()
  process.kill(childrenOf(patio).api, 'SIGKILL')
  await until('the port is taken', () => {
    if (other.listening) return true
    other.once('error', () => {}).listen(port, '127.0.0.1')
    return false
  })
  const { code, output } = await patio.exited
  other.close()
  expect(code).toBe(wrongSettingsExit)
  expect(output).toContain(`127.0.0.1:${port} is in use by another program. Set PORT or HOST to another.\n`)
})

test('the processes of a server that is killed before its database answers end quietly', async () => {
  const dataDir = dataFolder()
  const silent = createServer().listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const { port } = silent.address() as AddressInfo
  const url = `postgres://patio:secret@127.0.0.1:${port}/patio`
  const patio = run('up', { DATABASE_URL: url, DATA_DIR: dataDir, ...secrets })
  const isWaiting = (command: string) =>
    processesOn(dataDir).some(one => one.includes(`main.mjs ${command} --supervised`))
  await until('both processes were started', () => isWaiting('api') && isWaiting('worker'))
  process.kill(patio.pid, 'SIGKILL')
  await until('no process is left', () => processesOn(dataDir).length === 0)
  silent.close()
  expect(patio.output()).toBe('')
})

test.each([
  ['is a file', 'file', /^.*\/file cannot be used: it is a file, not a folder\./],
  ['lies below a file', 'file/data', /^.*\/file\/data cannot be used: a part of its path is a file\./],
])('a data folder that %s is refused in one sentence', async (_why, path, sentence) => {
  const folder = dataFolder()
  writeFileSync(join(folder, 'file'), '')
  const { code, output } = await run('up', { DATA_DIR: join(folder, path) }).exited
  expect(code).toBe(1)
  expect(output).toMatch(sentence)
  expect(output.trim().split('\n')).toHaveLength(1)
})

test('a data folder of another user is refused in one sentence', async () => {
  const folder = dataFolder()
  const path = join(folder, 'locked')
  mkdirSync(path, { mode: 0o500 })
  // root can write everywhere, unless it lacks the capability
  const via =
    process.getuid?.() === 0 ? ['setpriv', '--bounding-set=-dac_override', '--inh-caps=-dac_override'] : []
  const { code, output } = await run('up', { DATA_DIR: path }, { via }).exited
  expect(code, output).toBe(1)
  expect(output).toMatch(
    /^\S+ cannot be used: this user has no permission\. Make this user the owner of DATA_DIR/,
  )
  expect(output.trim().split('\n')).toHaveLength(1)
})

test.each(['up', 'api', 'worker', 'migrate'] as const)(
  '%s refuses a database of a newer version in one sentence',
  async command => {
    const { url, drop } = await freshDatabase()
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    await client.query("insert into migration (name, checksum) values ('9999-newer.sql', '')")
    await client.end()
    const { code, output } = await run(command, { DATABASE_URL: url, DATA_DIR: dataFolder(), ...secrets })
      .exited
    expect(code).toBe(1)
    expect(output).toMatch(/^The database is newer than this version of Patio: .*9999-newer\.sql.*\n$/)
    await drop()
  },
)

test('a checkout without packages says what to run', () => {
  const folder = dataFolder()
  for (const name of ['server', 'contract', 'dashboard/build', 'package.json'])
    cpSync(join(root, name), join(folder, name), { recursive: true })
  const { status, stderr } = spawnSync(process.execPath, [join(folder, 'server/main.mjs'), 'migrate'], {
    env: { PATH, HOME },
    encoding: 'utf8',
  })
  expect(status).toBe(1)
  expect(stderr).toMatch(
    /^The dependencies of Patio are not completely installed\. Run: npm ci --omit=dev\n$/,
  )
})

test('a Node that is too old runs the pinned one, passes signals on, and ends as it does', async () => {
  const folder = dataFolder()
  const pinned = join(folder, 'node')
  const program = `
    process.on('SIGTERM', () => process.exit(7))
    process.stdout.write('arguments ' + process.argv.slice(2).join() + '\\n')
    setInterval(() => {}, 1000)`
  writeFileSync(join(folder, 'program.mjs'), program)
  const runs = `import('${join(root, 'server/pinned-node.mjs')}').then(({ runWithPinnedNode }) => {
    process.argv[1] = '${join(folder, 'program.mjs')}'
    runWithPinnedNode('${pinned}', 24)
  })`
  const open = () =>
    spawn(process.execPath, ['-e', runs, 'old', 'one', 'two'], { env: { PATH }, detached: true })

  const without = open()
  let complaint = ''
  without.stderr.setEncoding('utf8').on('data', piece => {
    complaint += piece
  })
  expect((await once(without, 'close'))[0]).toBe(1)
  expect(complaint).toMatch(/^Patio needs Node 24 or newer; this is v\S+\. Run: npm ci --omit=dev\n/)

  symlinkSync(process.execPath, pinned)
  const old = open()
  started.push(old)
  let output = ''
  old.stdout.setEncoding('utf8').on('data', piece => {
    output += piece
  })
  await until('the program runs', () => output === 'arguments one,two\n')
  old.kill('SIGTERM')
  expect((await once(old, 'exit'))[0]).toBe(7)
})

test('the Node that came with npm runs the program, whichever it is', () => {
  const node = ['/usr/bin/node', '/usr/local/bin/node'].find(path => existsSync(path)) ?? process.execPath
  const { status, stderr } = spawnSync(node, [join(root, 'server/main.mjs'), 'unknown'], {
    env: { PATH, HOME },
    encoding: 'utf8',
  })
  expect(status).toBe(2)
  expect(stderr).toContain('Usage: node server/main.mjs <command>')
})
