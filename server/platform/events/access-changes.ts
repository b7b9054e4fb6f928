import { setTimeout as sleep } from 'node:timers/promises'
import { monotonicMs } from '../clock.ts'
import type { Database } from '../data/database.ts'
import { crossTenantSql } from '../data/statement.ts'
import type { Log } from '../log.ts'

/** The feed of changes to access rights. */
export type AccessChangeFeed = {
  /**
   * Grows with each change that arrives. A loader caches a value only if the number is the same before and
   * after loading.
   */
  generation(): number
  /** False after 1.5 s without a successful poll: cached values must not be used then. */
  isFresh(): boolean
  stop(): void
}

export type AccessChangeFeedOptions = {
  /** Called once for each change; `personId` null: everybody in the organization. Must not throw. */
  onChange(organizationId: string, personId: string | null): void
  log: Pick<Log, 'warn'>
}

type Change = {
  at: string
  organization_id: string | null
  id: string
  person_id: string | null
  oldest_open_now: string
}

/** How far the feed has read. */
type Position = {
  /** The time of the last poll, by the clock of the database. */
  lastLook: string | null
  /**
   * The oldest transaction that was open then: everything older was visible and has been read. Null before the first poll and
   * after one that failed, because the next one may reach another server, with other transactions: only the time counts then.
   */
  oldestOpen: string | null
}

const pollMs = 1_000
const maxAgeMs = 1_500
/** Longer than a transaction may last: one that began before the poll may commit after it. */
const overlapSeconds = 30
const deduplicationMs = 120_000

// One row with the position even if nothing changed. A change is read again only while a transaction is open that began before it:
// such a transaction may still commit changes, in any order. The time bounds what is read again when some other program keeps a
// transaction open, and covers a pause since the last poll; it is no condition of the index, so that the planner takes the one
// over transactions. After a pause longer than changes are stored, nothing is cached any more, and streams check access themselves
/** Exported for the test of its plan. */
export const readChanges = crossTenantSql<Change, Position>(
  'the cache of this process covers all organizations',
  `select n.at, n.oldest_open::text as oldest_open_now, c.organization_id, c.id, c.person_id
   from (select now() as at, pg_snapshot_xmin(pg_current_snapshot()) as oldest_open) n
   left join access_change c
     on c.tx >= case when $oldestOpen::xid8 <= pg_snapshot_xmin(pg_current_snapshot()) then $oldestOpen::xid8 else '0' end
     and c.created_at + interval '${overlapSeconds} seconds' > least(coalesce($lastLook::timestamptz, now()), now())`,
)

/** Polls for access changes once a second, by database time. */
export function openAccessChangeFeed(
  database: Database,
  { onChange, log }: AccessChangeFeedOptions,
): AccessChangeFeed {
  const seen = new Map<string, number>()
  const stop = new AbortController()
  let generation = 0
  let position: Position = { lastLook: null, oldestOpen: null }
  let lastPollMs = Number.NEGATIVE_INFINITY

  async function poll(): Promise<void> {
    const startedAt = monotonicMs()
    const changes = await database.crossTenant.rows(readChanges, position)
    for (const { organization_id: organizationId, id, person_id: personId } of changes) {
      const key = `${organizationId}/${id}`
      if (organizationId === null || seen.has(key)) continue
      seen.set(key, startedAt)
      generation++
      onChange(organizationId, personId)
    }
    for (const [key, at] of seen) {
      if (at > startedAt - deduplicationMs) break
      seen.delete(key)
    }
    const [first] = changes
    if (first) position = { lastLook: first.at, oldestOpen: first.oldest_open_now }
    lastPollMs = startedAt
  }

  async function run(): Promise<void> {
    for (let due = monotonicMs(); !stop.signal.aborted; due = Math.max(due + pollMs, monotonicMs())) {
      await sleep(Math.max(0, due - monotonicMs()), undefined, { signal: stop.signal, ref: false }).catch(
        () => {},
      )
      if (stop.signal.aborted) return
      await poll().catch(error => {
        position = { ...position, oldestOpen: null }
        log.warn({ err: error }, 'access changes could not be read')
      })
    }
  }
  void run()

  return {
    generation: () => generation,
    isFresh: () => monotonicMs() - lastPollMs <= maxAgeMs,
    stop: () => stop.abort(),
  }
}
