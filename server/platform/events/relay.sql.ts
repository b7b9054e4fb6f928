import { sharedStreams } from '#contract/events.ts'
import { unquotedColumnsOf } from '../data/columns.ts'
import { crossTenantSql, sql } from '../data/statement.ts'
import type { AuditContent } from './chain.ts'
import type { EventSubject, Recipient } from './emit.ts'

const crossTenantReason = 'the relay numbers the events of all organizations in order'
/** Every write of the relay changes no row once another process has a higher fence. `$fence` is the own one. */
export const isCurrentFence = `exists (select 1 from relay_lease where name = 'relay' and fence = $fence)`

/** An event before the relay numbers it. */
export type PendingEvent = {
  id: string
  name: string
  actorId: string | null
  data: unknown
  to?: readonly Recipient[]
  about?: EventSubject
}
/** An audit entry before the relay numbers it. */
export type PendingAudit = Omit<AuditContent, 'organizationId' | 'seq' | 'id' | 'at'>
/** A row of the outbox. */
export type OutboxRow = {
  organizationId: string
  id: string
  events: PendingEvent[] | null
  audit: PendingAudit | null
  at: string
  /** The positions of the relay in the organization; null on further rows of the same organization. */
  eventSeq: number | null
  auditSeq: number | null
  auditHash: string | null
  /** The last event of each shared topic, by name; on the first row only. */
  sharedSeqs: Record<string, number> | null
}

/**
 * Takes the lease if it has expired, was released, or its holder's connection is gone. Does not wait for a
 * holder that is writing.
 */
export const acquireLease = crossTenantSql<{ fence: number }, { holder: string; seconds: number }>(
  crossTenantReason,
  `update relay_lease set fence = fence + 1, holder = $holder,
    expires_at = clock_timestamp() + make_interval(secs => $seconds)
   where name = (
     select name from relay_lease where name = 'relay' and (
       expires_at < clock_timestamp()
       or not exists (select 1 from pg_stat_activity a where a.application_name = relay_lease.holder)
     ) for update skip locked
   )
   returning fence`,
)
export const renewLease = crossTenantSql<{ fence: number }, { fence: number; seconds: number }>(
  crossTenantReason,
  `update relay_lease set expires_at = clock_timestamp() + make_interval(secs => $seconds)
   where name = 'relay' and fence = $fence returning fence`,
)
export const releaseLease = crossTenantSql<never, { fence: number }>(
  crossTenantReason,
  `update relay_lease set expires_at = clock_timestamp(), holder = '' where name = 'relay' and fence = $fence`,
)
/**
 * The first statement of each of the relay's transactions: nobody can take the lease before it ends. The
 * outbox is vacuumed while it is empty, and may hold a backlog of any size later. A plan for the one takes
 * minutes for the other, so the following statements are planned again.
 */
export const holdLease = crossTenantSql<{ fence: number }, { fence: number }>(
  crossTenantReason,
  `select fence, set_config('plan_cache_mode', 'force_custom_plan', true)
   from relay_lease where name = 'relay' and fence = $fence for share`,
)

/**
 * Reads the outbox in the order of the commits. A row that depends on another one is written after that one's
 * commit, so a reader that sees it also sees the other, and `created_at` orders them.
 */
export const readOutbox = crossTenantSql<OutboxRow, { limit: number }>(
  crossTenantReason,
  `select o.organization_id as "organizationId", o.id, o.events, o.audit, o.created_at as at,
     h.event_seq as "eventSeq", h.audit_seq as "auditSeq", h.audit_hash as "auditHash",
     case when o.before is null then (
       select json_object_agg(r.organization_id, r.event_seq)
       from relay_head r where r.organization_id in (${sharedStreams.map(name => `'${name}'`).join()})) end as "sharedSeqs"
   from (
     select w.*, lag(w.organization_id) over (order by w.created_at, w.id) as before
     from (select * from outbox where created_at < 'infinity' order by created_at, id limit $limit) w) o
   left join relay_head h on h.organization_id = o.organization_id and o.before is distinct from o.organization_id
   order by o.created_at, o.id`,
)
export const quarantineRow = crossTenantSql<never, { fence: number; organizationId: string; id: string }>(
  crossTenantReason,
  `update outbox set created_at = 'infinity' where organization_id = $organizationId and id = $id
    and ${isCurrentFence}`,
)
/** The position of an event, and its source: the index of the outbox row, and the index in its list. */
export type EventPosition = {
  organizationId: string
  seq: number
  row: number
  position: number
  /** Events of a shared topic do not store the actor; the audit log of the organization does. */
  isAnonymous: boolean
  recipients: string[] | null
}

/** The outbox rows of a batch, and its events by column, as the texts of arrays. */
type InsertBatchArgs = {
  fence: number
  waitingOrganizationIds: string[]
  waitingIds: string[]
  organizationIds: string
  seqs: string
  rows: string
  positions: string
  areAnonymous: string
  recipients: string
}

