import type { Attempt, Delivery } from '#contract/integrations/deliveries.ts'
import { limits } from '#contract/limits.ts'
import type { Db, Tx } from '#platform/db/database.ts'
import { narrowed } from '#platform/db/narrowed.ts'
import { sql } from '#platform/db/statement.ts'
import type { About } from '#platform/emit.ts'
import type { Span } from './span.ts'

const columns = `w.id, w.event_id as "eventId", w.event, w.status, w.attempts, w.outcome, w.last_status as "lastStatus",
  w.emitted_at as "emittedAt", w.finished_at as "finishedAt"`

type Page = [
  applicationId: string,
  status: string | null,
  event: string | null,
  from: string,
  to: string,
  limit: number,
]
// the primary key, and indexes webhook_delivery_problem and webhook_delivery_event
const page = narrowed<Delivery, Page>(
  ['w.problem = $3', 'w.event = $4'],
  condition => `select ${columns} from webhook_delivery w
    where w.organization_id = $1 and w.application_id = $2 and ${condition} and w.id >= $5 and w.id < $6
    order by w.id desc limit $7`,
)

// what no index has: so many of what one has are looked at
const ofApplication = 'w.organization_id = $1 and w.application_id = $2 and w.id >= $5 and w.id < $6'
const all = `select w.* from webhook_delivery w where ${ofApplication}`
const pending = `select w.* from webhook_due d
  join webhook_delivery w on w.application_id = d.application_id and w.id = d.delivery_id
  where d.organization_key = $1 and d.application_id = $2 and ${ofApplication}`
const look = (source: string) =>
  sql<(Delivery | { id: null }) & { lookEnd: string | null }, Page>(`
  with looked as materialized (${source} order by w.id desc limit ${limits.deliveriesLooked})
  select p.*, e.id as "lookEnd"
  from (select case when count(*) = ${limits.deliveriesLooked} then min(l.id) end as id from looked l) e
  left join lateral (
    select ${columns} from looked w
    where ($3::text is null or w.status = $3) and ($4::text is null or w.event = $4)
    order by w.id desc limit $7) p on true`)
const looks = {
  all: look(all),
  event: look(`${all} and w.event = $4`),
  problem: look(`${all} and w.problem = $3`),
  pending: look(pending),
}
const problems: readonly (string | null)[] = ['FAILED', 'NOT_AUTHORIZED', 'CANCELLED']

export type Filter = { status: Delivery['status'] | null; event: string | null; span: Span; limit: number }

/** A page of the deliveries of an application, newest first, and where the next one goes on. */
export async function listPage(
  db: Db,
  applicationId: string,
  { status, event, span: { from, to }, limit }: Filter,
): Promise<{ items: Delivery[]; nextBefore: string | null }> {
  const given: Page = [applicationId, status, event, from, to, limit]
  const lastOf = (items: Delivery[]) => (items.length === limit ? items.at(-1)!.id : null)
  if (status === null || (event === null && problems.includes(status))) {
    const items = await db.rows(page(status, event), ...given)
    return { items, nextBefore: lastOf(items) }
  }
  const rows = await db.rows(looks[sourceOf(status, event)], ...given)
  const items = rows.flatMap(({ lookEnd: _, ...row }) => (row.id === null ? [] : [row]))
  return { items, nextBefore: lastOf(items) ?? rows[0]?.lookEnd ?? null }
}

function sourceOf(status: string, event: string | null): keyof typeof looks {
  if (status === 'PENDING') return 'pending'
  if (problems.includes(status)) return 'problem'
  return event === null ? 'all' : 'event'
}

const byId = `select ${columns}, w.body from webhook_delivery w
  where w.organization_id = $1 and w.id = $2 and w.application_id = $3`
const selectDelivery = sql<Delivery & { body: string }, [id: string, applicationId: string]>(byId)
const selectLocked = sql<Delivery & { body: string }, [id: string, applicationId: string]>(
  `${byId} for no key update of w`,
)

