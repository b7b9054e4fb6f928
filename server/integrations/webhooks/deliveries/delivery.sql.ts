import type { Attempt, Delivery } from '#contract/integrations/deliveries.ts'
import { limits } from '#contract/limits.ts'
import type { Db, Tx } from '#platform/data/db.ts'
import { withFilters } from '#platform/data/dynamic-filters.ts'
import { sql } from '#platform/data/statement.ts'
import type { EventSubject } from '#platform/events/emit.ts'
import { lastOf } from '#platform/required.ts'
import { type StoredAttemptRecord, toAttemptRecord } from '../attempt-record.ts'
import { dueSql } from '../due.sql.ts'
import type { IdRange } from './id-range.ts'

export const deliveryColumns = `w.id, w.event_id as "eventId", w.event, w.status, w.attempts, w.outcome, w.last_status as "lastStatus",
  w.emitted_at as "emittedAt", w.finished_at as "finishedAt"`

type PageArgs = { applicationId: string; status: string | null; from: string; to: string; limit: number }
// the primary key, and index webhook_delivery_problem
const page = withFilters<Delivery, PageArgs>(
  { status: 'w.problem = $status' },
  condition => `select ${deliveryColumns} from webhook_delivery w
    where w.organization_id = $organization and w.application_id = $applicationId and ${condition}
      and w.id >= $from and w.id < $to
    order by w.id desc limit $limit`,
)

/** Finds the ranges `f` of an application by its shard, with which their index begins. */
const isOfShard = (applicationId: string) => `f.shard = (select e.shard from webhook_endpoint e
         where e.organization_id = $organization and e.application_id = ${applicationId})`

/**
 * The deliveries of an application from `$from` to before `$to`, with `$status`. No index covers all statuses and events:
 * each source reads a limited number of rows, newest first.
 */
export function deliverySources(applicationId: string, scanLimit: number | string) {
  const ofApplication = `w.organization_id = $organization and w.application_id = ${applicationId} and w.id >= $from and w.id < $to`
  const all = `select ${deliveryColumns} from webhook_delivery w where ${ofApplication}`
  const newest = `order by w.id desc limit ${scanLimit}`
  return {
    all: `${all} ${newest}`,
    // index webhook_delivery_problem
    problem: `${all} and w.problem = $status ${newest}`,
    pending: `select ${deliveryColumns} from (${dueSql(
      applicationId,
      `d.delivery_id >= $from and d.delivery_id < $to order by d.delivery_id desc limit ${scanLimit}`,
      `f.first_id < $to and f.last_id >= $from and ${isOfShard(applicationId)}
       order by f.first_id desc, w.id desc limit ${scanLimit}`,
    )}) d
    join webhook_delivery w on w.id = d.id where ${ofApplication} ${newest}`,
  }
}
const scanLimit = limits.deliveriesScanned
const sources = deliverySources('$applicationId', scanLimit)
const scan = (source: string) =>
  sql<(Delivery | { id: null }) & { scanEnd: string | null }, PageArgs & { event: string | null }>(`
  with scanned as materialized (${source})
  select p.*, e.id as "scanEnd"
  from (select case when count(*) = ${scanLimit} then min(l.id) end as id from scanned l) e
  left join lateral (
    select * from scanned l
    where ($status::text is null or l.status = $status) and ($event::text is null or l.event = $event)
    order by l.id desc limit $limit) p on true`)
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
const selectByIds = sql<Delivery, PageArgs & { event: string | null; ids: readonly string[] }>(`
  select d.* from unnest($ids::text[]) as i (id) cross join lateral (
    select ${deliveryColumns} from webhook_delivery w
    where w.organization_id = $organization and w.application_id = $applicationId and w.id = i.id limit 1) d
  where d.id >= $from and d.id < $to and ($status::text is null or d.status = $status)
    and ($event::text is null or d.event = $event)
  order by d.id desc limit $limit`)

/** A page of the deliveries of an application, newest first, with the cursor of the next page. */
export async function listPage(
  db: Db,
  applicationId: string,
  { status, event, idRange: { from, to }, ids, limit }: DeliveryFilter,
): Promise<{ items: Delivery[]; nextBefore: string | null }> {
  const args: PageArgs = { applicationId, status, from, to, limit }
  const cursorOf = (items: Delivery[]) => (items.length === limit ? lastOf(items).id : null)
  if (ids !== null) {
    const items = await db.rows(selectByIds, { ...args, event, ids })
    return { items, nextBefore: cursorOf(items) }
  }
  if (event === null && (status === null || problems.includes(status))) {
    const items = await db.rows(page(args), args)
    return { items, nextBefore: cursorOf(items) }
  }
  const rows = await db.rows(scans[sourceOf(status)], { ...args, event })
  const items = rows.flatMap(({ scanEnd: _, ...row }) => (row.id === null ? [] : [row]))
  return { items, nextBefore: cursorOf(items) ?? rows[0]?.scanEnd ?? null }
}

/** The source that has the deliveries of a status. */
export function sourceOf(status: string | null): keyof ReturnType<typeof deliverySources> {
  if (status === 'PENDING') return 'pending'
  return problems.includes(status) ? 'problem' : 'all'
}

