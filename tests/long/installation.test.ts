import { spawnSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { defined } from '#tests/support/elements.ts'

const root = join(import.meta.dirname, '../..')
let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'patio-installation-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function run(program: string, args: string[], cwd: string) {
  // what the npm that runs this test has set would be settings of the other one
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name)))
  return spawnSync(program, args, { cwd, env, encoding: 'utf8' })
}

function done(program: string, args: string[], cwd: string): void {
  const { status, stderr } = run(program, args, cwd)
  expect(status, `${program} ${args.join(' ')}\n${stderr}`).toBe(0)
}

/** A checkout whose packages are those of this one, and one more that has an install script: it would leave a mark. */
function checkout(name: string, mark: string): string {
  const place = join(folder, name)
  const bringsScript = join(place, 'brings-script')
  mkdirSync(bringsScript, { recursive: true })
  const postinstall = `node -e "require('fs').writeFileSync(${JSON.stringify(mark).replaceAll('"', "'")}, '')"`
  const scripts = { postinstall }
  writeFileSync(
    join(bringsScript, 'package.json'),
    JSON.stringify({ name: 'brings-script', version: '1.0.0', scripts }),
  )
  done('npm', ['pack', '--ignore-scripts', '--pack-destination', place], bringsScript)
  const files = ['package-lock.json', '.npmrc', 'tools/install-when-needed.mjs', 'dashboard/build/digest.mjs']
  for (const file of files) {
    mkdirSync(dirname(join(place, file)), { recursive: true })
    copyFileSync(join(root, file), join(place, file))
  }
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>
  }
  manifest.scripts.prepared = 'node tools/install-when-needed.mjs'
  writeFileSync(join(place, 'package.json'), JSON.stringify(manifest))
  done('npm', ['install', '--package-lock-only', './brings-script-1.0.0.tgz'], place)
  return place
}

test.each(['10', '11'])(
  'npm %s installs what users need, runs no script of any package, and tells how far it is',
  version => {
    done('npm', ['install', '--prefix', join(folder, `npm-${version}`), `npm@${version}`], folder)
    const npm = join(folder, `npm-${version}`, 'node_modules/npm/bin/npm-cli.js')
    const mark = join(folder, `script-ran-${version}`)
    const place = checkout(`checkout-${version}`, mark)
    const { status, stderr } = run('node', [npm, 'run', 'prepared'], place)
    expect(status, stderr).toBe(0)
    expect(existsSync(join(place, 'node_modules/brings-script/package.json'))).toBe(true)
    expect(existsSync(mark)).toBe(false)
    expect(stderr).toContain('Installing dependencies (once)…')
    const [, count, all] = defined(/(\d+) of (\d+) packages\n$/.exec(stderr))
    expect(count).toBe(all)
    expect(Number(all)).toBeGreaterThan(200)
    expect(existsSync(join(place, 'node_modules/typescript'))).toBe(false)
    expect(run(join(place, 'node_modules/.bin/node'), ['--version'], place).stdout).toMatch(/^v24\./)
    // the second time there is nothing to do, and nothing to say
    expect(run('node', [npm, 'run', '--silent', 'prepared'], place).stderr).not.toContain('Installing')

    // the script does run where nothing forbids it, so that the mark can be trusted
    rmSync(join(place, '.npmrc'))
    done('node', [npm, 'rebuild', 'brings-script'], place)
    expect(existsSync(mark)).toBe(true)
  },
)
