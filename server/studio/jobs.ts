import { announceAll, housekeepingMs, maxChunks, notificationMs, untilIdle } from '#platform/jobs/job.ts'
import type { BackgroundWork } from '#server/area.ts'
import { purgeDeletedAssets } from './assets/asset-purge.sql.ts'
import { sweepFiles } from './files/file-sweep.sql.ts'
import { announceExpiredShares } from './shares/expiry/share-expiry.events.ts'
import { purgeExpiredShares } from './shares/share-purge.sql.ts'

export const studioWork: BackgroundWork = {
  name: 'studio',
  jobs: ({ database, files, wakeUp }) => [
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
  ],
}
