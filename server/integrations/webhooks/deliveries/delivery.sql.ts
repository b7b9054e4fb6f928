import type { Attempt, Delivery } from '#contract/integrations/deliveries.ts'
import { limits } from '#contract/limits.ts'
import type { Db, Tx } from '#platform/data/database.ts'
import { withFilters } from '#platform/data/dynamic-filters.ts'
import { sql } from '#platform/data/statement.ts'
import type { EventSubject } from '#platform/events/emit.ts'
import { type StoredAttemptRecord, toAttemptRecord } from '../attempt-record.ts'
import { isInRange, isUnattempted } from '../new-range.ts'
import { shardOf } from '../shards/shard.ts'
import type { IdRange } from './id-range.ts'

export const deliveryColumns = `w.id, w.event_id as "eventId", w.event, w.status, w.attempts, w.outcome, w.last_status as "lastStatus",
  w.emitted_at as "emittedAt", w.finished_at as "finishedAt"`

type PageArgs = [applicationId: string, status: string | null, from: string, to: string, limit: number]
// the primary key, and index webhook_delivery_problem
const page = withFilters<Delivery, PageArgs>(
  ['w.problem = $3'],
  condition => `select ${deliveryColumns} from webhook_delivery w
    where w.organization_id = $1 and w.application_id = $2 and ${condition} and w.id >= $4 and w.id < $5
    order by w.id desc limit $6`,
)

/**
 * The deliveries of an application between two ids ($4, $5) with a status ($3). No index covers all statuses and events:
 * each source reads a limited number of rows, newest first.
 */
export function deliverySources(applicationId: string, scanLimit: number | string) {
  const ofApplication = `w.organization_id = $1 and w.application_id = ${applicationId} and w.id >= $4 and w.id < $5`
  const all = `select ${deliveryColumns} from webhook_delivery w where ${ofApplication}`
  const newest = `order by w.id desc limit ${scanLimit}`
  return {
    all: `${all} ${newest}`,
    // index webhook_delivery_problem
    problem: `${all} and w.problem = $3 ${newest}`,
    pending: `select ${deliveryColumns} from (
      (select d.delivery_id as id from webhook_due d
       where d.organization_key = $1 and d.application_id = ${applicationId} and d.delivery_id >= $4 and d.delivery_id < $5
       order by d.delivery_id desc limit ${scanLimit})
      union all
      (select w.id from webhook_new_range f join webhook_delivery w on w.organization_id = $1 and ${isInRange} and ${isUnattempted}
       where f.organization_key = $1 and f.application_id = ${applicationId} and f.first_id < $5 and f.last_id >= $4
         and f.shard = (select e.shard from webhook_endpoint e
           where e.organization_id = $1 and e.application_id = ${applicationId})
       order by f.first_id desc, w.id desc limit ${scanLimit})) d
    join webhook_delivery w on w.id = d.id where ${ofApplication} ${newest}`,
  }
}
const scanLimit = limits.deliveriesScanned
const sources = deliverySources('$2', scanLimit)
const scan = (source: string) =>
  sql<(Delivery | { id: null }) & { scanEnd: string | null }, [...PageArgs, event: string | null]>(`
  with scanned as materialized (${source})
  select p.*, e.id as "scanEnd"
  from (select case when count(*) = ${scanLimit} then min(l.id) end as id from scanned l) e
  left join lateral (
    select * from scanned l
    where ($3::text is null or l.status = $3) and ($7::text is null or l.event = $7)
    order by l.id desc limit $6) p on true`)
const scans = {
  all: scan(sources.all),
  problem: scan(sources.problem),
  pending: scan(sources.pending),
}
const problems: readonly (string | null)[] = ['FAILED', 'NOT_AUTHORIZED', 'CANCELLED']

export type DeliveryFilter = {
  status: Delivery['status'] | null
  event: string | null
  idRange: IdRange
  ids: readonly string[] | null
  limit: number
}

// the primary key, once for each id: `limit 1` keeps the planner from reading a period instead
const selectByIds = sql<Delivery, [...PageArgs, event: string | null, ids: readonly string[]]>(`
  select d.* from unnest($8::text[]) as i (id) cross join lateral (
    select ${deliveryColumns} from webhook_delivery w
    where w.organization_id = $1 and w.application_id = $2 and w.id = i.id limit 1) d
  where d.id >= $4 and d.id < $5 and ($3::text is null or d.status = $3) and ($7::text is null or d.event = $7)
  order by d.id desc limit $6`)

/** A page of the deliveries of an application, newest first, with the cursor of the next page. */
export async function listPage(
  db: Db,
  applicationId: string,
  { status, event, idRange: { from, to }, ids, limit }: DeliveryFilter,
): Promise<{ items: Delivery[]; nextBefore: string | null }> {
  const args: PageArgs = [applicationId, status, from, to, limit]
  const lastOf = (items: Delivery[]) => (items.length === limit ? items.at(-1)!.id : null)
  if (ids !== null) {
    const items = await db.rows(selectByIds, ...args, event, ids)
    return { items, nextBefore: lastOf(items) }
  }
  if (event === null && (status === null || problems.includes(status))) {
    const items = await db.rows(page(status), ...args)
    return { items, nextBefore: lastOf(items) }
  }
  const rows = await db.rows(scans[sourceOf(status)], ...args, event)
  const items = rows.flatMap(({ scanEnd: _, ...row }) => (row.id === null ? [] : [row]))
  return { items, nextBefore: lastOf(items) ?? rows[0]?.scanEnd ?? null }
}

/** The source that has the deliveries of a status. */
export function sourceOf(status: string | null): keyof ReturnType<typeof deliverySources> {
  if (status === 'PENDING') return 'pending'
  return problems.includes(status) ? 'problem' : 'all'
}