const selectAttempts = sql<Attempt, [deliveryId: string]>(`
  select t.n, t.trigger, t.started_at as "startedAt", t.duration_ms as "durationMs", t.timings, t.outcome, t.status,
    t.answer, t.answer_headers as "answerHeaders", t.address, t.secret_id as "secretId", t.error
  from webhook_attempt t where t.organization_id = $1 and t.delivery_id = $2
  order by t.n desc limit ${limits.webhookAttemptsShown}`)
// webhook_due is no organization's own: organization_key names whose it is
const selectDue = sql<{ dueAt: string }, [applicationId: string, deliveryId: string]>(`
  select due_at as "dueAt" from webhook_due
  where organization_key = $1 and application_id = $2 and delivery_id = $3`)

/** A delivery of an application with its attempts, the first one first, and when the next is due. */
export async function wholeDelivery(db: Db, applicationId: string, id: string) {
  const [row, history, due] = await Promise.all([
    db.first(selectDelivery, id, applicationId),
    db.rows(selectAttempts, id),
    db.first(selectDue, applicationId, id),
  ])
  return row && { ...row, dueAt: due?.dueAt ?? null, history: history.reverse() }
}

/** A delivery of an application, which nothing else changes until the transaction ends. */
export async function lockDelivery(tx: Tx, applicationId: string, id: string): Promise<Delivery | undefined> {
  const row = await tx.first(selectLocked, id, applicationId)
  if (!row) return undefined
  const { body: _, ...delivery } = row
  return delivery
}

// before everything else that waits, so that it is sent at once
const insertDue = sql<
  { id: string },
  [applicationId: string, deliveryId: string, shard: number, attempt: number]
>(`
  insert into webhook_due (shard, application_id, due_at, delivery_id, organization_key, attempt, tries, trigger)
  select $4, $2, least(clock_timestamp(), (
      select d.due_at - interval '1 millisecond' from webhook_due d
      where d.shard = $4 and d.application_id = $2 order by d.due_at, d.delivery_id limit 1)),
    $3, $1, $5, 0, 'MANUAL'
  on conflict (application_id, delivery_id) do nothing returning delivery_id as id`)
const setAgain = sql<Delivery, [id: string, applicationId: string]>(`
  update webhook_delivery w set status = case when w.status = 'DELIVERED' then w.status else 'PENDING' end,
    finished_at = case when w.status = 'DELIVERED' then w.finished_at end
  where w.organization_id = $1 and w.id = $2 and w.application_id = $3 returning ${columns}`)

/** Lets a delivery be sent once more. Undefined when it waits to be sent already. What was delivered stays delivered. */
export async function insertManual(
  tx: Tx,
  applicationId: string,
  shard: number,
  { id, attempts }: Pick<Delivery, 'id' | 'attempts'>,
): Promise<Delivery | undefined> {
  const [due, again] = await Promise.all([
    tx.first(insertDue, applicationId, id, shard, attempts + 1),
    tx.first(setAgain, id, applicationId),
  ])
  return due && again
}

export type OwnRow = {
  id: string
  event: string
  about: About
  emitted_at: string
  status: Delivery['status']
  body: string
}
// index webhook_delivery_of
const selectAfter = sql<OwnRow, [applicationId: string, after: string, before: string, limit: number]>(`
  select w.id, w.event, w.subject as about, w.emitted_at, w.status, w.body from webhook_delivery w
  where w.organization_id = $1 and w.application_id = $2 and w.id > $3 and w.id < $4
  order by w.id limit $5`)
const clock = sql<{ ms: number }>(
  'select floor(extract(epoch from clock_timestamp()) * 1000)::float8 as ms where $1::text is not null',
)

/** The deliveries of an application after one of them, oldest first, without those before which one can still come. */
export function deliveriesAfter(
  db: Db,
  applicationId: string,
  after: string,
  before: string,
  limit: number,
): Promise<OwnRow[]> {
  return db.rows(selectAfter, applicationId, after, before, limit)
}

/** Milliseconds since 1970 by the clock of the database. */
export async function databaseMs(db: Db): Promise<number> {
  return (await db.first(clock))!.ms
}