/** The arguments of `insertBatch`. */
export function batchArgs(
  fence: number,
  waiting: readonly Pick<OutboxRow, 'organizationId' | 'id'>[],
  events: readonly EventPosition[],
): InsertBatchArgs {
  return {
    fence,
    waitingOrganizationIds: waiting.map(({ organizationId }) => organizationId),
    waitingIds: waiting.map(({ id }) => id),
    ...unquotedColumnsOf(events, {
      organizationIds: 'organizationId',
      seqs: 'seq',
      rows: 'row',
      positions: 'position',
      areAnonymous: 'isAnonymous',
    }),
    recipients: JSON.stringify(events.map(({ recipients }) => recipients)),
  }
}
/**
 * Deletes outbox rows and inserts their events at their positions, without sending the data back to the
 * database. Returns how many rows still existed.
 */
export const insertBatch = crossTenantSql<{ count: number }, InsertBatchArgs>(
  crossTenantReason,
  `with deleted as (
     delete from outbox o using unnest($waitingOrganizationIds::text[],
       $waitingIds::text[]) with ordinality as w(organization_id, id, row)
     where o.organization_id = w.organization_id and o.id = w.id and ${isCurrentFence}
     returning w.row, o.events, o.created_at
   ), inserted as (
     insert into event (organization_id, seq, id, name, actor_id, at, data, recipients, about)
     select p.organization_id, p.seq, e.event ->> 'id', e.event ->> 'name',
       case when not p.anonymous then e.event ->> 'actorId' end,
       date_trunc('milliseconds', s.created_at), e.event -> 'data',
       case when p.recipients is not null then array(select json_array_elements_text(p.recipients::json)) end,
         e.event -> 'about'
     from rows from (
       unnest($organizationIds::text[], $seqs::bigint[], $rows::integer[], $positions::integer[],
       $areAnonymous::boolean[]), json_array_elements_text($recipients::json)
     ) as p(organization_id, seq, row, position, anonymous, recipients)
     join deleted s on s.row = p.row + 1
     cross join lateral (select s.events -> p.position as event offset 0) e
   )
   select count(*)::int as count from deleted`,
)
export const insertAudit = crossTenantSql<never, { fence: number; rows: string }>(
  crossTenantReason,
  `insert into audit (organization_id, seq, id, actor_id, auth, ip, client, request_id, operation, subject,
     changed, detail, at, hash)
   select organization_id, seq, id, actor_id, auth, ip, client, request_id, operation, subject, changed, detail, at, hash
   from jsonb_to_recordset($rows::jsonb) as r(
     organization_id text, seq bigint, id text, actor_id text, auth text, ip text, client text, request_id text,
     operation text, subject text, changed text[], detail json, at timestamptz, hash text)
   where ${isCurrentFence}`,
)
/** The order in which transactions lock the heads of several organizations. */
export const headOrder = 'organization_id collate "C"'
export const setHeads = crossTenantSql<
  never,
  {
    fence: number
    organizationIds: string[]
    eventSeqs: number[]
    auditSeqs: number[]
    auditHashes: string[]
  }
>(
  crossTenantReason,
  `insert into relay_head as h (organization_id, event_seq, audit_seq, audit_hash)
   select * from unnest($organizationIds::text[], $eventSeqs::bigint[], $auditSeqs::bigint[],
     $auditHashes::text[]) as n (organization_id, event_seq, audit_seq, audit_hash) where ${isCurrentFence}
   order by ${headOrder}
   on conflict (organization_id) do update
     set event_seq = excluded.event_seq, audit_seq = excluded.audit_seq, audit_hash = excluded.audit_hash`,
)

/** A numbered event, stored for 24 hours. */
export type StoredEvent = {
  seq: number
  id: string
  name: string
  actorId: string | null
  data: Record<string, unknown>
  at: string
  /** The recipients as `organization/person`; null: everybody who may receive the event. */
  recipients: string[] | null
  /** Decides who receives the event; not sent with it. */
  about?: EventSubject | null
}

/** The next events of an organization or shared topic after a position, in order. */
export const eventsAfter = sql<StoredEvent, { seq: number; limit: number }>(`
  select seq, id, name, actor_id as "actorId", data, at, recipients, about from event
  where organization_id = $organization and seq > $seq order by seq limit $limit
`)
/** The last event of an organization or shared topic, and the oldest one that is still stored. */
export const headOf = sql<{ seq: number; oldest: number }>(`
  select event_seq as seq, event_oldest as oldest from relay_head where organization_id = $organization
`)
export const headsOf = crossTenantSql<{ organizationId: string; seq: number }, { organizationIds: string[] }>(
  'one query for several topics: those with an open stream in this process, or those that one stream reads',
  `select organization_id as "organizationId", event_seq as seq from relay_head
    where organization_id = any($organizationIds)`,
)
