import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createAsset, readAsset } from '#contract/studio/assets.ts'
import { clientOf, readDemo, signIn } from '#tests/faults/demo.ts'
import { defined, firstOf } from '#tests/support/elements.ts'
import { buildServerPackage, packServer } from '../../tools/server-package.ts'

const mostPackedBytes = 8_000_000
/** The user `nobody` of Debian, who owns none of the files of this test. */
const stranger = { uid: 65534, gid: 65534 }
const isRoot = process.getuid?.() === 0
const key = Buffer.alloc(32, 7).toString('base64url')

let folder: string
let archive: string
let installed: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'patio-package-'))
  chmodSync(folder, 0o755)
  await buildServerPackage(join(folder, 'built'))
  archive = packServer(join(folder, 'built'), folder)
  for (const name of ['home', 'installed', 'work']) {
    mkdirSync(join(folder, name))
    if (isRoot) chownSync(join(folder, name), stranger.uid, stranger.gid)
  }
  installed = join(folder, 'installed')
})
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))

/** The system's Node and npm, as a stranger has them: nothing of this checkout is in the environment. */
const environment = () => ({
  PATH: `${join(installed, 'bin')}:/usr/local/bin:/usr/bin:/bin`,
  HOME: join(folder, 'home'),
  PORT: '0',
  // of a network whose proxy has a certificate authority of its own
  ...(process.env.NODE_EXTRA_CA_CERTS && { NODE_EXTRA_CA_CERTS: process.env.NODE_EXTRA_CA_CERTS }),
})
const options = () => ({
  cwd: join(folder, 'work'),
  ...(isRoot && stranger),
})

function done(program: string, args: string[], env: Record<string, string> = {}, input = '') {
  const { status, stdout, stderr } = spawnSync(program, args, {
    ...options(),
    env: { ...environment(), ...env },
    input,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
  expect(status, `${program} ${args.join(' ')}\n${stdout}${stderr}`).toBe(0)
  return stdout
}

/** Starts `patio up` and waits until it is ready. */
async function up(env: Record<string, string> = {}) {
  const child = spawn('patio', ['up'], {
    ...options(),
    env: { ...environment(), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const exited = new Promise<number | null>(resolve => child.once('exit', resolve))
  const url = await new Promise<string>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', piece => {
        output += piece
        const ready = /^Patio is ready at (\S+)$/m.exec(output)
        if (ready) resolve(defined(ready[1]))
      })
    }
    void exited.then(code => reject(new Error(`ended with ${code}:\n${output}`)))
  })
  return {
    url,
    output: () => output,
    async stop() {
      child.kill('SIGINT')
      return exited
    },
  }
}

test('the package is not larger than a download should be', () => {
  expect(readFileSync(archive).length).toBeLessThan(mostPackedBytes)
})

test('a stranger installs the package, works with it, and proves and restores a backup', async () => {
  const install = ['install', '--global', '--ignore-scripts', '--loglevel=error', '--prefix', installed]
  done('npm', [...install, archive])
  expect(done('patio', ['openapi'])).toContain('"openapi": "3.1')

  const first = await up()
  expect(first.output()).toContain('patio-demo-receiver $PATIO $DEMO &')
  const page = await (await fetch(first.url)).text()
  const [, script] = /<script[^>]+src="(\/assets\/[^"]+)"/.exec(page) ?? []
  expect((await fetch(new URL(defined(script), first.url))).status).toBe(200)
  const dataDir = join(folder, 'work/data')
  const person = firstOf(firstOf(readDemo(dataDir).organizations).people)
  const client = await clientOf(first.url, person)
  const asset = await client.call(createAsset, { body: { type: 'PROMPT', name: 'Made with the package' } })
  done(
    'patio',
    ['operator', 'create', '--email', 'new@example.test', '--name', 'New'],
    {},
    'correct horse battery staple\n',
  )
  await signIn(first.url, { email: 'new@example.test', password: 'correct horse battery staple' })

  const backup = { BACKUP_TO: `file:${join(folder, 'work/backups')}`, BACKUP_KEY: key }
  expect(done('patio', ['backup'], backup)).toContain('Made the backup')
  expect(await first.stop()).toBe(0)
  expect(first.output()).toContain('Stopped.')

  const elsewhere = { ...backup, DATA_DIR: join(folder, 'work/elsewhere') }
  expect(done('patio', ['restore', '--verify'], elsewhere)).toContain('The backup is whole')
  expect(done('patio', ['restore'], elsewhere)).toContain('Start the server with: patio up')
  const again = await up({ DATA_DIR: elsewhere.DATA_DIR, DEMO: '0' })
  const restored = await clientOf(again.url, person)
  expect(await restored.call(readAsset, { params: { id: asset.id } })).toMatchObject({ name: asset.name })
  expect(await again.stop()).toBe(0)
})
