import { leadLookUpLimit, leadReadLimit, leadSyncLimit, leadWriteLimit } from '#contract/crm/access.ts'
import type { LeadSyncStatus, leadCallKinds } from '#contract/crm/lead-sync-status.ts'
import { limits } from '#contract/limits.ts'
import type { RateLimit } from '#contract/operation.ts'
import type { Db } from '#platform/data/db.ts'
import { sql } from '#platform/data/statement.ts'
import type { SyncPosition } from './sync-cursor.ts'

const upsert = sql<{ id: string }, { applicationId: string; ms: number; id: string }>(`
  insert into lead_sync_reader as r (organization_id, application_id, called_at, position_at, position_id)
  values ($organization, $applicationId, clock_timestamp(),
    timestamptz 'epoch' + $ms::bigint * interval '1 millisecond', $id)
  on conflict (organization_id, application_id) do update
    set called_at = excluded.called_at, position_at = excluded.position_at, position_id = excluded.position_id
    where r.organization_id = $organization
  returning r.application_id as id`)

/** Records how far an application has read the changes of leads (SYNC-12). */
export async function setSyncPosition(
  db: Db,
  applicationId: string,
  { ms, id }: Pick<SyncPosition, 'ms' | 'id'>,
): Promise<void> {
  await db.first(upsert, { applicationId, ms, id })
}

type ReaderRow = {
  id: string
  name: string
  is_active: boolean
  called_at: string | null
  position_at: string | null
  behind: number
  behind_since: string | null
}
type UsedRow = { application_id: string; bucket: string; used: number }

const isLive = 'k.revoked_at is null and (k.expires_at is null or k.expires_at > now())'
const unread = `from lead l where l.organization_id = $organization
  and (l.updated_at, l.id) > (r.position_at, r.position_id)
    order by l.updated_at, l.id`
// indexes application_name and lead_sync
const selectReaders = sql<ReaderRow>(`
  select a.id, a.name, r.called_at, nullif(r.position_at, timestamptz 'epoch') as position_at,
    a.status = 'ACTIVE' and exists (
      select from application_key k where k.organization_id = $organization and k.application_id = a.id
        and ${isLive}) as is_active,
    (select count(*)::int from (select 1 ${unread} limit ${limits.leadChangesCounted}) n) as behind,
    (select l.updated_at ${unread} limit 1) as behind_since
  from application a left join lead_sync_reader r on r.organization_id = $organization and r.application_id = a.id
  where a.organization_id = $organization and a.deleted_at is null and 'crm:leads:read' = any(a.scopes)
  order by lower(a.name), a.id limit ${limits.leadReadersListed}`)
const hour = `to_timestamp(floor(extract(epoch from clock_timestamp()) / 3600) * 3600)`
// index application_key_application; the windows by their primary key
const selectUsed = sql<UsedRow, { buckets: string[] }>(`
  select k.application_id, w.bucket, max(w.used) as used
  from application_key k join rate_window w on w.bucket = any($buckets::text[]) and w.caller = k.id
    and w.starts_at = ${hour}
  where k.organization_id = $organization and ${isLive}
  group by k.application_id, w.bucket`)
const selectClock = sql<{ last_change_at: string | null; resets_at: string }>(`
  select (select c.last_change_at from lead_clock c where c.organization_id = $organization) as last_change_at,
    ${hour} + interval '1 hour' as resets_at`)

const limitOf: Record<(typeof leadCallKinds)[number], RateLimit> = {
  reads: leadReadLimit,
  syncs: leadSyncLimit,
  lookUps: leadLookUpLimit,
  writes: leadWriteLimit,
}
const kinds = Object.keys(limitOf) as (keyof typeof limitOf)[]

/** The applications that read leads, how far they are, and the calls that their limits leave them (SYNC-12). */
export async function leadSyncStatus(db: Db): Promise<LeadSyncStatus> {
  const [readers, usedCalls, clock] = await Promise.all([
    db.rows(selectReaders),
    db.rows(selectUsed, { buckets: kinds.map(kind => limitOf[kind].bucket) }),
    db.one(selectClock),
  ])
  const used = new Map(usedCalls.map(row => [`${row.application_id} ${row.bucket}`, row.used]))
  return {
    lastChangeAt: clock.last_change_at,
    resetsAt: clock.resets_at,
    applications: readers.map(reader => ({
      applicationId: reader.id,
      name: reader.name,
      isActive: reader.is_active,
      lastSyncAt: reader.called_at,
      cursorAt: reader.position_at,
      changesBehind: reader.called_at === null ? null : reader.behind,
      behindSince: reader.behind_since,
      callsLeft: kinds.map(calls => {
        const { bucket, times } = limitOf[calls]
        return { calls, limit: times, left: Math.max(0, times - (used.get(`${reader.id} ${bucket}`) ?? 0)) }
      }),
    })),
  }
}
