import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, readdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { chooseAccount } from '#platform/data/embedded/account.ts'
import { dataArgument } from '#platform/data/embedded/program.ts'
import { prepareSoftware } from '#platform/data/embedded/software.ts'
import { startEmbedded } from '#platform/data/embedded.ts'
import { freePort } from '#platform/ports.ts'
import { dataFolder, until } from './processes.ts'

/** The clock of programs that start with `env`. Their timers follow the real clock, as when a machine's clock is set. */
export type FakeClock = {
  readonly env: Record<string, string>
  /** Sets the clock to so many hours ahead of the real time. */
  set(hours: number): void
}

/** Debian's package `faketime` has the library. */
function fakeTimeLibrary(): string {
  const folder = readdirSync('/usr/lib')
    .map(name => join('/usr/lib', name, 'faketime/libfaketimeMT.so.1'))
    .find(path => existsSync(path))
  if (folder === undefined) throw new Error('Install libfaketime first: apt-get install faketime')
  return folder
}

/**
 * Opens a clock that is `hours` ahead of the real time, or shows it. It should never be behind: signal handlers sometimes get the
 * real time, and the timeouts of PostgreSQL then end too early.
 */
export function openFakeClock(hours: number): FakeClock {
  const folder = dataFolder()
  // PostgreSQL reads it as another user
  chmodSync(folder, 0o755)
  const file = join(folder, 'offset')
  const set = (ahead: number) => {
    writeFileSync(`${file}.new`, `+${ahead}h\n`)
    renameSync(`${file}.new`, file)
  }
  set(hours)
  const env = {
    LD_PRELOAD: fakeTimeLibrary(),
    FAKETIME_TIMESTAMP_FILE: file,
    FAKETIME_NO_CACHE: '1',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
    NO_FAKE_STAT: '1',
  }
  return { env, set }
}

/** A PostgreSQL of the embedded binaries with another clock. */
export async function startPostgresWithClock(
  clock: FakeClock,
): Promise<{ url: string; stop(): Promise<void> }> {
  const dataDir = dataFolder()
  const port = await freePort('127.0.0.1')
  const created = await startEmbedded({ dataDir, port, log: () => {} })
  await created.stop()
  const account = chooseAccount(dataDir)
  const { dir: software } = prepareSoftware(dataDir, account)
  const cluster = join(dataDir, 'postgres')
  const settings = { listen_addresses: '127.0.0.1', port: String(port), unix_socket_directories: '' }
  const child = spawn(
    join(software, 'bin/postgres'),
    [
      '-D',
      dataArgument(cluster),
      ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ],
    { ...account, cwd: cluster, env: { LC_ALL: 'C', ...clock.env }, stdio: 'ignore' },
  )
  await until('PostgreSQL accepts connections', () => accepts(created.url))
  return {
    url: created.url,
    async stop() {
      const exited = once(child, 'exit')
      child.kill('SIGINT')
      await exited
    },
  }
}

async function accepts(connectionString: string): Promise<boolean> {
  const client = new pg.Client({ connectionString })
  try {
    await client.connect()
    return true
  } catch {
    // it is still starting
    return false
  } finally {
    await client.end().catch(() => {})
  }
}
