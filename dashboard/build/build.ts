/**
 * `npm run build`: builds the dashboard into `dashboard/dist`, unless it was built from the same sources, with the licences of the
 * packages of others. Each file also gets a Brotli and a gzip form.
 */
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { build } from 'vite'
import { removeFormerBuilds } from '../../tools/former-builds.ts'
import { thirdPartyNotices } from '../../tools/third-party-notices.ts'
import { builtAssets } from './built-assets.ts'
import { isBuilt, sourceDigest } from './digest.mjs'

const dist = join(import.meta.dirname, '../dist')
const assets = join(dist, 'assets')
const noticesFile = 'third-party-notices.txt'
const compressible = /\.(js|css|svg)$/

if (!isBuilt()) await buildDashboard()

async function buildDashboard(): Promise<void> {
  const digest = sourceDigest()
  mkdirSync(assets, { recursive: true })
  const startedAt = performance.now()
  const former = existsSync(join(dist, 'manifest.json')) ? builtAssets(dist) : new Set<string>()
  await build({ configFile: join(import.meta.dirname, 'vite.config.ts'), logLevel: 'warn' })
  const current = builtAssets(dist)
  // pages that are open load the files of the build that they began with
  const isOf = (names: ReadonlySet<string>) => (name: string) => names.has(name.replace(/\.(br|gz)$/, ''))
  removeFormerBuilds(assets, { isReplaced: isOf(former), isCurrent: isOf(current) })
  writeFileSync(join(dist, noticesFile), thirdPartyNotices())
  const compressed = [...current].filter(name => compressible.test(name)).map(name => `assets/${name}`)
  await Promise.all([...compressed, noticesFile].map(compress))
  // last, and in one step: a reader finds a whole build
  writeFileSync(join(dist, '.built-from.new'), digest)
  renameSync(join(dist, '.built-from.new'), join(dist, '.built-from'))
  process.stdout.write(`Dashboard built in ${((performance.now() - startedAt) / 1000).toFixed(1)} s.\n`)
}

async function compress(name: string): Promise<void> {
  const path = join(dist, name)
  const bytes = readFileSync(path)
  const [br, gz] = await Promise.all([
    promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }),
    promisify(gzip)(bytes, { level: 9 }),
  ])
  writeFileSync(`${path}.br`, br)
  writeFileSync(`${path}.gz`, gz)
}
