import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { freePort } from '#platform/ports.ts'
import { allCaptured } from '#tests/support/elements.ts'
import { freshDatabase } from '#tests/support/postgres.ts'
import { dataFolder, endAll, removeFolders, start, until } from '#tests/support/processes.ts'

const root = join(import.meta.dirname, '../../..')
const folder = join(root, 'deploy/systemd')
const units = readdirSync(folder).filter(name => name.endsWith('.service'))

afterAll(() => {
  endAll()
  removeFolders()
})

/** The variables of the lines `Environment=` of a unit. */
function environmentOf(unit: string): Record<string, string> {
  const lines = allCaptured(/^Environment=(.*)$/gm, readFileSync(join(folder, unit), 'utf8'))
  return Object.fromEntries(
    lines.flatMap(pairs => pairs.split(' ').map(pair => pair.split('=') as [string, string])),
  )
}

test('systemd accepts every unit (apt-get install systemd)', () => {
  // the program of the units is where an operator installs it
  const copies = join(dataFolder(), 'units')
  mkdirSync(copies)
  const paths = units.map(unit => {
    const path = join(copies, unit.replace('@', '@4000'))
    writeFileSync(path, readFileSync(join(folder, unit), 'utf8').replaceAll('/opt/patio', root))
    return path
  })
  const { status, stdout, stderr, error } = spawnSync('systemd-analyze', ['verify', '--man=no', ...paths], {
    encoding: 'utf8',
  })
  expect(error).toBeUndefined()
  expect([`${stdout}${stderr}`, status]).toEqual(['', 0])
})

test('the check of a container finds a worker that works, and none without one', async () => {
  const { url, drop } = await freshDatabase()
  const { METRICS_PORT: usual, ...unit } = environmentOf('patio-worker.service')
  expect([usual, Object.keys(unit)]).toEqual(['9464', ['DATA_DIR', 'NODE_COMPILE_CACHE']])
  const port = String(await freePort('127.0.0.1'))
  const check = () =>
    spawnSync(join(root, 'deploy/container/ready'), ['worker'], { env: { METRICS_PORT: port } }).status
  expect(check()).toBe(1)
  const worker = await start('worker', {
    DATABASE_URL: url,
    DATA_DIR: dataFolder(),
    METRICS_PORT: port,
    SIGN_IN_SECRET: 'a secret of this test that is long enough',
    SESSION_KEYS: 't1:a key of this test that is long enough',
  })
  await until('the worker answers', () => check() === 0)
  await worker.stop()
  expect(check()).toBe(1)
  await drop()
})
