import { unquotedColumnsOf } from '../data/columns.ts'
import { crossTenantSql, sql } from '../data/statement.ts'
import type { AuditContent } from './chain.ts'
import type { EventSubject, Recipient } from './emit.ts'
import { areCurrentFences, shardOfRow } from './relay-lease.sql.ts'

const crossTenantReason = 'the relay numbers the events of all organizations in order'
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
/** A row of the outbox. All of its events belong to one topic: its organization, or a shared topic. */
export type OutboxRow = {
  organizationId: string
  id: string
  events: PendingEvent[] | null
  audit: PendingAudit | null
  at: string
  /** The positions of the relay in the topic; null on further rows of the same topic. */
  eventSeq: number | null
  auditSeq: number | null
  auditHash: string | null
}

/** Outbox rows of `source`, in the order of the commits, with the positions of their topics. */
function rowsWithPositions(source: string, columns = ''): string {
  return `select o.organization_id as "organizationId", o.id, o.events, o.audit, o.created_at as at,
     h.event_seq as "eventSeq", h.audit_seq as "auditSeq", h.audit_hash as "auditHash"${columns}
   from (
     select w.*, lag(w.organization_id) over (order by w.created_at, w.id) as before from (${source}) w) o
   left join relay_head h on h.organization_id = o.organization_id and o.before is distinct from o.organization_id
   order by o.created_at, o.id`
}

/**
 * Reads the outbox in the order of the commits. A row that depends on another one is written after that one's
 * commit, so a reader that sees it also sees the other, and `created_at` orders them.
 */
export const readOutbox = crossTenantSql<OutboxRow, { limit: number }>(
  crossTenantReason,
  // index outbox_order
  rowsWithPositions(
    `select * from outbox where created_at < 'infinity' order by created_at, id limit $limit`,
  ),
)
/** A row of some shards. */
export type ShardRow = OutboxRow & {
  /** How many rows of the same shard were found, at most the quota. */
  shardRows: number
  /** How many rows of all shards were found, including those beyond the limit. */
  foundRows: number
}
/**
 * Sent before `readShards` in the same transaction. The outbox is analyzed while it is empty, and a plan for an empty table would read
 * a whole backlog for each shard. The index is always in the right order.
 */
export const readInIndexOrder = crossTenantSql<never>(
  crossTenantReason,
  `select set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', 'off', true)`,
)
const shardCounts = ', o.shard_rows as "shardRows", o.found_rows as "foundRows"'
/** The same for some shards: reads at most `quota` rows of each, and returns the first `limit` of them. */
export const readShards = crossTenantSql<
  ShardRow,
  { shards: readonly number[]; quota: number; limit: number }
>(
  crossTenantReason,
  rowsWithPositions(
    // index outbox_shard
    `select r.*, count(*) over (partition by s.shard)::int as shard_rows, count(*) over ()::int as found_rows
     from unnest($shards::bigint[]) s (shard) cross join lateral (
       select * from outbox where ${shardOfRow} = s.shard and created_at < 'infinity'
       order by created_at, id limit $quota) r
     order by r.created_at, r.id limit $limit`,
    shardCounts,
  ),
  {
    // the rows of a shard of the relay are on several nodes: no quota
    onCitus: rowsWithPositions(
      `select r.*, count(*) over (partition by r.shard)::int as shard_rows, count(*) over ()::int as found_rows
       from (
         select *, ${shardOfRow} as shard from outbox
         where ${shardOfRow} = any($shards::bigint[]) and created_at < 'infinity'
         order by created_at, id limit least($limit::int, $quota::int * cardinality($shards::bigint[]))) r`,
      shardCounts,
    ),
  },
)
/**
 * Moves events into rows of their topics with the same time. For rows of version 0.1.0, which has the events of shared topics in the
 * row of the organization; to be removed in the second minor version after it, when no such row can be left.
 */
export const splitRows = crossTenantSql<never, { fences: readonly number[]; rows: string }>(
  crossTenantReason,
  `with mixed as (
     update outbox o set events = r.own
     from jsonb_to_recordset($rows::jsonb) as r(organization_id text, id text, own jsonb, shared jsonb)
     where o.organization_id = r.organization_id and o.id = r.id and ${areCurrentFences}
     returning o.id, o.created_at, r.shared
   )
   insert into outbox (organization_id, id, events, created_at)
   select s.topic, m.id, s.events, m.created_at
   from mixed m cross join lateral jsonb_to_recordset(m.shared) as s(topic text, events jsonb)`,
)
export const quarantineRow = crossTenantSql<
  never,
  { fences: readonly number[]; organizationId: string; id: string }
