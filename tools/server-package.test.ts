import { globSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { tmpdir } from 'node:os'
import { join, posix } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { allCaptured } from '#tests/support/elements.ts'
import { builtAssets } from '../dashboard/build/built-assets.ts'
import { buildServerPackage } from './server-package.ts'
import { thirdPartyNotices } from './third-party-notices.ts'

const root = join(import.meta.dirname, '..')
const mostBytes = 24_000_000
const parts = [
  /^(LICENSE|README\.md|package\.json|npm-shrinkwrap\.json|patio\.cdx\.json)$/,
  /^dist\/program\/release\/[\w.-]+\.js$/,
  /^server\/(main|bundle|pinned-node)\.mjs$/,
  /^migrations\/(\d{4}-[\w-]+\.sql|SHA256SUMS)$/,
  /^docs\/guides\/[\w-]+\.md$/,
  /^dashboard\/build\/digest\.mjs$/,
  /^dashboard\/dist\/(\.built-from|index\.html|book\.html|screens\.json|third-party-notices\.txt(\.br|\.gz)?)$/,
  /^dashboard\/dist\/assets\/[\w.-]+\.(js|css|svg|woff2?)(\.(br|gz))?$/,
]

let folder: string
let files: string[]
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'patio-package-'))
  await buildServerPackage(folder)
  files = globSync('**', { cwd: folder, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => posix.relative(folder, join(entry.parentPath, entry.name)))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const read = (path: string) => readFileSync(join(folder, path), 'utf8')

test('the package has the program, the dashboard, the migrations and the guides, and nothing else', () => {
  expect(files.filter(path => !parts.some(part => part.test(path)))).toEqual([])
  for (const part of parts) expect(files.filter(path => part.test(path)).length, `${part}`).toBeGreaterThan(0)
  expect(files.filter(path => /\.test\.|test-server|fixture|\.tsx?$/.test(path))).toEqual([])
  const migrations = globSync('migrations/*', { cwd: root })
  expect(migrations.filter(path => !files.includes(path))).toEqual([])
})

test('the dashboard is that of the newest build, whole', () => {
  const assets = files.filter(path => path.startsWith('dashboard/dist/assets/'))
  const linked = [...read('dashboard/dist/index.html').matchAll(/(?:src|href)="\/(assets\/[^"]+)"/g)]
  expect(linked.length).toBeGreaterThan(1)
  for (const [, path] of linked) expect(assets).toContain(`dashboard/dist/${path}`)
  for (const name of builtAssets(join(root, 'dashboard/dist'))) {
    expect(assets).toContain(`dashboard/dist/assets/${name}`)
    if (name.endsWith('.js')) expect(assets).toContain(`dashboard/dist/assets/${name}.br`)
  }
})

test('the package has the licences of the packages of others', () => {
  expect(read('dashboard/dist/third-party-notices.txt')).toBe(thirdPartyNotices())
})

test('the package is not larger than a download should be', () => {
  const bytes = files.reduce((sum, path) => sum + statSync(join(folder, path)).size, 0)
  expect(bytes).toBeLessThan(mostBytes)
})

test('every import names a module of the package, or a package that is installed with it', () => {
  const { packages } = JSON.parse(read('npm-shrinkwrap.json'))
  const { dependencies } = JSON.parse(read('package.json'))
  const problems: string[] = []
  let count = 0
  for (const path of files.filter(path => /^(dist\/program|server|dashboard\/build)\/.*\.m?js$/.test(path))) {
    for (const name of importsOf(read(path))) {
      count++
      if (isBuiltin(name)) continue
      if (name.startsWith('.')) {
        if (!files.includes(posix.join(posix.dirname(path), name)))
          problems.push(`${path}: ${name} is missing`)
        continue
      }
      const [packageName = ''] = /^(?:@[^/]+\/)?[^/]+/.exec(name) ?? []
      if (!dependencies[packageName] || !packages[`node_modules/${packageName}`])
        problems.push(`${path}: the package ${packageName} is not installed`)
    }
  }
  expect(problems).toEqual([])
  expect(count).toBeGreaterThan(500)
})

function importsOf(code: string): string[] {
  const patterns = [
    /^import (?:[^"'\n]+ from )?["']([^"'\n]+)["']/gm,
    /^[^*\n]*\bawait import\(["']([^"'\n]+)["']\)/gm,
    /\bnew URL\(["'](\.\/[^"'\n]+\.m?js)["']/g,
  ]
  return patterns.flatMap(pattern => allCaptured(pattern, code))
}

test('the versions of the packages are those that were tested, without those for development', () => {
  const { packages } = JSON.parse(read('npm-shrinkwrap.json'))
  const tested = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages
  const { '': own, ...installed } = packages
  expect(own).not.toHaveProperty('devDependencies')
  for (const [path, entry] of Object.entries(installed)) expect(entry).toEqual(tested[path])
  expect(Object.keys(installed)).toEqual(expect.arrayContaining(['node_modules/pg', 'node_modules/tar']))
  expect(Object.values<{ dev?: boolean }>(installed).filter(({ dev }) => dev)).toEqual([])
})

test('the program, its threads and the demo receiver are there', () => {
  const wanted = ['commands', 'demo-receiver', 'platform-adapters-pdf-write', 'studio-versions-compare']
  for (const name of wanted) expect(files).toContain(`dist/program/release/${name}.js`)
  for (const path of ['server/main.mjs', 'dist/program/release/demo-receiver.js'])
    expect(read(path)).toMatch(/^#!\/usr\/bin\/env node\n/)
})

test('messages name the commands of the package', () => {
  const modules = files
    .filter(path => path.startsWith('dist/program/'))
    .flatMap(path =>
      read(path)
        .split(/^\/\/ (?=\S+\.ts$)/m)
        .slice(1),
    )
  const naming = modules
    .filter(module => /node server\/main\.mjs|npm start/.test(withoutComments(module)))
    .map(module => module.slice(0, module.indexOf('\n')))
  // the one that chooses; the reference of the settings is not part of a program
  expect([...new Set(naming)]).toEqual(['server/platform/version.ts'])
})

function withoutComments(code: string): string {
  return code.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')
}
