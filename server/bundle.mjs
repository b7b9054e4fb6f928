// The program as `npm run build` bundles it. Plain JavaScript, because main.mjs asks for it before anything else is loaded.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { digestOf } from '../dashboard/build/digest.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const bundler = 'tools/bundle.ts'
/** The files and folders that the bundle is made of; tools/bundle.test.ts compares them with its modules. */
export const bundleSources = [
  'contract',
  'sdk',
  'server',
  'dashboard/build/digest.mjs',
  bundler,
  'package-lock.json',
]

/** The folder of all bundles, each in its own: a process loads some of its modules later, also after the next build. */
export const bundlesFolder = join(root, 'dist/program')

/** The folder of the bundle that belongs to the sources as they are. A package or an image has one bundle, and nothing that makes others. */
export function bundleFolder() {
  return join(
    bundlesFolder,
    existsSync(join(root, bundler)) ? digestOf(bundleSources).slice(0, 16) : 'release',
  )
}

/** The URL of the module with all commands in the bundle; undefined if the sources were not bundled. */
export function bundledCommands() {
  const file = join(bundleFolder(), 'commands.js')
  return existsSync(file) ? pathToFileURL(file).href : undefined
}
