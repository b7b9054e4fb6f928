import { monotonicMs } from '#platform/clock.ts'
import type { GroupUpdate, LoadedGroup } from './apply-reports.ts'
import type { ReportBundle } from './report-bundle.ts'

/**
 * What a process knows of groups: as it wrote them last. Whoever writes one again says how it was, and finds out when it
 * is not so any more, see writes/store.ts; so this saves reading and holds nothing that the database does not.
 */
export type GroupCache = {
  /** Gives a group away, when all its `users` were counted: whoever takes it gives it back once it is committed. */
  take(bundle: ReportBundle, users: ReadonlySet<string>): LoadedGroup | undefined
  put(all: readonly GroupUpdate[], offsetMs: number): void
  /** What the database's clock is ahead of this process's; undefined when that has not been looked at for a while. */
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
    put(all, offsetMs) {
      if (offsetMs !== clock.offsetMs) clock = { offsetMs, atMs: monotonicMs() }
      for (const { key, row, lifecycle, isOverflow, countedUsers } of all) {
        // what is resolved or silenced waits for a time or a number: that is looked up
        if (isOverflow || lifecycle.state !== 'UNRESOLVED' || countedUsers.size > maxUsers) continue
        if (groups.size >= maxGroups) groups.clear()
        groups.set(key, { row, lifecycle, users: countedUsers })
      }
    },
    offsetMs: () => (monotonicMs() - clock.atMs < offsetMaxAgeMs ? clock.offsetMs : undefined),
  }
}
