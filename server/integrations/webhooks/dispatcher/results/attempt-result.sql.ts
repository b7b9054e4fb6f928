import { unquotedColumnsOf } from '#platform/data/columns.ts'
import { later } from '#platform/data/later.ts'
import { crossTenantSql } from '#platform/data/statement.ts'
import { textArray } from '#platform/data/text-array.ts'
import type { StoredAttemptRecord } from '../../attempt-record.ts'
import { isInRange } from '../../due.sql.ts'
import type { NewRange } from '../../due-delivery.ts'
import type { AttemptEnd } from '../attempt.ts'

const why = 'a dispatcher records attempts for all organizations whose shards it leases'

/** The result of an attempt. `waitMs` is null for a final one; `outcome` and `record` are null if nothing was sent. */
export type AttemptResultRow = {
  shard: number
  epoch: number
  organizationId: string
  applicationId: string
  deliveryId: string
  attempt: number
  /** How long ago the attempt ended, and how long it took. */
  agoMs: number
  durationMs: number
  waitMs: AttemptEnd['waitMs']
  final: AttemptEnd['final']
  outcome: AttemptEnd['outcome']
  status: number | null
  record: StoredAttemptRecord | null
}
/** A range of which this process has no delivery in memory any more. */
export type EndedRange = Pick<AttemptResultRow, 'shard' | 'applicationId'> &
  Pick<NewRange, 'firstId' | 'lastId'>

const resultColumns = {
  shards: 'shard',
  epochs: 'epoch',
  organizationIds: 'organizationId',
  applicationIds: 'applicationId',
  deliveryIds: 'deliveryId',
  attempts: 'attempt',
  agoMs: 'agoMs',
  durationsMs: 'durationMs',
  waitsMs: 'waitMs',
  finals: 'final',
  outcomes: 'outcome',
  statuses: 'status',
} as const
const rowsOfColumns = `unnest($records::text[], $shards::smallint[], $epochs::bigint[], $organizationIds::text[],
     $applicationIds::text[], $deliveryIds::text[], $attempts::smallint[], $agoMs::float8[], $durationsMs::integer[],
     $waitsMs::integer[], $finals::text[], $outcomes::text[], $statuses::smallint[])
     as r(record, shard, epoch, organization_id, application_id, delivery_id, attempt,
       ago_ms, duration_ms, wait_ms, final, outcome, status)`
const endedColumns = {
  endedShards: 'shard',
  endedApplicationIds: 'applicationId',
  endedFirstIds: 'firstId',
} as const

type ResultArgs = Record<keyof typeof resultColumns, string> & {
  owner: string
  /** The lowest and the highest id of the deliveries, and of the ended ranges. */
  from: string
  to: string
  size: number
  records: Buffer
}
type FirstResultArgs = ResultArgs & Record<keyof typeof endedColumns, string>

/** The arguments of `recordRetries`. Needs at least one row. */
export function retryArgs(owner: string, rows: readonly AttemptResultRow[]): ResultArgs {
  return resultArgs(owner, rows, [])
}

/** The arguments of `recordFirstAttempts`. Needs at least one row. */
export function firstAttemptArgs(
  owner: string,
  rows: readonly AttemptResultRow[],
  ended: readonly EndedRange[],
): FirstResultArgs {
  return { ...resultArgs(owner, rows, ended), ...unquotedColumnsOf(ended, endedColumns) }
}

function resultArgs(
  owner: string,
  rows: readonly AttemptResultRow[],
  ended: readonly EndedRange[],
): ResultArgs {
  const ids = rows.map(({ deliveryId }) => deliveryId)
  for (const { firstId, lastId } of ended) ids.push(firstId, lastId)
  return {
    owner,
    from: ids.reduce((a, b) => (a < b ? a : b)),
    to: ids.reduce((a, b) => (a > b ? a : b)),
    size: rows.length,
    records: textArray(rows.map(({ record }) => JSON.stringify(record))),
    ...unquotedColumnsOf(rows, resultColumns),
  }
}

const isOurs = `((r.shard, r.epoch) in (select s.shard, s.epoch from dispatch_shard s
  where s.owner = $owner)) is true`
// always true: keeps the planner from scanning a table that its statistics call empty
const isBetween = (id: string) => `${id} >= $from and ${id} <= $to`
// one clock for all times of an attempt
const endedAt = (r: string) => later('now()', `make_interval(secs => -${r}.ago_ms / 1000)`)
const startedAt = (r: string) =>
  later('now()', `make_interval(secs => -(${r}.ago_ms + ${r}.duration_ms) / 1000)`)
const dueAgain = (r: string) =>
  later('now()', `make_interval(secs => (${r}.wait_ms - ${r}.ago_ms + 1) / 1000)`)
const recorded = `
   select case when (select count(*) from closed) < $size then (select coalesce(json_agg(id), '[]')
     from closed) end as recorded`

