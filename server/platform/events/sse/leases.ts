import { limits } from '#contract/limits.ts'
import type { Database } from '../../data/database.ts'
import { crossTenantSql, sql } from '../../data/statement.ts'
import type { Log } from '../../log.ts'

/** One open stream of a person in the database. It counts against the limit of five until it expires. */
export type StreamLease = { organizationId: string; personId: string; stream: string; id: string }

export type StreamLeases = {
  /** False if the person has the maximum number of streams of this kind, over all processes. */
  take(lease: StreamLease): Promise<boolean>
  /** Renews leases in one statement and returns the ids that were still valid. */
  renew(leases: readonly StreamLease[]): Promise<Set<string>>
  /** Releases a lease soon, together with others. */
  release(lease: StreamLease): void
  /** Releases all pending leases now. */
  flush(): Promise<void>
}

// Streams of one person wait for each other here, so that each sees the ones before it. A lease that a crash
// of the database loses is taken again at the next heartbeat, so the commit need not wait for the disk
const lockPerson = sql<never, [personId: string, stream: string]>(`
  select set_config('synchronous_commit', 'off', true),
    pg_advisory_xact_lock(hashtextextended('stream/' || $1 || '/' || $2 || '/' || $3, 0))
`)
const insertLease = sql<
  never,
  [personId: string, stream: string, id: string, seconds: number, most: number]
>(`
  insert into stream_lease (organization_id, person_id, stream, id, expires_at)
  select $1, $2::text, $3::text, $4, clock_timestamp() + make_interval(secs => $5)
  where (
    select count(*) from stream_lease l
    where l.organization_id = $1 and l.person_id = $2 and l.stream = $3 and l.expires_at > clock_timestamp()
  ) < $6::int
  on conflict (organization_id, person_id, stream, id) do update set expires_at = excluded.expires_at
`)
type Keys = [organizationIds: string[], personIds: string[], streams: string[], ids: string[]]
const leaseRows = 'select * from unnest($1::text[], $2::text[], $3::text[], $4::text[])'
const key = 'organization_id, person_id, stream, id'
const renewLeases = crossTenantSql<{ id: string }, [...Keys, seconds: number]>(
  'one statement for all open streams of this process',
  `update stream_lease set expires_at = clock_timestamp() + make_interval(secs => $5)
   where (${key}) in (${leaseRows}) and expires_at > clock_timestamp() returning id`,
)
const deleteLeases = crossTenantSql<never, Keys>(
  'one statement for all streams of this process that ended',
  `delete from stream_lease where (${key}) in (${leaseRows})`,
)

const releaseDelayMs = 10

export function openStreamLeases(database: Database, log: Pick<Log, 'warn'>): StreamLeases {
  let released: StreamLease[] = []
  let timer: NodeJS.Timeout | undefined

  async function flush(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    const ended = released
    released = []
    if (ended.length === 0) return
    // on failure they expire
    await database.crossTenant
      .rows(deleteLeases, ...keysOf(ended))
      .catch(error => log.warn({ err: error }, 'stream leases could not be released'))
  }

  return {
    flush,
    take: ({ organizationId, personId, stream, id }) =>
      database.transact(organizationId, async tx => {
        const [, inserted] = await Promise.all([
          tx.first(lockPerson, personId, stream),
          tx.run(insertLease, personId, stream, id, limits.streamLeaseSeconds, limits.streamsPerPerson),
        ])
        return inserted === 1
      }),
    async renew(leases) {
      const held = await database.crossTenant.rows(renewLeases, ...keysOf(leases), limits.streamLeaseSeconds)
      return new Set(held.map(({ id }) => id))
    },
    release(lease) {
      released.push(lease)
      timer ??= setTimeout(flush, releaseDelayMs)
    },
  }
}

function keysOf(leases: readonly StreamLease[]): Keys {
  return [
    leases.map(lease => lease.organizationId),
    leases.map(lease => lease.personId),
    leases.map(lease => lease.stream),
    leases.map(lease => lease.id),
  ]
}