const byId = `from webhook_delivery w where w.organization_id = $organization and w.id = $id
  and w.application_id = $applicationId`
const selectDelivery = sql<
  Delivery & {
    body: string
    about: EventSubject
    firstStartedAt: string | null
    firstRecord: StoredAttemptRecord | null
  },
  { id: string; applicationId: string }
>(
  `select ${deliveryColumns}, w.body, w.subject as about, w.first_started_at as "firstStartedAt",
    w.first_record as "firstRecord" ${byId}`,
)
const selectLocked = sql<Delivery & { about: EventSubject }, { id: string; applicationId: string }>(
  `select ${deliveryColumns}, w.subject as about ${byId} for no key update of w`,
)

// the first attempt is a column of the delivery
const selectAttempts = sql<
  { n: number; started_at: string; record: StoredAttemptRecord },
  { deliveryId: string }
>(`
  select t.n, t.started_at, t.record
  from webhook_attempt t where t.organization_id = $organization and t.delivery_id = $deliveryId
  order by t.n desc limit ${limits.webhookAttemptsShown}`)
// webhook_due and webhook_new_range are not tenant tables: organization_key names the organization
const selectDue = sql<{ due_at: string }, { applicationId: string; deliveryId: string }>(`
  select t.due_at from (${dueSql(
    '$applicationId',
    'd.delivery_id = $deliveryId',
    `${isOfShard('$applicationId')} and w.id = $deliveryId and f.first_id <= $deliveryId and f.last_id >= $deliveryId`,
  )}) t limit 1`)

/** A delivery with its attempts in order, and the time of the next one. */
export async function deliveryWithHistory(db: Db, applicationId: string, id: string) {
  const [row, later, due] = await Promise.all([
    db.first(selectDelivery, { id, applicationId }),
    db.rows(selectAttempts, { deliveryId: id }),
    db.first(selectDue, { applicationId, deliveryId: id }),
  ])
  if (!row) return undefined
  const { firstStartedAt, firstRecord, ...delivery } = row
  const first =
    firstStartedAt && firstRecord
      ? [{ n: 1, startedAt: firstStartedAt, ...toAttemptRecord(firstRecord) }]
      : []
  const others = later
    .reverse()
    .map(({ n, started_at, record }) => ({ n, startedAt: started_at, ...toAttemptRecord(record) }))
  const history: Attempt[] = [...first, ...others].slice(-limits.webhookAttemptsShown)
  return { ...delivery, dueAt: due?.due_at ?? null, history }
}

/** Locks a delivery of an application until the transaction ends. */
export function lockDelivery(
  tx: Tx,
  applicationId: string,
  id: string,
): Promise<(Delivery & { about: EventSubject }) | undefined> {
  return tx.first(selectLocked, { id, applicationId })
}

// due before all waiting deliveries, so that it is sent at once
const insertDue = sql<
  { id: string },
  { applicationId: string; deliveryId: string; shard: number; attempt: number }
>(`
  insert into webhook_due (shard, application_id, due_at, delivery_id, organization_key, attempt, retries, trigger)
  select $shard, $applicationId, least(clock_timestamp(), (
      select d.due_at - interval '1 millisecond' from webhook_due d
      where d.shard = $shard and d.application_id = $applicationId order by d.due_at, d.delivery_id limit 1)),
    $deliveryId, $organization, $attempt, 0, 'MANUAL'
  on conflict do nothing returning delivery_id as id`)
const setPending = sql<Delivery, { id: string; applicationId: string }>(`
  update webhook_delivery w set status = case when w.status = 'DELIVERED' then w.status else 'PENDING' end,
    finished_at = case when w.status = 'DELIVERED' then w.finished_at end
  where w.organization_id = $organization and w.id = $id and w.application_id = $applicationId
  returning ${deliveryColumns}`)

/** Schedules one more attempt. Undefined if the delivery is already waiting. A delivered one stays DELIVERED. */
export async function insertManualRetry(
  tx: Tx,
  applicationId: string,
  shard: number,
  { id, attempts }: Pick<Delivery, 'id' | 'attempts'>,
): Promise<Delivery | undefined> {
  const [due, again] = await Promise.all([
    tx.first(insertDue, { applicationId, deliveryId: id, shard, attempt: attempts + 1 }),
    tx.first(setPending, { id, applicationId }),
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
  { applicationId: string; after: string; before: string; limit: number }
>(`
  select w.id, w.event, w.subject as about, w.emitted_at, w.status, w.body from webhook_delivery w
  where w.organization_id = $organization and w.application_id = $applicationId and w.id > $after and w.id < $before
  order by w.id limit $limit`)
const clock = sql<{ ms: number }>(
  'select floor(extract(epoch from clock_timestamp()) * 1000)::float8 as ms where $organization::text is not null',
)

/** The deliveries of an application between two ids, oldest first. */
export function deliveriesAfter(
  db: Db,
  applicationId: string,
  after: string,
  before: string,
  limit: number,
): Promise<PulledDeliveryRow[]> {
  return db.rows(selectAfter, { applicationId, after, before, limit })
}

/** Milliseconds since 1970 by the clock of the database. */
export async function databaseMs(db: Db): Promise<number> {
  return (await db.one(clock)).ms
}
