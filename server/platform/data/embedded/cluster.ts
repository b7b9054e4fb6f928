import { randomBytes } from 'node:crypto'
import {
  appendFileSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { assertNamed, assertOwn, changeOwner, claimCluster, type SystemAccount } from './account.ts'
import { clearProcesses } from './processes.ts'
import { dataArgument, runProgram } from './program.ts'
import type { Software } from './software.ts'

export type Cluster = { dir: string; password: string; isNew: boolean }

export const role = 'patio'
export const database = 'patio'

const majorVersion = '18'
const unfinishedPrefix = 'postgres.new-'
const passwordFile = 'patio-password'
/** Written once the role may read the whole cluster over the replication protocol, for backups. */
const replicationFile = 'patio-replication'

/** `all` does not include replication connections. */
const clientAuthentication = [
  'local all all scram-sha-256',
  'host all all 127.0.0.1/32 scram-sha-256',
  `local replication ${role} scram-sha-256`,
  `host replication ${role} 127.0.0.1/32 scram-sha-256`,
]

/** Written into postgresql.conf once. After that, the file belongs to the operator. */
const firstSettings: Record<string, string> = {
  max_connections: '100',
  shared_buffers: '192MB',
  work_mem: '8MB',
  random_page_cost: '1.1',
  max_wal_size: '1GB',
  max_slot_wal_keep_size: '4GB',
  wal_compression: 'on',
  // Parallel plans gain little on two cores, and a container's /dev/shm of 64 MB is too small for them.
  max_parallel_workers_per_gather: '0',
  max_parallel_maintenance_workers: '0',
  jit: 'off',
  idle_in_transaction_session_timeout: '60s',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_line_prefix: '%m [%p] %a ',
  log_min_duration_statement: '1s',
  // Values of slow statements may be personal data.
  log_parameter_max_length: '0',
  log_checkpoints: 'off',
  log_lock_waits: 'on',
}

/**
 * Opens the cluster in `dataDir/postgres`, and creates it if there is none.
 *
 * A new cluster is created under another name and renamed when it is complete and on disk. An interrupted
 * first start only leaves a folder that the next one removes. Throws if the folder contains something else,
 * is of another PostgreSQL version, or belongs to someone else.
 */
export async function openCluster(
  software: Software,
  dataDir: string,
  account: SystemAccount,
  { isDurable }: { isDurable: boolean },
): Promise<Cluster> {
  const dir = join(dataDir, 'postgres')
  await removeUnfinished(dataDir)
  if (existsSync(dir)) assertOwn(dir, account)
  const isNew = !existsSync(dir) || readdirSync(dir).length === 0
  if (isNew) {
    assertNamed(account)
    await create(software, dataDir, account, isDurable)
  }
  const version = readIfThere(join(dir, 'PG_VERSION'))
  if (version === undefined) throw new Error(`${dir} is not a PostgreSQL cluster. Move it away`)
  if (version !== majorVersion) {
    throw new Error(`${dir} was created by PostgreSQL ${version}, but this Patio contains ${majorVersion}`)
  }
  claimCluster(dir, account)
  // The server of a killed Patio may still run, start or recover: it must end before anything is touched.
  await clearProcesses(dir)
  const password = readIfThere(join(dir, passwordFile)) || (await renewPassword(software, dir, account))
  if (!existsSync(join(dir, replicationFile))) await allowReplication(software, dir, account)
  return { dir, password, isNew }
}

async function create(
  software: Software,
  dataDir: string,
  account: SystemAccount,
  isDurable: boolean,
): Promise<void> {
  const dir = mkdtempSync(join(dataDir, unfinishedPrefix))
  changeOwner(dir, account)
  const run = (args: string[], input?: string) => runProgram(software, dir, account, args, input)
  const locale = process.platform === 'darwin' ? 'en_US.UTF-8' : 'C.UTF-8'
  await run([
    'initdb',
    '--pgdata',
    dataArgument(dir),
    '--username=postgres',
    '--auth=reject',
    '--no-sync',
    // The built-in provider sorts and folds identically on every system, including accents; the locale of the
    // system only classifies characters for the parser of text search.
    '--encoding=UTF8',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    `--locale=${locale}`,
    '--lc-messages=C',
    '--data-checksums',
    '--no-instructions',
    ...Object.entries(firstSettings).flatMap(([name, value]) => ['--set', `${name}=${value}`]),
  ])
  writeFileSync(join(dir, 'pg_hba.conf'), `${clientAuthentication.join('\n')}\n`)
  const password = writePassword(dir, account)
  // The superuser has no password, so nobody can sign in as it. On its own PostgreSQL, Patio needs no more
  // rights than on an external one.
  await run(
    singleUser(dir),
    [
      `create role ${role} login createdb replication password '${password}'`,
      `grant pg_monitor to ${role}`,
      `create database ${database} owner ${role}`,
    ].join('\n'),
  )
  markReplication(dir, account)
  if (isDurable) await run(['initdb', '--pgdata', dataArgument(dir), '--sync-only'])
  renameSync(dir, join(dataDir, 'postgres'))
  syncFolder(dataDir)
}

/** For a lost password file: access to the files of the cluster is enough to set a new password. */
async function renewPassword(software: Software, dir: string, account: SystemAccount): Promise<string> {
  const password = writePassword(dir, account)
  try {
    await runProgram(software, dir, account, singleUser(dir), `alter role ${role} password '${password}'`)
  } catch (error) {
    rmSync(join(dir, passwordFile), { force: true })
    throw error
  }
  return password
}

/** For a cluster of a version before backups: adds the lines that the operator's file lacks, and the right of the role. */
async function allowReplication(software: Software, dir: string, account: SystemAccount): Promise<void> {
  const file = join(dir, 'pg_hba.conf')
  const present = readFileSync(file, 'utf8').split('\n')
  const missing = clientAuthentication.filter(line => line.includes('replication') && !present.includes(line))
  if (missing.length > 0) appendFileSync(file, `\n${missing.join('\n')}\n`)
  await runProgram(software, dir, account, singleUser(dir), `alter role ${role} replication`)
  markReplication(dir, account)
}

function markReplication(dir: string, account: SystemAccount): void {
  writeFileSync(join(dir, replicationFile), '', { mode: 0o600 })
  changeOwner(join(dir, replicationFile), account)
}

function writePassword(dir: string, account: SystemAccount): string {
  const password = randomBytes(24).toString('base64url')
  rmSync(join(dir, passwordFile), { force: true })
  // 'wx' does not follow a symbolic link that the unprivileged user may have created.
  writeFileSync(join(dir, passwordFile), `${password}\n`, { mode: 0o600, flag: 'wx' })
  changeOwner(join(dir, passwordFile), account)
  return password
}

function singleUser(dir: string): string[] {
  return ['postgres', '--single', '-F', '-D', dataArgument(dir), '-c', 'exit_on_error=true', 'postgres']
}

async function removeUnfinished(dataDir: string): Promise<void> {
  for (const name of readdirSync(dataDir)) {
    if (!name.startsWith(unfinishedPrefix)) continue
    await clearProcesses(join(dataDir, name), { fastMs: 2_000, immediateMs: 1_000 })
    rmSync(join(dataDir, name), { recursive: true, force: true, maxRetries: 5 })
  }
}

function readIfThere(path: string): string | undefined {
  return existsSync(path) ? readFileSync(path, 'utf8').trim() : undefined
}

function syncFolder(dir: string): void {
  const folder = openSync(dir, 'r')
  fsyncSync(folder)
  closeSync(folder)
}
