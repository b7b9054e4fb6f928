import type { Files } from '#platform/adapters/files.ts'
import type { Database } from '#platform/data/database.ts'
import {
  announceAll,
  housekeepingMs,
  type Job,
  maxChunks,
  notificationMs,
  untilIdle,
} from '#platform/jobs/job.ts'
import { purgeDeletedAssets } from './assets/asset-purge.sql.ts'
import { sweepFiles } from './files/file-sweep.sql.ts'
import { announceExpiredShares } from './shares/expiry/share-expiry.events.ts'
import { purgeExpiredShares } from './shares/share-purge.sql.ts'

type StudioJobServices = { database: Database; files: Files; wakeUp: { changed(): void } }

export function studioJobs({ database, files, wakeUp }: StudioJobServices): Job[] {
  return [
    {
      name: 'announce expired shares',
      everyMs: notificationMs,
      run: isClosing => announceAll(isClosing, wakeUp, () => announceExpiredShares(database)),
    },
    {
      name: 'delete expired assets',
      everyMs: housekeepingMs,
      isHousekeeping: true,
      async run() {
        await purgeDeletedAssets(database)
        await purgeExpiredShares(database)
      },
    },
    {
      name: 'delete unused files',
      everyMs: housekeepingMs,
      isHousekeeping: true,
      async run(isClosing) {
        await files.removeStaleUploads()
        await untilIdle(isClosing, () => sweepFiles(database, files), maxChunks)
      },
    },
  ]
}
