import { limits } from '#contract/limits.ts'
import { coalesced } from '../../coalesced.ts'
import type { Database } from '../../data/database.ts'
import { organizationLock } from '../../data/organization-lock.ts'
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
  /** Resolves when no release is pending. */
  released(): Promise<void>
}

// Streams of one person wait for each other here, so that each sees the ones before it. A lease that a crash
// of the database loses is taken again at the next heartbeat, so the commit need not wait for the disk
const lockPerson = sql<never, { personId: string; stream: string }>(`
  select set_config('synchronous_commit', 'off', true),
    ${organizationLock('stream', '$personId', '$stream')}
`)
const insertLease = sql<
  never,
  { personId: string; stream: string; id: string; seconds: number; most: number }
>(`
  insert into stream_lease (organization_id, person_id, stream, id, expires_at)
  select $organization, $personId::text, $stream::text, $id, clock_timestamp() + make_interval(secs => $seconds)
  where (
    select count(*) from stream_lease l
    where l.organization_id = $organization and l.person_id = $personId and l.stream = $stream and l.expires_at > clock_timestamp()
  ) < $most::int
  on conflict (organization_id, person_id, stream, id) do update set expires_at = excluded.expires_at returning id
`)
type Keys = { organizationIds: string[]; personIds: string[]; streams: string[]; ids: string[] }
const leaseRows =
  'select * from unnest($organizationIds::text[], $personIds::text[], $streams::text[], $ids::text[])'
const key = 'organization_id, person_id, stream, id'
const renewLeases = crossTenantSql<{ id: string }, Keys & { seconds: number }>(
  'one statement for all open streams of this process',
  `update stream_lease set expires_at = (select clock_timestamp()) + make_interval(secs => $seconds)
   where (${key}) in (${leaseRows}) and expires_at > (select clock_timestamp()) returning id`,
)
const deleteLeases = crossTenantSql<never, Keys>(
  'one statement for all streams of this process that ended',
  `delete from stream_lease where (${key}) in (${leaseRows})`,
)

const releasePauseMs = 10

export function openStreamLeases(database: Database, log: Pick<Log, 'warn'>): StreamLeases {
  let released: StreamLease[] = []
  const releases = coalesced(async () => {
    const ended = released
    released = []
    // on failure they expire
    await database.crossTenant
      .rows(deleteLeases, keysOf(ended))
      .catch(error => log.warn({ err: error }, 'stream leases could not be released'))
  }, releasePauseMs)

  return {
    released: releases.settled,
    take: ({ organizationId, personId, stream, id }) =>
      database.transact(organizationId, async tx => {
        const [, inserted] = await tx.inOrder(
          () => tx.first(lockPerson, { personId, stream }),
          () =>
            tx.run(insertLease, {
              personId,
              stream,
              id,
              seconds: limits.streamLeaseSeconds,
              most: limits.streamsPerPerson,
            }),
        )
        return inserted === 1
      }),
    async renew(leases) {
      const held = await database.crossTenant.rows(renewLeases, {
        ...keysOf(leases),
        seconds: limits.streamLeaseSeconds,
      })
      return new Set(held.map(({ id }) => id))
    },
    release(lease) {
      released.push(lease)
      releases()
    },
  }
}

function keysOf(leases: readonly StreamLease[]): Keys {
  return {
    organizationIds: leases.map(lease => lease.organizationId),
    personIds: leases.map(lease => lease.personId),
    streams: leases.map(lease => lease.stream),
    ids: leases.map(lease => lease.id),
  }
}
