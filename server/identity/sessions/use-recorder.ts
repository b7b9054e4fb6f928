import { monotonicMs } from '#platform/clock.ts'
import type { Database } from '#platform/data/database.ts'
import type { Statement } from '#platform/data/statement.ts'
import type { Caller } from '#platform/http/caller.ts'
import type { Log } from '#platform/log.ts'

const recordEveryMs = 60_000
const maxRecorded = 50_000

/**
 * Records the use of a key or token in the background, at most once a minute for each. `setUsed` takes its
 * id.
 */
export function openUseRecorder(
  database: Database,
  setUsed: Statement<never, { id: string }>,
  log: Pick<Log, 'warn'>,
): (caller: Caller) => void {
  const recordedAtMs = new Map<string, number>()
  return ({ organizationId, sessionId: id }) => {
    const at = monotonicMs()
    if (at - (recordedAtMs.get(id) ?? Number.NEGATIVE_INFINITY) < recordEveryMs) return
    if (recordedAtMs.size >= maxRecorded) recordedAtMs.clear()
    recordedAtMs.set(id, at)
    database
      .of(organizationId)
      .first(setUsed, { id })
      .catch(error => log.warn({ err: error }, 'the last use of a key or token was not recorded'))
  }
}
