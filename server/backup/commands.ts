import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { constants, setPriority } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { BackupConfig } from '../config/backup.ts'
import { type Config, ConfigError } from '../config.ts'
import { withRunningDatabase } from '../jobs.ts'
import { type Blobs, openBlobs } from '../platform/adapters/blobs.ts'
import { openFiles } from '../platform/adapters/files.ts'
import { lockDataDir } from '../platform/data/embedded/lock.ts'
import { startEmbedded } from '../platform/data/embedded.ts'
import { migrate } from '../platform/data/migrate.ts'
import { withSessionLock } from '../platform/data/session-lock.ts'
import { openJobRunRecorder } from '../platform/jobs/job-run.ts'
import { openLog } from '../platform/log.ts'
import { commandLine } from '../platform/version.ts'
import { openForJob } from '../with-sign-in.ts'
import { letReadersStartAgain } from './after-restore.ts'
import { makeBackup } from './backup.ts'
import { checkData, type DataReport } from './check-data.ts'
import { type BackupManifest, listBackups, readManifest } from './manifest.ts'
import { openProgress, sizeText } from './progress.ts'
import { deleteExpired } from './prune.ts'
import {
  assertNothingThere,
  checkFiles,
  type RestoreContext,
  RestoreRefused,
  restoreDatabase,
  restoreFiles,
  restoreSecrets,
} from './restore.ts'

/** The name of the job in the health of the server (OPR-11). */
const jobName = 'back up'
/** One backup at a time: a second one would delete or miss what the first one writes. */
const lockKey = 7_283_462

const print = (text: string) => process.stdout.write(`${text}\n`)

/** `backup [--to URL] [--list]`: makes a backup and deletes those that are too old, or lists what there is. */
export async function runBackup(config: Config, args: string[]): Promise<number> {
  const { values } = parseArgs({ args, options: { to: { type: 'string' }, list: { type: 'boolean' } } })
  const backup = requireBackup(config, 'backup --to file:/mnt/backups')
  return withBlobs(config, backup, async blobs => {
    if (values.list) return printBackups(blobs, backup)
    return withRunningDatabase(config, databaseUrl => backUp(config, backup, blobs, databaseUrl))
  })
}

async function backUp(
  config: Config,
  { key, retention, maxKilobytesPerSecond }: BackupConfig,
  blobs: Blobs,
  databaseUrl: string,
): Promise<number> {
  // requests go first
  setPriority(constants.priority.PRIORITY_LOW)
  const database = await openForJob(databaseUrl)
  const files = await openFiles({ url: config.filesUrl, dataDir: config.dataDir, s3: config.s3 })
  const record = openJobRunRecorder(jobName, database, openLog('warn', 'backup'))
  const progress = openProgress()
  try {
    const manifest = await withSessionLock(databaseUrl, lockKey, async () => {
      const made = await makeBackup({
        blobs,
        key,
        database,
        files,
        embeddedUrl: config.databaseUrl === undefined ? databaseUrl : undefined,
        publicUrl: config.publicUrl,
        secrets: {
          signInSecret: config.signInSecret,
          sessionKeys: config.sessionKeys,
          formerSecrets: config.formerSecrets ?? [],
          provenanceKey: config.provenanceKey ?? null,
        },
        reading: { checkpoint: 'fast', maxKilobytesPerSecond },
        onProgress: progress.show,
      })
      await deleteExpired(blobs, key, retention)
      return made
    })
    progress.end()
    if (!manifest) throw new RestoreRefused('Another backup is being made.')
    await record()
    print(`Made the backup ${describe(manifest)}.`)
    return 0
  } catch (error) {
    progress.end()
    await record(error)
    throw error
  } finally {
    files.close()
    await database.close()
  }
}

/**
 * `restore [--from URL] [--backup ID] [--verify]`: restores a backup into an empty DATA_DIR. `--verify` restores it into a
 * temporary folder, checks everything and deletes it again.
 */
