import { randomBytes } from 'node:crypto'
import { type Retention, readRetention } from '../backup/retention.ts'
import { ConfigError, integer, readStoreUrl } from './values.ts'

/** Where backups are stored, how they are encrypted, and how often `up` makes them. */
export type BackupConfig = {
  /** `file:` and a folder, or `s3://bucket/folder`. */
  url: string
  key: Buffer
  /** 0: only the command makes backups. */
  everyHours: number
  retention: Retention
  /** The most that is read from the database per second; undefined: no limit. */
  maxKilobytesPerSecond: number | undefined
}

const keyBytes = 32

/** Reads the settings of backups; `backup` is undefined without BACKUP_TO. */
export function readBackup(env: NodeJS.ProcessEnv): { backup: BackupConfig | undefined } {
  const to = env.BACKUP_TO?.trim()
  const key = env.BACKUP_KEY?.trim()
  const everyHours = integer(env, 'BACKUP_EVERY_HOURS', 24, 0, 24 * 31)
  const maxMegabytes = integer(env, 'BACKUP_MAX_MB_PER_SECOND', 0, 0, 1_000)
  const retention = readRetention(env.BACKUP_KEEP?.trim() || '14d,8w,12m')
  if (!retention)
    throw new ConfigError(
      'BACKUP_KEEP must be like 14d,8w,12m: the last backup of so many days, weeks and months.',
    )
  if (!to) return { backup: undefined }
  return {
    backup: {
      url: readStoreUrl('BACKUP_TO', to),
      key: readBackupKey(key),
      everyHours,
      retention,
      maxKilobytesPerSecond: maxMegabytes === 0 ? undefined : maxMegabytes * 1024,
    },
  }
}

function readBackupKey(text = ''): Buffer {
  const key = Buffer.from(text, 'base64url')
  if (key.length === keyBytes) return key
  const advice =
    'Keep a copy of it outside this machine: without it, no backup can be read. A new key, for a first backup:'
  throw new ConfigError(
    `BACKUP_TO needs BACKUP_KEY, the ${keyBytes} bytes in base64url that encrypt the backups. ${advice}\n\n  BACKUP_KEY=${randomBytes(keyBytes).toString('base64url')}`,
  )
}
