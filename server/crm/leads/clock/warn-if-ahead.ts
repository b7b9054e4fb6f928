import type { Database } from '#platform/data/database.ts'
import type { Log } from '#platform/log.ts'
import { readClocksAhead, unmarkCaughtUpClocks } from './lead-clock.sql.ts'

/** The clock is this far ahead only if an organization changes more than a thousand leads per second for a long time. */
const warnSeconds = 1

/** Logs a warning if lead changes get times in the future. */
export async function warnIfLeadClockAhead({ crossTenant }: Database, log: Log): Promise<void> {
  const { seconds, haveCaughtUp } = await readClocksAhead(crossTenant)
  if (haveCaughtUp) await unmarkCaughtUpClocks(crossTenant)
  if (seconds > warnSeconds) log.warn({ seconds }, 'The lead clock is ahead of the database clock')
}
