import { spawn } from 'node:child_process'
import { once } from 'node:events'
import * as fs from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** A program, and the environment variables that it needs in addition to those of this process. */
type BrowserProgram = { executablePath: string; env: Record<string, string> }

/**
 * The Chromium inside the npm package `@sparticuz/chromium`, unpacked once per machine and version below the
 * user's cache folder (200 MB). The package also has NSS and expat, for machines without them, and a font.
 */
export async function packagedBrowser(): Promise<BrowserProgram> {
  const caches = process.env.XDG_CACHE_HOME || join(homedir(), '.cache')
  const folder = join(caches, 'patio', `chromium-${packageVersion()}`)
  await unpackOnce(folder, unpackPackage)
  const systemLibraries = process.env.LD_LIBRARY_PATH ? `:${process.env.LD_LIBRARY_PATH}` : ''
  return {
    executablePath: join(folder, 'chromium'),
    env: {
      LD_LIBRARY_PATH: `${join(folder, 'al2023/lib')}${systemLibraries}`,
      FONTCONFIG_FILE: join(folder, 'fonts.conf'),
    },
  }
}

function packageVersion(): string {
  const manifest = new URL('../package.json', import.meta.resolve('@sparticuz/chromium'))
  return (JSON.parse(fs.readFileSync(manifest, 'utf8')) as { version: string }).version
}

/**
 * Fills a folder, unless it exists. Several processes may do so at once: each fills a folder of its own and
 * renames it, so that the folder is complete as soon as it exists.
 */
export async function unpackOnce(folder: string, unpack: (into: string) => Promise<void>): Promise<void> {
  if (fs.existsSync(folder)) return
  fs.mkdirSync(dirname(folder), { recursive: true })
  const own = fs.mkdtempSync(`${folder}.unpacking-`)
  try {
    await unpack(own)
    fs.renameSync(own, folder)
  } catch (error) {
    fs.rmSync(own, { recursive: true, force: true })
    // another process was faster
    if (!fs.existsSync(folder)) throw error
  }
}

/** The package unpacks into the temporary folder of its process, so it runs in a process of its own. */
async function unpackPackage(into: string): Promise<void> {
  const program = fileURLToPath(new URL('unpack-chromium.ts', import.meta.url))
  const child = spawn(process.execPath, [program], {
    env: { ...process.env, TMPDIR: into },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`Chromium could not be unpacked to ${into}`)
  fs.writeFileSync(join(into, 'fonts.conf'), fontsConf)
}

/** The fonts of the machine, and that of the package, whose folder is beside this file. */
const fontsConf = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>/usr/share/fonts</dir>
  <dir prefix="relative">fonts</dir>
  <cachedir prefix="xdg">fontconfig</cachedir>
</fontconfig>
`
