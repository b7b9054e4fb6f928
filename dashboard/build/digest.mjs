// The digest of everything that the build of the dashboard reads. Plain JavaScript without dependencies,
// because npm start needs it before anything is installed.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const repository = join(dirname(fileURLToPath(import.meta.url)), '../..')
const sources = [
  'dashboard',
  'contract',
  'sdk',
  'tools/operation-route.ts',
  'tools/sbom.ts',
  'tools/third-party-notices.ts',
  'package-lock.json',
]

/** The SHA-256 of the sources of the dashboard, in hexadecimal. */
export function sourceDigest() {
  return digestOf(sources)
}

/** The files that sources are, and all in those that are folders, but tests and builds, by their paths in the repository. */
export function filesOf(sources, folder = repository) {
  return sources.flatMap(source => filesWithin(source, folder))
}

/**
 * The SHA-256 of the files of sources and their paths, and of the `imports` of package.json, by which they name each other, in
 * hexadecimal.
 */
export function digestOf(sources, folder = repository) {
  const { imports } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const hash = createHash('sha256').update(`${JSON.stringify(imports)}\0`)
  for (const path of filesOf(sources, folder))
    hash
      .update(`${path}\0`)
      .update(readFileSync(join(folder, path)))
      .update('\0')
  return hash.digest('hex')
}

/** Whether `dashboard/dist` was built from the sources as they are. A package of the server has the build, but no sources. */
export function isBuilt() {
  try {
    const builtFrom = readFileSync(join(repository, 'dashboard/dist/.built-from'), 'utf8')
    return !existsSync(join(repository, 'dashboard/build/build.ts')) || builtFrom === sourceDigest()
  } catch (error) {
    if (error.code === 'ENOENT') return false
    throw error
  }
}

function filesWithin(source, folder) {
  if (/\.\w+$/.test(source)) return [source]
  return readdirSync(join(folder, source), { withFileTypes: true })
    .filter(entry => entry.name !== 'dist' && !/\.test\.tsx?$/.test(entry.name))
    .flatMap(entry =>
      entry.isDirectory() ? filesWithin(`${source}/${entry.name}`, folder) : [`${source}/${entry.name}`],
    )
    .sort()
}
