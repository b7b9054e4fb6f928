import { limits } from '#contract/limits.ts'
import type { Database } from '../data/database.ts'
import { crossTenantSql, oneServerLock } from '../data/statement.ts'
import { type Job, untilIdle } from '../jobs/job.ts'
import { headOrder } from './relay.sql.ts'

const crossTenantReason = 'expired rows are deleted in all organizations'
const chunkRows = 1_000
/** The chunks of a run: enough for all events that the relay can write in the meantime, and few enough that other housekeeping runs soon. */
const maxChunks = 2_000
const everyMs = 60_000

type Removal = { removed: number }

/**
 * Moves the oldest event that can be replayed past the deleted ones, in the same statement. The relay writes the same heads at the
 * same time, so both lock them in the order of `headOrder`.
 */
const removeOldEvents = crossTenantSql<Removal>(
  crossTenantReason,
  `with old as (
     select organization_id, seq from event
     where at < now() - interval '${limits.streamReplayHours} hours'
     order by at, organization_id, seq limit ${chunkRows}
   ), head as materialized (
     select h.organization_id from relay_head h where h.organization_id in (select organization_id from old)
     order by ${headOrder} ${oneServerLock('for update')}
   ), passed as (
     update relay_head h set event_oldest = greatest(h.event_oldest, o.seq + 1)
     from (select organization_id, max(seq) as seq from old group by organization_id) o
     where h.organization_id = o.organization_id and h.organization_id in (select organization_id from head)
   ), gone as (
     delete from event where (organization_id, seq) in (
       select o.organization_id, o.seq from old o where o.organization_id in (select organization_id from head))
     returning 1
   )
   select count(*)::int as removed from gone`,
)

/** Several workers may delete at once, so none waits for rows that another one deletes. */
function removeWhere(table: string, key: string, condition: string) {
  return crossTenantSql<Removal>(
    crossTenantReason,
    `with gone as (
       delete from ${table} where ${condition} and (${key}) in (
         select ${key} from ${table} where ${condition} limit ${chunkRows} ${oneServerLock('for update skip locked')})
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
export async function deleteExpiredChunk({ crossTenant }: Database): Promise<boolean> {
  let isMore = false
  for (const removal of removals) {
    const { removed } = await crossTenant.one(removal)
    isMore ||= removed >= chunkRows
  }
  return isMore
}

/** Deletes what the platform keeps for a while only. It also runs while the relay has a backlog. */
export function deletionOfExpiredEvents(database: Database): Job {
  return {
    name: 'delete expired events',
    everyMs,
    isHousekeeping: true,
    run: isClosing => untilIdle(isClosing, () => deleteExpiredChunk(database), maxChunks),
  }
}
