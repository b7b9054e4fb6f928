import { coalesced } from '#platform/coalesced.ts'
import type { Database } from '#platform/data/database.ts'
import type { Log } from '#platform/log.ts'
import { addDropped } from './intake.sql.ts'

/** Counts reports that were not recorded, for the errors tab; written in the background. */
export type DroppedCounter = {
  count(organizationId: string, applicationId: string, reason: 'discarded' | 'limited'): void
  /** Resolves when all counts are written. */
  settled(): Promise<void>
}

const writePauseMs = 250

type DroppedCounts = { applicationId: string; discarded: number; limited: number }

/** Writes the counts at most every 250 ms. A process that is killed loses its last interval. */
export function createDroppedCounter(database: Database, log: Log | undefined): DroppedCounter {
  let counts = new Map<string, Map<string, DroppedCounts>>()
  const write = coalesced(async () => {
    const batch = counts
    counts = new Map()
    for (const [organizationId, byApplication] of batch) {
      await database
        .transact(organizationId, tx => addDropped(tx, [...byApplication.values()]))
        .catch(error => log?.warn({ err: error }, 'Dropped reports could not be counted'))
    }
  }, writePauseMs)

  return {
    settled: write.settled,
    count(organizationId, applicationId, reason) {
      const byApplication = counts.get(organizationId) ?? new Map<string, DroppedCounts>()
      counts.set(organizationId, byApplication)
      const applicationCounts = byApplication.get(applicationId) ?? {
        applicationId,
        discarded: 0,
        limited: 0,
      }
      byApplication.set(applicationId, applicationCounts)
      applicationCounts[reason]++
      write()
    },
  }
}