export async function runRestore(config: Config, args: string[]): Promise<number> {
  const { values } = parseArgs({
    args,
    options: {
      from: { type: 'string' },
      backup: { type: 'string' },
      verify: { type: 'boolean' },
      list: { type: 'boolean' },
    },
  })
  const backup = requireBackup(config, 'restore --from file:/mnt/backups')
  return withBlobs(config, backup, async blobs => {
    if (values.list) return printBackups(blobs, backup)
    const id = values.backup ?? (await listBackups(blobs)).at(-1)
    if (id === undefined) throw new RestoreRefused(`There is no backup in ${backup.url}.`)
    const manifest = await readManifest(blobs, backup.key, id)
    print(`Reading the backup ${describe(manifest)}.`)
    await mkdir(config.dataDir, { recursive: true, mode: 0o700 })
    const progress = openProgress()
    const context: RestoreContext = { blobs, key: backup.key, manifest, onProgress: progress.show }
    try {
      return await (values.verify ? verifyBackup(config, context) : restore(config, context))
    } finally {
      progress.end()
    }
  })
}

async function restore(config: Config, context: RestoreContext): Promise<number> {
  const { dataDir, databaseUrl } = config
  const { manifest } = context
  await assertNothingThere(dataDir)
  const lock = lockDataDir(dataDir)
  const files = await openFiles({ url: config.filesUrl, dataDir, s3: config.s3 })
  const staging = join(dataDir, 'restoring')
  try {
    await rm(staging, { recursive: true, force: true })
    await restoreFiles(context, files)
    await restoreSecrets(dataDir, manifest.secrets)
    if (databaseUrl !== undefined || manifest.database === null) {
      print(
        `Restored ${manifest.files.count} files, and the secrets in ${dataDir}/secrets.json. Restore the database with its own tools, then run: ${commandLine.program} restored`,
      )
      return 0
    }
    await restoreDatabase(context, staging)
    await withRestoredCluster(staging, async url => {
      await migrate(url)
      const database = await openForJob(url)
      await letReadersStartAgain(database, manifest.at).finally(() => database.close())
    })
    // last, so that an interrupted restore leaves nothing that a server would start
    await rename(join(staging, 'postgres'), join(dataDir, 'postgres'))
    await rm(staging, { recursive: true, force: true })
  } finally {
    files.close()
    lock.release()
  }
  print(`Restored into ${dataDir}. Start the server with: ${commandLine.start}`)
  return 0
}

async function verifyBackup(config: Config, context: RestoreContext): Promise<number> {
  const digests = await checkFiles(context)
  if (context.manifest.database === null) {
    print(`The ${digests.size} files are whole. The backup has no database.`)
    return 0
  }
  const folder = await mkdtemp(join(config.dataDir, 'verify-'))
  try {
    await restoreDatabase(context, folder)
    const check = await withRestoredCluster(folder, async url => {
      const database = await openForJob(url)
      return checkData(database, digests).finally(() => database.close())
    })
    return printCheck(check, digests.size)
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

function printCheck({ faults, counts }: DataReport, files: number): number {
  for (const fault of faults) print(fault)
  const checked = Object.entries({ ...counts, files })
    .map(([name, count]) => `${count} ${name}`)
    .join(', ')
  print(faults.length === 0 ? `The backup is whole: ${checked}.` : `The backup has faults: ${checked}.`)
  return faults.length === 0 ? 0 : 1
}

async function withRestoredCluster<Result>(
  dataDir: string,
  work: (url: string) => Promise<Result>,
): Promise<Result> {
  const embedded = await startEmbedded({ dataDir, log: () => {} })
  try {
    return await work(embedded.url)
  } finally {
    await embedded.stop()
  }
}

async function printBackups(blobs: Blobs, { key }: BackupConfig): Promise<number> {
  const ids = await listBackups(blobs)
  for (const id of ids) print(describe(await readManifest(blobs, key, id)))
  if (ids.length === 0) print('There is no backup.')
  return 0
}

function describe({ id, version, database, files }: BackupManifest): string {
  const parts = [
    database ? `database ${sizeText(database.archiveBytes)}` : 'no database',
    `${files.count} files ${sizeText(files.bytes)}`,
    `Patio ${version}`,
  ]
  return `${id} (${parts.join(', ')})`
}

function requireBackup({ backup }: Config, example: string): BackupConfig {
  if (backup) return backup
  throw new ConfigError(`Set BACKUP_TO and BACKUP_KEY, or run: ${commandLine.program} ${example}`)
}

async function withBlobs(
  { s3, dataDir }: Config,
  { url }: BackupConfig,
  work: (blobs: Blobs) => Promise<number>,
): Promise<number> {
  const blobs = await openBlobs({ url, s3, spool: join(dataDir, 'incoming') })
  try {
    return await work(blobs)
  } finally {
    blobs.close()
  }
}
