import { limits } from '#contract/limits.ts'
import type { Database } from '../data/database.ts'
import { crossTenantSql } from '../data/statement.ts'
import { holdLease, isCurrentFence } from './relay.sql.ts'

const crossTenantReason = 'expired rows are deleted in all organizations'
const chunkRows = 1_000

type Removal = { removed: number }

/** Moves the oldest event that can be replayed past the deleted ones, in the same statement. */
const removeOldEvents = crossTenantSql<Removal, { fence: number }>(
  crossTenantReason,
  `with old as (
     select organization_id, seq from event
     where at < now() - interval '${limits.streamReplayHours} hours' and ${isCurrentFence}
     order by at, organization_id, seq limit ${chunkRows}
   ), passed as (
     update relay_head h set event_oldest = greatest(h.event_oldest, o.seq + 1)
     from (select organization_id, max(seq) as seq from old group by organization_id) o
     where h.organization_id = o.organization_id
   ), gone as (
     delete from event where (organization_id, seq) in (select organization_id, seq from old) returning 1
   )
   select count(*)::int as removed from gone`,
)

function removeWhere(table: string, key: string, condition: string) {
  return crossTenantSql<Removal, { fence: number }>(
    crossTenantReason,
    `with gone as (
       delete from ${table} where (${key}) in (select ${key} from ${table} where ${condition} limit ${chunkRows}) and ${isCurrentFence}
       returning 1
     )
     select count(*)::int as removed from gone`,
  )
}

const removals = [
  removeOldEvents,
  removeWhere('stream_lease', 'organization_id, person_id, stream, id', 'expires_at < now()'),
  removeWhere('rate_window', 'bucket, caller, starts_at', `starts_at < now() - interval '2 days'`),
  removeWhere(
    'idempotency',
    'organization_id, caller, operation, key',
    `created_at < now() - interval '${limits.idempotencyHours} hours'`,
  ),
  removeWhere('access_change', 'organization_id, id', `created_at < now() - interval '1 hour'`),
]

/**
 * Deletes one chunk of everything that is too old: events that can no longer be replayed, leases of dead
 * processes, counters, idempotency replies and access changes. True if there may be more.
 */
export async function deleteExpiredChunk(database: Database, fence: number): Promise<boolean> {
  const removed = await database.transactCrossTenant(async tx => {
    const [, ...counts] = await Promise.all([
      tx.first(holdLease, { fence }),
      ...removals.map(removal => tx.first(removal, { fence })),
    ])
    return counts.map(count => count?.removed ?? 0)
  })
  return removed.some(count => count >= chunkRows)
}
