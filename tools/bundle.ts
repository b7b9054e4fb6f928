/**
 * `npm run build` runs it after the build of the dashboard: bundles the program into a folder of `dist/program`, unless the same
 * sources were bundled. A process then loads a hundred files instead of 1,800 (docs/decisions/0054-bundle.md). Nothing is
 * minified, so that a line of a stack trace is found in the bundle, below the path of its source.
 */
import { mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname, join, posix, relative, sep } from 'node:path'
import { type Plugin, rolldown } from 'rolldown'
import { bundledCommands, bundleFolder, bundlesFolder } from '../server/bundle.mjs'

const root = join(import.meta.dirname, '..')
/** How long processes of an earlier bundle may load its files. */
const formerBundleDays = 7

/**
 * Packages that stay where npm put them: they start threads or read files beside their own modules, or, as the last one, are
 * a script of megabytes that is only passed on.
 */
const external = ['pdfkit', 'pino', 'piscina', 'undici', '@scalar/fastify-api-reference']

/**
 * Bundles programs, by the names of their files, with all threads that they start, into an empty folder. The bundle works in any
 * folder of `dist/program`.
 */
export async function bundle(programs: Record<string, string>, folder: string): Promise<void> {
  const build = await rolldown({
    cwd: root,
    input: programs,
    platform: 'node',
    external: id => external.some(name => id === name || id.startsWith(`${name}/`)),
    transform: { target: 'node24' },
    plugins: [placesOfFiles],
    onLog(level, log) {
      if (level === 'warn') throw new Error(log.message)
    },
  })
  await build.write({ dir: folder, entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' })
  await build.close()
}

/** The module of a thread, or the place of a module itself. */
const ownPlaces =
  /new URL\('(?<thread>\.{1,2}\/[^']+\.ts)', import\.meta\.url\)|import\.meta\.(?<place>url|dirname)\b/g
const anyPlace = /__dirname|__filename|import\.meta\.(?:url|dirname|filename)/

/**
 * Our modules find migrations, programs and threads by their own place. In a bundle, a thread is one of its files, and everything
 * else stays where it is below the root.
 */
const placesOfFiles: Plugin = {
  name: 'places-of-files',
  transform(code, id) {
    if (!anyPlace.test(code)) return undefined
    const path = relative(root, id).replaceAll(sep, posix.sep)
    if (path.includes('node_modules/'))
      throw new Error(`${path} finds files by its own place: its package must be external`)
    const own = `../../../${path}`
    const url = (path: string) => `new URL('${path}', import.meta.url)`
    const placed = code.replace(ownPlaces, (...match) => {
      const { thread, place } = match.at(-1) as { thread?: string; place?: string }
      if (thread) {
        const file = join(dirname(id), thread)
        const name = `${relative(join(root, 'server'), file).slice(0, -'.ts'.length).replaceAll(sep, '-')}.js`
        this.emitFile({ type: 'chunk', id: file, fileName: name })
        return url(`./${name}`)
      }
      return place === 'url' ? `${url(own)}.href` : `placeOf(${url(posix.dirname(own))})`
    })
    return `import { fileURLToPath as placeOf } from 'node:url'\n${placed}`
  },
}

async function bundleProgram(): Promise<void> {
  const startedAt = performance.now()
  const folder = bundleFolder()
  const unfinished = `${folder}.${process.pid}`
  removeFormerBundles()
  await bundle({ commands: 'server/commands.ts' }, unfinished)
  // in one step: a process finds a whole bundle
  renameSync(unfinished, folder)
  process.stdout.write(`Program bundled in ${((performance.now() - startedAt) / 1000).toFixed(1)} s.\n`)
}

function removeFormerBundles(): void {
  const oldest = performance.timeOrigin - formerBundleDays * 86_400_000
  mkdirSync(bundlesFolder, { recursive: true })
  for (const name of readdirSync(bundlesFolder)) {
    const former = join(bundlesFolder, name)
    if (statSync(former).mtimeMs < oldest) rmSync(former, { recursive: true })
  }
}

if (import.meta.main && bundledCommands() === undefined) await bundleProgram()
