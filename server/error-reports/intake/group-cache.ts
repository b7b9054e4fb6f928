import { monotonicMs } from '#platform/clock.ts'
import type { GroupUpdate, LoadedGroup } from './apply-reports.ts'
import type { ReportBundle } from './report-bundle.ts'

/**
 * Groups as this process wrote them last. A write states the cached values and fails if the row has changed (see
 * flush.sql.ts), so the cache saves reads without a risk of lost updates.
 */
export type GroupCache = {
  /** Removes and returns a group if all `users` are already counted. The caller puts it back after the commit. */
  take(bundle: ReportBundle, users: ReadonlySet<string>): LoadedGroup | undefined
  put(updates: readonly GroupUpdate[], offsetMs: number): void
  /** How far the database clock is ahead of the clock of this process; undefined if it was not measured recently. */
  offsetMs(): number | undefined
}

const maxGroups = 8_192
const maxUsers = 32
const offsetMaxAgeMs = 10_000

export function createGroupCache(): GroupCache {
  const groups = new Map<string, LoadedGroup>()
  let clock = { offsetMs: 0, atMs: Number.NEGATIVE_INFINITY }

  return {
    take({ key }, users) {
      const group = groups.get(key)
      groups.delete(key)
      return group && [...users].every(user => group.users.has(user)) ? group : undefined
    },
    put(updates, offsetMs) {
      if (offsetMs !== clock.offsetMs) clock = { offsetMs, atMs: monotonicMs() }
      for (const { key, row, lifecycle, isOverflow, countedUsers } of updates) {
        // resolved and silenced groups depend on times and counts that other transactions set
        if (isOverflow || lifecycle.state !== 'UNRESOLVED' || countedUsers.size > maxUsers) continue
        if (groups.size >= maxGroups) groups.clear()
        groups.set(key, { row, lifecycle, users: countedUsers })
      }
    },
    offsetMs: () => (monotonicMs() - clock.atMs < offsetMaxAgeMs ? clock.offsetMs : undefined),
  }
}
