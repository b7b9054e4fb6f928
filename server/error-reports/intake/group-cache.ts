import { monotonicMs } from '#platform/clock.ts'
import type { Bundle } from './report-bundle.ts'
import type { Group, Settled } from './apply-reports.ts'

/**
 * What a process knows of groups: as it wrote them last. Whoever writes one again says how it was, and finds out when it
 * is not so any more, see writes/store.ts; so this saves reading and holds nothing that the database does not.
 */
export type KnownGroups = {
  /** Gives a group away, when all its `users` were counted: whoever takes it gives it back once it is committed. */
  take(bundle: Bundle, users: ReadonlySet<string>): Group | undefined
  keep(all: readonly Settled[], offsetMs: number): void
  /** What the database's clock is ahead of this process's; undefined when that has not been looked at for a while. */
  offsetMs(): number | undefined
}

const most = 8_192
const mostUsers = 32
const clockMs = 10_000

export function openKnownGroups(): KnownGroups {
  const groups = new Map<string, Group>()
  let clock = { offsetMs: 0, atMs: Number.NEGATIVE_INFINITY }

  return {
    take({ key }, users) {
      const group = groups.get(key)
      groups.delete(key)
      return group && [...users].every(user => group.users.has(user)) ? group : undefined
    },
    keep(all, offsetMs) {
      if (offsetMs !== clock.offsetMs) clock = { offsetMs, atMs: monotonicMs() }
      for (const { key, row, course, isOverflow, usersNow } of all) {
        // what is resolved or silenced waits for a time or a number: that is looked up
        if (isOverflow || course.state !== 'UNRESOLVED' || usersNow.size > mostUsers) continue
        if (groups.size >= most) groups.clear()
        groups.set(key, { row, course, users: usersNow })
      }
    },
    offsetMs: () => (monotonicMs() - clock.atMs < clockMs ? clock.offsetMs : undefined),
  }
}
