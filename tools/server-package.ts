/**
 * `npm run build:server [-- folder]`: builds the package `patio-server`, which a machine without these sources installs with npm,
 * and packs it into `patio-server-<version>.tgz` beside its folder. It contains the bundled program, with the built dashboard, the
 * migrations and the versions of all packages.
 */
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { builtAssets } from '../dashboard/build/built-assets.ts'
import { bundle } from './bundle.ts'
import { billOfMaterials, type Locked, packageAt, serverPackages } from './sbom.ts'

const root = join(import.meta.dirname, '..')
const programFolder = 'dist/program/release'
const bin = { patio: 'server/main.mjs', 'patio-demo-receiver': `${programFolder}/demo-receiver.js` }
const programs = { commands: 'server/commands.ts', 'demo-receiver': 'tools/demo-receiver.ts' }
const copied = [
  ['server/main.mjs', 'server/main.mjs'],
  ['server/bundle.mjs', 'server/bundle.mjs'],
  ['server/pinned-node.mjs', 'server/pinned-node.mjs'],
  ['dashboard/build/digest.mjs', 'dashboard/build/digest.mjs'],
  ['LICENSE', 'LICENSE'],
  ['deploy/npm/README.md', 'README.md'],
  ['docs/guides', 'docs/guides'],
  ['migrations', 'migrations'],
] as const

/** Builds the package in a folder, which is emptied first. The dashboard must be built. */
export async function buildServerPackage(folder: string): Promise<void> {
  rmSync(folder, { recursive: true, force: true })
  const put = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  for (const [from, to] of copied) cpSync(join(root, from), join(folder, to), { recursive: true })
  await bundle(programs, join(folder, programFolder))
  for (const path of Object.values(bin))
    put(path, `#!/usr/bin/env node\n${readFileSync(join(folder, path), 'utf8')}`)
  copyDashboard(folder)
  const manifest = packageManifest()
  put('package.json', asJson(manifest))
  put('npm-shrinkwrap.json', asJson(shrinkwrap(manifest)))
  put('patio.cdx.json', billOfMaterials())
}

function copyDashboard(folder: string): void {
  const [from, to] = [root, folder].map(one => join(one, 'dashboard/dist')) as [string, string]
  mkdirSync(join(to, 'assets'), { recursive: true })
  const notices = ['', '.br', '.gz'].map(suffix => `third-party-notices.txt${suffix}`)
  for (const name of ['.built-from', 'index.html', 'book.html', 'screens.json', ...notices])
    cpSync(join(from, name), join(to, name))
  const assets = [...builtAssets(from)].flatMap(name => [name, `${name}.br`, `${name}.gz`])
  for (const name of assets.filter(name => existsSync(join(from, 'assets', name))))
    cpSync(join(from, 'assets', name), join(to, 'assets', name))
}

function packageManifest() {
  const own = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  return {
    name: 'patio-server',
    version: own.version as string,
    description: own.description as string,
    license: own.license as string,
    type: 'module',
    engines: own.engines as Record<string, string>,
    bin,
    dependencies: own.dependencies as Record<string, string>,
    optionalDependencies: own.optionalDependencies as Record<string, string>,
  }
}

/** The lock file of the package, with which npm installs the versions that were tested. */
function shrinkwrap(manifest: ReturnType<typeof packageManifest>) {
  const { name, version, license, engines, dependencies, optionalDependencies } = manifest
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as { packages: Locked }
  const packages = serverPackages(lock.packages).map(path => [path, packageAt(lock.packages, path)])
  return {
    name,
    version,
    lockfileVersion: 3,
    requires: true,
    packages: {
      '': { name, version, license, engines, bin, dependencies, optionalDependencies },
      ...Object.fromEntries(packages),
    },
  }
}

function asJson(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`
}

/** Packs a folder with npm, which gives all files the same date; returns the path of the archive. */
export function packServer(folder: string, into: string): string {
  mkdirSync(into, { recursive: true })
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', into]
  const { status, stdout, stderr } = spawnSync('npm', args, { cwd: folder, encoding: 'utf8' })
  if (status !== 0) throw new Error(`npm pack failed:\n${stderr}`)
  const [{ filename }] = JSON.parse(stdout) as [{ filename: string }]
  return join(into, filename)
}

if (import.meta.main) {
  const folder = process.argv[2] ?? join(root, 'dist/server')
  await buildServerPackage(folder)
  process.stdout.write(`${packServer(folder, dirname(folder))}\n`)
}
