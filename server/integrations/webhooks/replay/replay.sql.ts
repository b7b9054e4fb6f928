import { limits } from '#contract/limits.ts'
import { chunksOf } from '#platform/data/columns.ts'
import type { Db, Tx } from '#platform/data/db.ts'
import { sql } from '#platform/data/statement.ts'

export type ReplayableEventRow = {
  id: string
  seq: number
  name: string
  actor_id: string | null
  data: unknown
  about: Record<string, string> | null
  at: string
}

// the newest events of the organization, without those that the application has a delivery of
const selectMissed = sql<
  ReplayableEventRow,
  { applicationId: string; names: readonly string[]; since: string | null; deliveredSince: string }
>(`
  with delivered as materialized (
    select w.event_id from webhook_delivery w
    where w.organization_id = $organization and w.application_id = $applicationId and w.id >= $deliveredSince
  ), recent as materialized (
    select e.id, e.seq, e.name, e.actor_id, e.data, e.about, e.at from event e
    where e.organization_id = $organization order by e.seq desc limit ${limits.replayScanned}
  )
  select r.id, r.seq, r.name, r.actor_id, r.data, r.about, r.at from recent r
  where r.name = any($names)
    and r.at >= greatest($since::timestamptz, now() - interval '${limits.streamReplayHours} hours')
    and not exists (select from delivered t where t.event_id = r.id)
  order by r.seq limit ${limits.recoveryDeliveries}`)

/** Events with these names without a delivery to the application, in order. `deliveredSince` is an id before all of them. */
export function missedEvents(
  db: Db,
  applicationId: string,
  names: readonly string[],
  since: string | null,
  deliveredSince: string,
): Promise<ReplayableEventRow[]> {
  return db.rows(selectMissed, { applicationId, names, since, deliveredSince })
}

/** A delivery to write, with its position in the schedule. */
export type ReplayedDelivery = {
  id: string
  position: number
  event_id: string
  event_seq: number
  name: string
  subject: object
  body: string
  emitted_at: string
}
const insertRows = sql<never, { applicationId: string; shard: number; perSecond: number; rows: string }>(`
  with r as materialized (
    select * from json_to_recordset($rows::json) as r(
      id text, position integer, event_id text, event_seq bigint, name text, subject jsonb, body text,
      emitted_at timestamptz)
  ), written as (
    insert into webhook_delivery (organization_id, id, application_id, event_id, event_seq, event, subject, body,
      emitted_at, status)
    select $organization, r.id, $applicationId, r.event_id, r.event_seq, r.name, r.subject, r.body,
      r.emitted_at, 'PENDING' from r
  )
  insert into webhook_due (shard, application_id, due_at, delivery_id, organization_key, trigger)
  select $shard, $applicationId, clock_timestamp() + make_interval(secs => r.position / $perSecond::float8),
    r.id, $organization, 'RECOVERY' from r`)

const rowsPerStatement = 1_000

/** Writes deliveries that become due at a limited rate. */
export async function insertReplayed(
  tx: Tx,
  applicationId: string,
  shard: number,
  perSecond: number,
  rows: readonly ReplayedDelivery[],
): Promise<void> {
  await Promise.all(
    chunksOf(rows, rowsPerStatement).map(chunk =>
      tx.run(insertRows, { applicationId, shard, perSecond, rows: JSON.stringify(chunk) }),
    ),
  )
}
