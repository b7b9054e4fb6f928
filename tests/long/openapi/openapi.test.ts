import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readDemo } from '#tests/faults/demo.ts'
import { firstOf } from '#tests/support/elements.ts'
import { dataFolder, endAll, type Patio, removeFolders, start } from '#tests/support/processes.ts'

/**
 * Other tools can read the document. They are installed for this test alone, without their install scripts:
 * together they are larger than the product.
 */
const tools = [
  '@redocly/cli@2.77.0',
  '@stoplight/spectral-cli@6.16.3',
  'openapi-typescript@7.13.0',
  '@hey-api/openapi-ts@0.99.0',
  'orval@8.38.0',
  'typescript@5.9.3',
  '@types/node@24.19.2',
]

const documents = {
  '/api/openapi.json': 'openapi.json',
  '/api/external/v1/openapi.json': 'applications.json',
}

let folder: string
let patio: Patio
let dataDir: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'patio-openapi-'))
  cpSync(import.meta.dirname, folder, { recursive: true })
  // our own compiler has not got the client that it imports
  renameSync(join(folder, 'five-minutes.ts.txt'), join(folder, 'five-minutes.ts'))
  writeFileSync(join(folder, 'package.json'), '{ "private": true }')
  const install = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--prefix', folder]
  execFileSync('npm', [...install, ...tools], { cwd: folder, stdio: 'pipe' })
  dataDir = join(dataFolder(), 'data')
  patio = await start('up', { DATA_DIR: dataDir })
  for (const [path, file] of Object.entries(documents)) {
    const document = await fetch(`${patio.url}${path}`)
    writeFileSync(join(folder, file), await document.text())
  }
}, 10 * 60_000)
afterAll(async () => {
  await patio?.stop()
  endAll()
  removeFolders()
  rmSync(folder, { recursive: true, force: true })
})

/** Runs an installed tool in the folder; what it printed, when it succeeds. */
function run(tool: string, ...args: string[]): string {
  const program = join(folder, 'node_modules/.bin', tool)
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: folder, encoding: 'utf8' })
  expect([status, stdout.slice(-2_000), stderr.slice(-2_000)], tool).toEqual([
    0,
    expect.anything(),
    expect.anything(),
  ])
  return stdout
}

/** Compiles TypeScript under the strictest settings, declarations of libraries included. */
function compile(name: string, files: string[], options: object = {}): void {
  const config = {
    compilerOptions: {
      strict: true,
      noUncheckedIndexedAccess: true,
      skipLibCheck: false,
      target: 'es2023',
      lib: ['es2023', 'dom', 'dom.iterable'],
      module: 'esnext',
      moduleResolution: 'bundler',
      types: [],
      noEmit: true,
      ...options,
    },
    include: files,
  }
  writeFileSync(join(folder, `${name}.json`), JSON.stringify(config))
  run('tsc', '-p', `${name}.json`)
}

describe.each(Object.values(documents))('linters find nothing in %s', file => {
  test('redocly, but for two rules that are switched off with their reasons', () => {
    const printed = run('redocly', 'lint', '--config', 'redocly.yaml', '--format', 'json', file)
    expect(JSON.parse(printed).totals).toMatchObject({ errors: 0, warnings: 0 })
  })
  test('spectral', () => {
    run('spectral', 'lint', file, '-r', 'spectral.yaml', '-f', 'json', '-o', 'spectral.json')
    expect(JSON.parse(readFileSync(join(folder, 'spectral.json'), 'utf8'))).toEqual([])
  })
})

describe('generated clients compile', () => {
  describe.each(Object.values(documents))('of %s', file => {
    const name = file.replace('.json', '')
    test('openapi-typescript', () => {
      run('openapi-typescript', file, '-o', `openapi-typescript/${name}.d.ts`)
      compile(`openapi-typescript-${name}`, [`openapi-typescript/${name}.d.ts`])
    })
    test('orval', () => {
      const output = `orval-${name}/patio.ts`
      run('orval', '--input', file, '--output', output, '--client', 'fetch', '--mode', 'tags-split')
      compile(`orval-compiled-${name}`, [`orval-${name}/**/*`])
    })
    test('@hey-api/openapi-ts', () => {
      run('openapi-ts', '-i', file, '-o', `client-${name}`)
      compile(`hey-api-${name}`, [`client-${name}/**/*`])
    })
  })
  test('a client of @hey-api/openapi-ts signs in and runs the five minutes of the README', () => {
    run('openapi-ts', '-i', 'openapi.json', '-o', 'client')
    compile('five-minutes', ['five-minutes.ts'], {
      types: ['node'],
      module: 'commonjs',
      moduleResolution: 'node10',
      noEmit: false,
      outDir: 'built',
    })
    const { people, applications } = firstOf(readDemo(dataDir).organizations)
    const { email, password } = firstOf(people)
    const args = [
      join(folder, 'built/five-minutes.js'),
      patio.url,
      email,
      password,
      firstOf(applications).key,
    ]
    const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
    expect([stdout, stderr]).toEqual(['five minutes\n', ''])
  })
})