>(
  crossTenantReason,
  `update outbox set created_at = 'infinity' where organization_id = $organizationId and id = $id
    and ${areCurrentFences}`,
)
/** The number of an event in the topic of its outbox row: the index of that row, and the index in its list. */
export type EventPosition = {
  seq: number
  row: number
  position: number
  recipients: string[] | null
}

/** The outbox rows of a batch, and its events by column, as the texts of arrays. */
type InsertBatchArgs = {
  fences: readonly number[]
  waitingOrganizationIds: string[]
  waitingIds: string[]
  seqs: string
  rows: string
  positions: string
  recipients: string
}

/** The arguments of `insertBatch`. */
export function batchArgs(
  fences: readonly number[],
  waiting: readonly Pick<OutboxRow, 'organizationId' | 'id'>[],
  events: readonly EventPosition[],
): InsertBatchArgs {
  return {
    fences,
    waitingOrganizationIds: waiting.map(({ organizationId }) => organizationId),
    waitingIds: waiting.map(({ id }) => id),
    ...unquotedColumnsOf(events, { seqs: 'seq', rows: 'row', positions: 'position' }),
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
     where o.organization_id = w.organization_id and o.id = w.id and ${areCurrentFences}
     returning w.row, o.organization_id, o.events, o.created_at
   ), inserted as (
     insert into event (organization_id, seq, id, name, actor_id, at, data, recipients, about)
     select s.organization_id, p.seq, e.event ->> 'id', e.event ->> 'name', e.event ->> 'actorId',
       date_trunc('milliseconds', s.created_at), e.event -> 'data',
       case when p.recipients is not null then array(select json_array_elements_text(p.recipients::json)) end,
         e.event -> 'about'
     from rows from (
       unnest($seqs::bigint[], $rows::integer[], $positions::integer[]), json_array_elements_text($recipients::json)
     ) as p(seq, row, position, recipients)
     join deleted s on s.row = p.row + 1
     cross join lateral (select s.events -> p.position as event offset 0) e
   )
   select count(*)::int as count from deleted`,
)
export const insertAudit = crossTenantSql<never, { fences: readonly number[]; rows: string }>(
  crossTenantReason,
  `insert into audit (organization_id, seq, id, actor_id, auth, ip, client, request_id, operation, subject,
     changed, detail, at, hash)
   select organization_id, seq, id, actor_id, auth, ip, client, request_id, operation, subject, changed, detail, at, hash
   from jsonb_to_recordset($rows::jsonb) as r(
     organization_id text, seq bigint, id text, actor_id text, auth text, ip text, client text, request_id text,
     operation text, subject text, changed text[], detail json, at timestamptz, hash text)
   where ${areCurrentFences}`,
)
/** The order in which transactions lock the heads of several organizations. */
export const headOrder = 'organization_id collate "C"'
export const setHeads = crossTenantSql<
  never,
  {
    fences: readonly number[]
    organizationIds: string[]
    eventSeqs: number[]
    auditSeqs: number[]
    auditHashes: string[]
  }
>(
  crossTenantReason,
  `insert into relay_head as h (organization_id, event_seq, audit_seq, audit_hash)
   select * from unnest($organizationIds::text[], $eventSeqs::bigint[], $auditSeqs::bigint[],
     $auditHashes::text[]) as n (organization_id, event_seq, audit_seq, audit_hash) where ${areCurrentFences}
   order by ${headOrder}
   on conflict (organization_id) do update
     set event_seq = excluded.event_seq, audit_seq = excluded.audit_seq, audit_hash = excluded.audit_hash
   returning organization_id`,
)

/** A numbered event, stored for 24 hours. */
export type StoredEvent = {
  seq: number
  id: string
  name: string
  actor_id: string | null
  data: Record<string, unknown>
  at: string
  /** The recipients as `organization/person`; null: everybody who may receive the event. */
  recipients: string[] | null
  /** Decides who receives the event; not sent with it. */
  about?: EventSubject | null
}

/** The next events of an organization or shared topic after a position, in order. */
export const eventsAfter = sql<StoredEvent, { seq: number; limit: number }>(`
  select seq, id, name, actor_id, data, at, recipients, about from event
  where organization_id = $organization and seq > $seq order by seq limit $limit
`)
/** The last event of an organization or shared topic, and the oldest one that is still stored. */
export const headOf = sql<{ seq: number; oldest: number }>(`
  select event_seq as seq, event_oldest as oldest from relay_head where organization_id = $organization
`)
export const headsOf = crossTenantSql<
  { organization_id: string; seq: number },
  { organizationIds: string[] }
>(
  'one query for several topics: those with an open stream in this process, or those that one stream reads',
  `select organization_id, event_seq as seq from relay_head
    where organization_id = any($organizationIds)`,
)
