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
  organizationId: string | null
  id: string
  personId: string | null
}

const pollMs = 1_000
const maxAgeMs = 1_500
/** Longer than a transaction may last: one that began before the poll may commit after it. */
const overlapSeconds = 30
const deduplicationMs = 120_000

// One row with the time even if nothing changed. `$since` is the time of the last poll, to cover a pause. After a
// pause longer than changes are stored, nothing is cached any more, and streams check access themselves
const readChanges = crossTenantSql<Change, { lastLook: string | null }>(
  'the cache of this process covers all organizations',
  `select n.at, c.organization_id as "organizationId", c.id, c.person_id as "personId"
   from (select now() as at) n
   left join access_change c
     on c.created_at > least(coalesce($lastLook::timestamptz, now()), now()) - interval '${overlapSeconds} seconds'`,
)

/** Polls for access changes once a second, by database time. */
export function openAccessChangeFeed(
  database: Database,
  { onChange, log }: AccessChangeFeedOptions,
): AccessChangeFeed {
  const seen = new Map<string, number>()
  const stop = new AbortController()
  let generation = 0
  let lastPollAt: string | null = null
  let lastPollMs = Number.NEGATIVE_INFINITY

  async function poll(): Promise<void> {
    const startedAt = monotonicMs()
    const changes = await database.crossTenant.rows(readChanges, { lastLook: lastPollAt })
    for (const { organizationId, id, personId } of changes) {
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
    lastPollAt = changes[0]?.at ?? lastPollAt
    lastPollMs = startedAt
  }

  async function run(): Promise<void> {
    for (let due = monotonicMs(); !stop.signal.aborted; due = Math.max(due + pollMs, monotonicMs())) {
      await sleep(Math.max(0, due - monotonicMs()), undefined, { signal: stop.signal, ref: false }).catch(
        () => {},
      )
      if (stop.signal.aborted) return
      await poll().catch(error => log.warn({ err: error }, 'access changes could not be read'))
    }
  }
  void run()

  return {
    generation: () => generation,
    isFresh: () => monotonicMs() - lastPollMs <= maxAgeMs,
    stop: () => stop.abort(),
  }
}
