/**
 * `npm run build` runs it after the build of the dashboard: bundles the program into a folder of `dist/program`, unless the same
 * sources were bundled. A process then loads a hundred files instead of 1,800 (docs/decisions/0054-bundle.md). Nothing is
 * minified, so that a line of a stack trace is found in the bundle, below the path of its source.
 */
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname, join, posix, relative, sep } from 'node:path'
import { type Plugin, rolldown } from 'rolldown'
import { bundledCommands, bundleFolder, bundlesFolder } from '../server/bundle.mjs'
import { removeFormerBuilds } from './former-builds.ts'

const root = join(import.meta.dirname, '..')

/**
 * Packages that stay where npm put them: they start threads or read files beside their own modules, or, as the last one, are
 * a script of megabytes that is only passed on.
 */
const external = ['pdfkit', 'pino', 'piscina', 'undici', '@scalar/fastify-api-reference']

/**
 * Bundles programs, by the names of their files, with all threads that they start, into an empty folder. The bundle works in any
 * folder of `dist/program`. Resolves to the ids of its modules: the paths of files, and
 * those that only the bundler knows.
 */
export async function bundle(programs: Record<string, string>, folder: string): Promise<string[]> {
  const modules: string[] = []
  const build = await rolldown({
    cwd: root,
    input: programs,
    platform: 'node',
    external: id => external.some(name => id === name || id.startsWith(`${name}/`)),
    // as Node runs the sources: without tsconfig.json, and with imports of values that nothing uses
    tsconfig: false,
    transform: { target: 'node24', typescript: { onlyRemoveTypeImports: true } },
    plugins: [
      fileLocations,
      {
        name: 'modules',
        buildEnd() {
          modules.push(...this.getModuleIds())
        },
      },
    ],
    onLog(level, log) {
      if (level === 'warn') throw new Error(log.message)
    },
  })
  await build.write({ dir: folder, entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' })
  await build.close()
  return modules
}

/** The module of a thread, or the location of the module itself. */
const ownLocations =
  /new URL\('(?<thread>\.{1,2}\/[^']+\.ts)', import\.meta\.url\)|import\.meta\.(?<own>url|dirname)\b/g
const anyLocation = /__dirname|__filename|import\.meta\.(?:url|dirname|filename)/

/**
 * Our modules find migrations, programs and threads relative to their own location. In a bundle, a thread is one of its files, and
 * everything else stays where it is below the root.
 */
const fileLocations: Plugin = {
  name: 'file-locations',
  transform(code, id) {
    if (!anyLocation.test(code)) return undefined
    const path = relative(root, id).replaceAll(sep, posix.sep)
    if (path.includes('node_modules/'))
      throw new Error(`${path} finds files relative to itself: its package must be external`)
    const source = `../../../${path}`
    const url = (target: string) => `new URL('${target}', import.meta.url)`
    const placed = code.replace(ownLocations, (...match) => {
      const { thread, own } = match.at(-1) as { thread?: string; own?: string }
      if (thread) {
        const file = join(dirname(id), thread)
        const name = `${relative(join(root, 'server'), file).slice(0, -'.ts'.length).replaceAll(sep, '-')}.js`
        this.emitFile({ type: 'chunk', id: file, fileName: name })
        return url(`./${name}`)
      }
      return own === 'url' ? `${url(source)}.href` : `pathOf(${url(posix.dirname(source))})`
    })
    return `import { fileURLToPath as pathOf } from 'node:url'\n${placed}`
  },
}

async function bundleProgram(): Promise<void> {
  const startedAt = performance.now()
  const folder = bundleFolder()
  const unfinished = `${folder}.${process.pid}`
  removeFormerBundles()
  await bundle({ commands: 'server/commands.ts' }, unfinished)
  if (bundleFolder() !== folder) {
    rmSync(unfinished, { recursive: true })
    throw new Error('The sources changed while they were bundled. Run npm run build again.')
  }
  // another build may have been faster
  if (existsSync(folder)) return rmSync(unfinished, { recursive: true })
  // in one step: a process finds a whole bundle
  renameSync(unfinished, folder)
  process.stdout.write(`Program bundled in ${((performance.now() - startedAt) / 1000).toFixed(1)} s.\n`)
}

/** Removes former bundles. The newest one is replaced now: processes that run it load some of its files later. */
function removeFormerBundles(): void {
  mkdirSync(bundlesFolder, { recursive: true })
  const [newest] = readdirSync(bundlesFolder)
    .map(name => ({ name, madeAt: statSync(join(bundlesFolder, name)).mtimeMs }))
    .sort((a, b) => b.madeAt - a.madeAt)
  removeFormerBuilds(bundlesFolder, { isReplaced: name => name === newest?.name })
}

if (import.meta.main && bundledCommands() === undefined) await bundleProgram()
