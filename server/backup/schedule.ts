import { type ChildProcess, fork } from 'node:child_process'
import { join } from 'node:path'
import type { BackupConfig } from '../config/backup.ts'
import type { Config } from '../config.ts'
import { openBlobs } from '../platform/adapters/blobs.ts'
import { nowMs } from '../platform/clock.ts'
import type { Log } from '../platform/log.ts'
import { listBackups, timeOfBackup } from './manifest.ts'

/** How often it checks whether a backup is due. */
const lookMs = 60_000
/** The pause after a backup that failed. */
const retryMs = 15 * 60_000
/** How long a backup may take to stop; what it has not finished is no backup. */
const stopMs = 5_000

/**
 * Makes backups in a process of their own, `everyHours` after the last one in the store, also if the command made it. A backup that fails
 * is reported and tried again. `stop` ends a backup that is being made.
 */
export function startBackupSchedule(
  config: Config,
  backup: BackupConfig,
  log: Log,
): { stop(): Promise<void> } {
  let child: ChildProcess | undefined
  let notBeforeMs = 0
  let looking: Promise<void> | undefined

  async function look(): Promise<void> {
    if (nowMs() < notBeforeMs) return
    try {
      notBeforeMs = (await lastBackupMs(config, backup)) + backup.everyHours * 3_600_000
      if (nowMs() < notBeforeMs) return
      const code = await makeBackup()
      notBeforeMs = 0
      if (code !== 0) throw new Error(`the backup ended with the exit code ${code}`)
    } catch (error) {
      notBeforeMs = nowMs() + retryMs
      log.error({ err: error, to: backup.url }, 'a backup failed and will be tried again')
    }
  }

  async function makeBackup(): Promise<number | null> {
    const started = fork(join(import.meta.dirname, '../main.mjs'), ['backup'], {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    child = started
    const code = await new Promise<number | null>((resolve, reject) => {
      started.once('error', reject)
      started.once('exit', resolve)
    })
    child = undefined
    return isStopped ? 0 : code
  }

  let isStopped = false
  function lookNow(): void {
    if (isStopped || looking) return
    looking = look().finally(() => (looking = undefined))
  }
  const timer = setInterval(lookNow, lookMs)
  lookNow()
  return {
    async stop() {
      isStopped = true
      clearInterval(timer)
      child?.kill('SIGTERM')
      const force = setTimeout(() => child?.kill('SIGKILL'), stopMs)
      await looking
      clearTimeout(force)
    },
  }
}

async function lastBackupMs({ s3, dataDir }: Config, { url }: BackupConfig): Promise<number> {
  const blobs = await openBlobs({ url, s3, spool: join(dataDir, 'incoming') })
  try {
    const last = (await listBackups(blobs)).at(-1)
    return last === undefined ? 0 : timeOfBackup(last)
  } finally {
    blobs.close()
  }
}
