import type { Database } from '#platform/data/database.ts'
import { housekeepingMs, type Job, maxChunks, untilIdle } from '#platform/jobs/job.ts'
import { forgetOldInstallers, updateRatingRanks } from './entries/rerank.sql.ts'
import { endExpiredFeatures } from './review-queue/featured.sql.ts'

export function marketplaceJobs({ database }: { database: Database }): Job[] {
  return [
    {
      name: 'rank marketplace entries',
      everyMs: housekeepingMs,
      isHousekeeping: true,
      async run(isClosing) {
        await untilIdle(isClosing, () => forgetOldInstallers(database), maxChunks)
        await updateRatingRanks(database, isClosing)
      },
    },
    {
      name: 'end featured entries',
      everyMs: housekeepingMs,
      isHousekeeping: true,
      run: () => endExpiredFeatures(database),
    },
  ]
}
