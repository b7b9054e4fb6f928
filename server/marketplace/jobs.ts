import { housekeepingMs, maxChunks, untilIdle } from '#platform/jobs/job.ts'
import type { BackgroundWork } from '#server/area.ts'
import { forgetOldInstallers, updateRatingRanks } from './entries/rerank.sql.ts'
import { endExpiredFeatures } from './review-queue/featured.sql.ts'

export const marketplaceWork: BackgroundWork = {
  name: 'marketplace',
  jobs: ({ database }) => [
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
  ],
}
