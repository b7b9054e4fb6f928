/**
 * `npm run build`: builds the dashboard into `dashboard/dist`, unless it was built from the same sources, with the licences of the
 * packages of others. Each file also gets a Brotli and a gzip form.
 */
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { build } from 'vite'
import { thirdPartyNotices } from '../../tools/third-party-notices.ts'
import { builtAssets } from './built-assets.ts'
import { isBuilt, sourceDigest } from './digest.mjs'

const dist = join(import.meta.dirname, '../dist')
const assets = join(dist, 'assets')
const noticesFile = 'third-party-notices.txt'
/** How long pages that are open may load the files of an earlier build. */
const formerBuildDays = 7
const compressible = /\.(js|css|svg)$/

if (!isBuilt()) await buildDashboard()

async function buildDashboard(): Promise<void> {
  const digest = sourceDigest()
  mkdirSync(assets, { recursive: true })
  const startedAt = performance.now()
  await build({ configFile: join(import.meta.dirname, 'vite.config.ts'), logLevel: 'warn' })
  const current = builtAssets(dist)
  removeFormerAssets(current)
  writeFileSync(join(dist, noticesFile), thirdPartyNotices())
  const compressed = [...current].filter(name => compressible.test(name)).map(name => `assets/${name}`)
  await Promise.all([...compressed, noticesFile].map(compress))
  // last, and in one step: a reader finds a whole build
  writeFileSync(join(dist, '.built-from.new'), digest)
  renameSync(join(dist, '.built-from.new'), join(dist, '.built-from'))
  process.stdout.write(`Dashboard built in ${((performance.now() - startedAt) / 1000).toFixed(1)} s.\n`)
}

function removeFormerAssets(current: ReadonlySet<string>): void {
  const oldest = performance.timeOrigin - formerBuildDays * 86_400_000
  for (const name of readdirSync(assets)) {
    const isCurrent = current.has(name.replace(/\.(br|gz)$/, ''))
    if (!isCurrent && statSync(join(assets, name)).mtimeMs < oldest) rmSync(join(assets, name))
  }
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