const firstAttempts = (isOfOrganization = '') =>
  `with closed as (
     update webhook_delivery w set status = coalesce(r.final, w.status),
       attempts = case when r.outcome is null then 0 else 1 end,
       starts = 0, outcome = r.outcome, last_status = r.status,
       first_record = case when r.outcome is not null then r.record::json end,
       first_started_at = case when r.outcome is not null then ${startedAt('r')} end,
       finished_at = case when r.final is not null then ${endedAt('r')} end
     from ${rowsOfColumns}
     where ${isOurs} and w.organization_id = r.organization_id and w.application_id = r.application_id
       and w.id = r.delivery_id
       and ${isBetween('w.id')} and ${isBetween('r.delivery_id')} and w.status = 'PENDING' and w.attempts = 0
       and (r.outcome is not null or not exists (
         select from webhook_due d
         where ${isOfOrganization}d.application_id = r.application_id and d.delivery_id = r.delivery_id))
     returning r.shard, r.organization_id, r.application_id, w.id, r.ago_ms, r.wait_ms
   ), again as (
     insert into webhook_due (shard, application_id, due_at, delivery_id, organization_key, attempt, retries, trigger)
     select c.shard, c.application_id, ${dueAgain('c')}, c.id, c.organization_id, 2, 1, 'AUTOMATIC' from closed c
     where c.wait_ms is not null
   ), ended as (
     delete from webhook_new_range f
     using unnest($endedShards::smallint[], $endedApplicationIds::text[], $endedFirstIds::text[]) as e(shard,
       application_id, first_id)
     where f.shard = e.shard and f.application_id = e.application_id and f.first_id = e.first_id
       and ${isBetween('f.first_id')} and ${isBetween('e.first_id')} and (
         select w.id from webhook_delivery w where ${isInRange} and ${isBetween('w.id')}
           and w.status = 'PENDING' and w.attempts = 0 and w.id not in (select c.id from closed c)
         order by w.id desc limit 1) is null
   )${recorded}`

/**
 * Records first attempts and their retries, of deliveries in webhook_new_range. A row counts only while this process owns
 * its shard in the same epoch and nothing was recorded before, so an overtaken owner writes nothing. Deletes the ranges
 * that ended, if they are really empty.
 *
 * A retry is due `waitMs` after the end of the attempt, which was `agoMs` ago, by the clock of the database. The column
 * rounds to milliseconds, so one is added to avoid an early retry. `recorded` lists the rows that count if they are fewer
 * than the `size` of the batch; null means all. All deliveries lie between the ids `from` and `to`.
 */
export const recordFirstAttempts = crossTenantSql<{ recorded: string[] | null }, FirstResultArgs>(
  why,
  firstAttempts(),
  // with the organization, plain PostgreSQL would look for a delivery before it knows that it is not due
  { onCitus: firstAttempts('d.organization_key = w.organization_id and ') },
)

const isDue = `d.application_id = r.application_id and d.delivery_id = r.delivery_id and d.attempt = r.attempt
       and ${isBetween('d.delivery_id')} and ${isBetween('r.delivery_id')}`
const isFirst = 'o.attempt = 1 and o.outcome is not null'

/** Records attempts of deliveries in webhook_due. A row counts only if its attempt is the one that is due. */
export const recordRetries = crossTenantSql<{ recorded: string[] | null }, ResultArgs>(
  why,
  `with r as materialized (
     select r.* from ${rowsOfColumns} where ${isOurs}
   ), done as (
     delete from webhook_due d using r where r.wait_ms is null and ${isDue} returning r.*
   ), again as (
     update webhook_due d set attempt = d.attempt + 1, retries = d.retries + 1, due_at = ${dueAgain('r')}
     from r where r.wait_ms is not null and ${isDue} returning r.*
   ), ours as (
     select * from done union all select * from again
   ), closed as (
     update webhook_delivery w set status = case when o.final is null
       or w.status = 'DELIVERED' then w.status else o.final end,
       attempts = case when o.outcome is null then w.attempts else o.attempt end, starts = 0,
       outcome = coalesce(o.outcome, w.outcome),
       last_status = case when o.outcome is null then w.last_status else o.status end,
       finished_at = case when o.final is not null then ${endedAt('o')} else w.finished_at end,
       first_started_at = case when ${isFirst} then ${startedAt('o')} else w.first_started_at end,
       first_record = case when ${isFirst} then o.record::json else w.first_record end
     from ours o
     where w.organization_id = o.organization_id and w.application_id = o.application_id and w.id = o.delivery_id
       and ${isBetween('w.id')} and ${isBetween('o.delivery_id')}
     returning w.id
   ), attempt as (
     insert into webhook_attempt (organization_id, delivery_id, n, started_at, record)
     select o.organization_id, o.delivery_id, o.attempt, ${startedAt('o')}, o.record::json
     from ours o where o.outcome is not null and o.attempt > 1
   )${recorded}`,
)

/** Counts the start of an attempt while this process owns the shard. */
export const countStart = crossTenantSql<
  { starts: number },
  {
    owner: string
    shard: number
    epoch: number
    organizationId: string
    applicationId: string
    deliveryId: string
    attempt: number
  }
>(
  why,
  `update webhook_delivery w set starts = w.starts + 1 from dispatch_shard s
   where s.shard = $shard and s.owner = $owner and s.epoch = $epoch
     and w.organization_id = $organizationId and w.application_id = $applicationId and w.id = $deliveryId
       and w.attempts = $attempt - 1
   returning w.starts`,
)
