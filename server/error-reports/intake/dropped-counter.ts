import type { Database } from '#platform/data/database.ts'
import type { Log } from '#platform/log.ts'
import { addDropped } from './intake.sql.ts'

/** Counts what was not recorded: told in the errors tab, and written beside the requests. */
export type Dropped = {
  count(organizationId: string, applicationId: string, why: 'discarded' | 'limited'): void
}

const restMs = 250

type Counts = { applicationId: string; discarded: number; limited: number }

/** Writes the counts of a quarter of a second together. A process that is killed loses those of its last one. */
export function openDropped(database: Database, log: Log | undefined): Dropped {
  let counts = new Map<string, Map<string, Counts>>()
  let isDue = false

  async function write(): Promise<void> {
    isDue = false
    const written = counts
    counts = new Map()
    for (const [organizationId, byApplication] of written) {
      await database
        .transact(organizationId, tx => addDropped(tx, [...byApplication.values()]))
        .catch(error => log?.warn({ err: error }, 'discarded reports were not counted'))
    }
  }

  return {
    count(organizationId, applicationId, why) {
      const byApplication = counts.get(organizationId) ?? new Map<string, Counts>()
      counts.set(organizationId, byApplication)
      const one = byApplication.get(applicationId) ?? { applicationId, discarded: 0, limited: 0 }
      byApplication.set(applicationId, one)
      one[why]++
      if (isDue) return
      isDue = true
      setTimeout(write, restMs).unref()
    },
  }
}