const byId = `from webhook_delivery w where w.organization_id = $1 and w.id = $2 and w.application_id = $3`
const selectDelivery = sql<
  Delivery & {
    body: string
    about: EventSubject
    firstStartedAt: string | null
    firstRecord: StoredAttemptRecord | null
  },
  [id: string, applicationId: string]
>(
  `select ${deliveryColumns}, w.body, w.subject as about, w.first_started_at as "firstStartedAt",
    w.first_record as "firstRecord" ${byId}`,
)
const selectLocked = sql<Delivery & { about: EventSubject }, [id: string, applicationId: string]>(
  `select ${deliveryColumns}, w.subject as about ${byId} for no key update of w`,
)

// the first attempt is a column of the delivery
const selectAttempts = sql<
  { n: number; startedAt: string; record: StoredAttemptRecord },
  [deliveryId: string]
>(`
  select t.n, t.started_at as "startedAt", t.record
  from webhook_attempt t where t.organization_id = $1 and t.delivery_id = $2
  order by t.n desc limit ${limits.webhookAttemptsShown}`)
// webhook_due and webhook_new_range are not tenant tables: organization_key names the organization
const selectDue = sql<{ dueAt: string }, [applicationId: string, deliveryId: string, shard: number]>(`
  select due_at as "dueAt" from webhook_due
  where organization_key = $1 and application_id = $2 and delivery_id = $3
  union all
  select f.written_at from webhook_new_range f
  join webhook_delivery w on w.organization_id = $1 and ${isInRange} and ${isUnattempted}
  where f.organization_key = $1 and f.shard = $4 and f.application_id = $2 and w.id = $3
    and f.first_id <= $3 and f.last_id >= $3 limit 1`)

/** A delivery with its attempts in order, and the time of the next one. */
export async function deliveryWithHistory(db: Db, applicationId: string, id: string) {
  const [row, later, due] = await Promise.all([
    db.first(selectDelivery, id, applicationId),
    db.rows(selectAttempts, id),
    db.first(selectDue, applicationId, id, shardOf(applicationId)),
  ])
  if (!row) return undefined
  const { firstStartedAt, firstRecord, ...delivery } = row
  const first =
    firstStartedAt && firstRecord
      ? [{ n: 1, startedAt: firstStartedAt, ...toAttemptRecord(firstRecord) }]
      : []
  const others = later.reverse().map(({ record, ...place }) => ({ ...place, ...toAttemptRecord(record) }))
  const history: Attempt[] = [...first, ...others].slice(-limits.webhookAttemptsShown)
  return { ...delivery, dueAt: due?.dueAt ?? null, history }
}

/** Locks a delivery of an application until the transaction ends. */
export function lockDelivery(
  tx: Tx,
  applicationId: string,
  id: string,
): Promise<(Delivery & { about: EventSubject }) | undefined> {
  return tx.first(selectLocked, id, applicationId)
}

// due before all waiting deliveries, so that it is sent at once
const insertDue = sql<
  { id: string },
  [applicationId: string, deliveryId: string, shard: number, attempt: number]
>(`
  insert into webhook_due (shard, application_id, due_at, delivery_id, organization_key, attempt, retries, trigger)
  select $4, $2, least(clock_timestamp(), (
      select d.due_at - interval '1 millisecond' from webhook_due d
      where d.shard = $4 and d.application_id = $2 order by d.due_at, d.delivery_id limit 1)),
    $3, $1, $5, 0, 'MANUAL'
  on conflict (application_id, delivery_id) do nothing returning delivery_id as id`)
const setPending = sql<Delivery, [id: string, applicationId: string]>(`
  update webhook_delivery w set status = case when w.status = 'DELIVERED' then w.status else 'PENDING' end,
    finished_at = case when w.status = 'DELIVERED' then w.finished_at end
  where w.organization_id = $1 and w.id = $2 and w.application_id = $3 returning ${deliveryColumns}`)

/** Schedules one more attempt. Undefined if the delivery is already waiting. A delivered one stays DELIVERED. */
export async function insertManualRetry(
  tx: Tx,
  applicationId: string,
  shard: number,
  { id, attempts }: Pick<Delivery, 'id' | 'attempts'>,
): Promise<Delivery | undefined> {
  const [due, again] = await Promise.all([
    tx.first(insertDue, applicationId, id, shard, attempts + 1),
    tx.first(setPending, id, applicationId),
  ])
  return due && again
}

export type PulledDeliveryRow = {
  id: string
  event: string
  about: EventSubject
  emitted_at: string
  status: Delivery['status']
  body: string
}
// the primary key
const selectAfter = sql<
  PulledDeliveryRow,
  [applicationId: string, after: string, before: string, limit: number]
>(`
  select w.id, w.event, w.subject as about, w.emitted_at, w.status, w.body from webhook_delivery w
  where w.organization_id = $1 and w.application_id = $2 and w.id > $3 and w.id < $4
  order by w.id limit $5`)
const clock = sql<{ ms: number }>(
  'select floor(extract(epoch from clock_timestamp()) * 1000)::float8 as ms where $1::text is not null',
)

/** The deliveries of an application between two ids, oldest first. */
export function deliveriesAfter(
  db: Db,
  applicationId: string,
  after: string,
  before: string,
  limit: number,
): Promise<PulledDeliveryRow[]> {
  return db.rows(selectAfter, applicationId, after, before, limit)
}

/** Milliseconds since 1970 by the clock of the database. */
export async function databaseMs(db: Db): Promise<number> {
  return (await db.first(clock))!.ms
}
