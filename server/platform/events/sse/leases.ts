import { limits } from '#contract/limits.ts'
import type { Database } from '../../data/database.ts'
import { crossTenantSql, sql } from '../../data/statement.ts'
import type { Log } from '../../log.ts'

/** One open stream of a person in the database: it counts against their five until it expires. */
export type StreamLease = { organizationId: string; personId: string; stream: string; id: string }

export type StreamLeases = {
  /** False when the person has as many open streams of this kind as they may, over all processes. */
  take(lease: StreamLease): Promise<boolean>
  /** Renews in one statement; tells the ids that were still held. */
  renew(leases: readonly StreamLease[]): Promise<Set<string>>
  /** Gives back soon, many together. */
  release(lease: StreamLease): void
  /** Gives back now what is still to be given back. */
  flush(): Promise<void>
}

// Takers of one person's streams wait for each other here; what comes after sees what they did. A lease that a
// crash of the database forgets is taken again at the next heartbeat, so its commit need not wait for the disk
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
    // on failure they expire by themselves
    await database.wide
      .rows(deleteLeases, ...keysOf(ended))
      .catch(error => log.warn({ err: error }, 'streams could not be given back'))
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
      const held = await database.wide.rows(renewLeases, ...keysOf(leases), limits.streamLeaseSeconds)
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
