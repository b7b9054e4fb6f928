import { spawnSync } from 'node:child_process'
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { defined } from '#tests/support/elements.ts'
import {
  dataFolder,
  endAll,
  type Patio,
  removeFolders,
  start,
  until,
  usedDataFolder,
} from '#tests/support/processes.ts'

const repository = join(import.meta.dirname, '../..')
// replaces the build: says that it began, and ends as the test answers
const build = `
import { cpSync } from 'node:fs'
import { join } from 'node:path'
const answer = await fetch(process.env.BUILD_BEGAN)
if (!answer.ok) throw new Error('A screen has a mistake.')
cpSync(join(import.meta.dirname, '../built'), join(import.meta.dirname, '../dist'), { recursive: true })
`
// replaces the bundler, which takes minutes on a machine that tests keep busy: its bundle says that it runs
const bundler = `
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { bundleFolder } from '../server/bundle.mjs'
mkdirSync(bundleFolder(), { recursive: true })
writeFileSync(join(bundleFolder(), 'commands.js'), "process.stdout.write('the bundle runs')")
`
let copy: string
let dataDir: string
/** The builds that have begun and wait for their end. */
const builds: ServerResponse[] = []
const gate = createServer((_request, response) => void builds.push(response))

beforeAll(async () => {
  copy = copySources()
  dataDir = await usedDataFolder()
  await new Promise<void>(resolve => gate.listen(0, '127.0.0.1', resolve))
})
beforeEach(() => rmSync(join(copy, 'dashboard/dist'), { recursive: true, force: true }))
afterAll(() => {
  gate.close()
  gate.closeAllConnections()
  endAll()
  removeFolders()
})

/** A copy of the sources without a built dashboard, whose build is the one of this test. */
function copySources(): string {
  const folder = dataFolder()
  for (const name of ['server', 'contract', 'sdk', 'migrations', 'tools', 'dashboard', 'package.json'])
    cpSync(join(repository, name), join(folder, name), {
      recursive: true,
      filter: path => !/[/\\]dist$|\.test\.tsx?$/.test(path),
    })
  for (const name of ['package-lock.json', 'dist/program'])
    cpSync(join(repository, name), join(folder, name), { recursive: true })
  writeFileSync(join(folder, 'dashboard/build/build.ts'), build)
  mkdirSync(join(folder, 'dashboard/built/assets'), { recursive: true })
  for (const name of ['index.html', 'book.html', '.built-from'])
    writeFileSync(join(folder, 'dashboard/built', name), '<div id="root"></div>')
  writeFileSync(join(folder, 'dashboard/built/screens.json'), '[]')
  // links, and not one to the whole folder: what Node makes of these sources is kept beside the packages
  const packages = join(folder, 'node_modules')
  mkdirSync(packages)
  for (const name of readdirSync(join(repository, 'node_modules')))
    if (!name.startsWith('.')) symlinkSync(join(repository, 'node_modules', name), join(packages, name))
  return folder
}

function startCopy(env: Record<string, string> = {}): Promise<Patio> {
  const { port } = gate.address() as AddressInfo
  return start(
    'up',
    { DATA_DIR: dataDir, BUILD_BEGAN: `http://127.0.0.1:${port}/`, ...env },
    { program: join(copy, 'server/main.mjs') },
  )
}

async function endBuild(status: 200 | 500): Promise<void> {
  await until('the build begins', () => builds.length > 0)
  defined(builds.shift()).writeHead(status).end()
}

async function pageOf(patio: Patio): Promise<string> {
  const answer = await fetch(patio.url)
  expect(answer.status).toBe(200)
  return answer.text()
}
const isWaiting = (page: string) => page.includes('http-equiv="refresh"')

test('npm start is ready before the dashboard is built, and its address asks people to wait for it (DSH-5)', async () => {
  const patio = await startCopy()
  expect(patio.output()).toContain('The dashboard is still being built.')
  expect(isWaiting(await pageOf(patio))).toBe(true)
  await endBuild(200)
  await until('the page is the dashboard', async () => (await pageOf(patio)).includes('id="root"'))
  expect((await patio.stop()).output).not.toContain('could not be built')
  expect(builds).toEqual([])
})

test('npm start reports a build that fails, and the API runs without the dashboard of another version', async () => {
  cpSync(join(copy, 'dashboard/built'), join(copy, 'dashboard/dist'), { recursive: true })
  const patio = await startCopy()
  expect(isWaiting(await pageOf(patio))).toBe(true)
  await endBuild(500)
  await patio.waitForOutput(/^The dashboard could not be built\. Run npm run build, or set DASHBOARD=off\.$/m)
  await patio.waitForOutput(/A screen has a mistake\./)
  expect(await pageOf(patio)).toContain('href="/docs"')
  await until('the API runs', async () => (await fetch(`${patio.url}/readyz`)).ok)
  expect((await patio.stop()).code).toBe(0)
})

test('stopping npm start also stops the build', async () => {
  const patio = await startCopy()
  await until('the build begins', () => builds.length > 0)
  const ended = new Promise(resolve => defined(builds.shift()).once('close', resolve))
  expect((await patio.stop()).output).not.toContain('could not be built')
  await ended
})

test('with DASHBOARD=off, npm start builds nothing; an api process never builds, and warns (DSH-4, DSH-5)', async () => {
  const patio = await startCopy({ DASHBOARD: 'off' })
  expect(patio.output()).not.toContain('dashboard')
  expect(await pageOf(patio)).toContain('href="/docs"')
  const env = {
    DATA_DIR: dataDir,
    DATABASE_URL: readFileSync(join(dataDir, 'database.url'), 'utf8').trim(),
    SIGN_IN_SECRET: 'a secret of this test that is long enough',
    SESSION_KEYS: 't1:a key of this test that is long enough',
  }
  const api = await start('api', env, { program: join(copy, 'server/main.mjs') })
  expect(api.lines().filter(({ msg }) => msg.startsWith('the dashboard is not built'))).toHaveLength(1)
  expect(await pageOf(api)).toContain('href="/docs"')
  await api.stop()
  await patio.stop()
  expect(builds).toEqual([])
})

test('npm start bundles the program, and the next start runs the bundle, until a source changes', async () => {
  writeFileSync(join(copy, 'tools/bundle.ts'), bundler)
  const { bundledCommands } = await import(join(copy, 'server/bundle.mjs'))
  const patio = await startCopy()
  await endBuild(200)
  await until('the program is bundled', () => bundledCommands() !== undefined)
  await patio.stop()
  expect(outputOf(copy)).toBe('the bundle runs')
  appendFileSync(join(copy, 'contract/limits.ts'), '// changed\n')
  expect(outputOf(copy)).toMatch(/^Usage: /)
})

/** The output of the program of a folder, without a command. */
function outputOf(folder: string): string {
  const { stdout, stderr } = spawnSync(process.execPath, [join(folder, 'server/main.mjs')], {
    encoding: 'utf8',
  })
  return `${stdout}${stderr}`
}
