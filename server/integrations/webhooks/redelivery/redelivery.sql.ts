import type { Recovery } from '#contract/integrations/recoveries.ts'
import { limits } from '#contract/limits.ts'
import type { Db, Tx } from '#platform/data/database.ts'
import { sql } from '#platform/data/statement.ts'
import { newId } from '#platform/ids.ts'
import type { IdRange } from '../deliveries/id-range.ts'

export type RecoveryRow = Omit<Recovery, 'state' | 'waiting'> & { statusBefore: string }

const columns = `r.id, r.kind, r.status_before as "statusBefore", r.per_second as "perSecond", r.total, r.cancelled, r.created_at as "createdAt",
  r.cancelled_at as "cancelledAt"`
const selectOf = sql<RecoveryRow, [applicationId: string]>(`
  select ${columns} from webhook_redelivery r
  where r.organization_id = $1 and r.application_id = $2 order by r.id desc limit ${limits.recoveriesListedMax}`)
// webhook_due is not a tenant table: organization_key names the organization. Index webhook_due_redelivery
const countWaiting = sql<{ n: number }, [applicationId: string]>(`
  select count(*) as n from webhook_due
  where organization_key = $1 and application_id = $2 and trigger = 'RECOVERY'`)

/** The recoveries of a webhook, newest first, and the waiting deliveries of the newest: only one runs at a time. */
export async function recoveriesOf(
  db: Db,
  applicationId: string,
): Promise<{ rows: RecoveryRow[]; waiting: number }> {
  const [rows, counted] = await Promise.all([
    db.rows(selectOf, applicationId),
    db.first(countWaiting, applicationId),
  ])
  return { rows, waiting: counted!.n }
}

export type RecoveryFilter = { applicationId: string; status: string; event: string | null; idRange: IdRange }
type RecoveryCount = { count: number; last: string | null; looked: number; last_looked: string | null }
type ChosenArgs = [applicationId: string, status: string, from: string, to: string, event: string | null]
const chosenSql = `looked as materialized (
    select w.id, w.event from webhook_delivery w
    where w.organization_id = $1 and w.application_id = $2 and w.problem = $3 and w.id >= $4 and w.id < $5
      and w.attempts < ${limits.webhookDeliveryAttempts - limits.webhookAttempts}
    order by w.id limit ${limits.recoveryScanned}
  ), chosen as materialized (
    select l.id from looked l where $6::text is null or l.event = $6
    order by l.id limit ${limits.recoveryDeliveries}
  )`
const ends = `(select max(c.id) from chosen c) as last, (select count(*) from looked) as looked,
  (select max(l.id) from looked l) as last_looked`
// index webhook_delivery_problem
const count = sql<RecoveryCount, ChosenArgs>(
  `with ${chosenSql} select (select count(*) from chosen) as count, ${ends}`,
)
const move = sql<RecoveryCount, [...ChosenArgs, shard: number, perSecond: number]>(`
  with ${chosenSql}, moved as (
    update webhook_delivery w set status = 'PENDING', finished_at = null
    where w.organization_id = $1 and w.application_id = $2 and w.id = any (array(select c.id from chosen c))
      and w.id >= $4 and w.id < $5 and w.status = $3
    returning w.id, w.attempts
  ), due as (
    insert into webhook_due (shard, application_id, due_at, delivery_id, organization_key, attempt, retries, trigger)
    select $7, $2, clock_timestamp() + make_interval(secs => (row_number() over (order by m.id) - 1) / $8::float8),
      m.id, $1, m.attempts + 1, 0, 'RECOVERY' from moved m
    on conflict (application_id, delivery_id) do nothing returning 1
  )
  select (select count(*) from due) as count, ${ends}`)

const argsOf = ({ applicationId, status, event, idRange: { from, to } }: RecoveryFilter): ChosenArgs => [
  applicationId,
  status,
  from,
  to,
  event,
]

/** Counts the deliveries that would be sent again, with the id after which there are more. */
export async function countRecoverable(
  db: Db,
  filter: RecoveryFilter,
): Promise<{ count: number; next: string | null }> {
  return countReply((await db.first(count, ...argsOf(filter)))!)
}

/** Schedules the deliveries again, spread over time. */
export async function moveRecoverable(
  tx: Tx,
  filter: RecoveryFilter,
  shard: number,
  perSecond: number,
): Promise<{ count: number; next: string | null }> {
  return countReply((await tx.first(move, ...argsOf(filter), shard, perSecond))!)
}

function countReply({ count, last, looked, last_looked }: RecoveryCount): {
  count: number
  next: string | null
} {
  if (count >= limits.recoveryDeliveries) return { count, next: last }
  return { count, next: looked >= limits.recoveryScanned ? last_looked : null }
}

const insertRow = sql<
  RecoveryRow,
  [
    id: string,
    applicationId: string,
    kind: string,
    statusBefore: string,
    perSecond: number,
    total: number,
    createdBy: string,
  ]
>(`
  insert into webhook_redelivery as r
    (organization_id, id, application_id, kind, status_before, per_second, total, created_by)
  values ($1, $2, $3, $4, $5, $6, $7, $8) returning ${columns}`)
const removeOld = sql<never, [applicationId: string]>(`
  delete from webhook_redelivery r
  where r.organization_id = $1 and r.application_id = $2 and r.id <= (
    select r.id from webhook_redelivery r where r.organization_id = $1 and r.application_id = $2
    order by r.id desc offset ${limits.recoveriesListedMax} limit 1)`)

/** Inserts a recovery and deletes old ones. */
export async function insertRecovery(
  tx: Tx,
  applicationId: string,
  recovery: Pick<RecoveryRow, 'kind' | 'statusBefore' | 'perSecond' | 'total'> & { createdBy: string },
): Promise<RecoveryRow> {
  const { kind, statusBefore, perSecond, total, createdBy } = recovery
  const [row] = await Promise.all([
    tx.first(insertRow, newId(), applicationId, kind, statusBefore, perSecond, total, createdBy),
    tx.run(removeOld, applicationId),
  ])
  return row!
}

// a dispatcher may already have loaded deliveries that are due sooner
const takeBack = sql<{ n: number }, [applicationId: string, statusBefore: string]>(`
  with gone as (
    delete from webhook_due
    where organization_key = $1 and application_id = $2 and trigger = 'RECOVERY' and retries = 0
      and due_at > clock_timestamp() + interval '2 seconds'
    returning delivery_id
  ), back as (
    update webhook_delivery w set status = $3, finished_at = clock_timestamp()
    where w.organization_id = $1 and w.application_id = $2 and w.id = any (array(select g.delivery_id from gone g))
      and w.status = 'PENDING'
    returning 1
  )
  select count(*) as n from back`)
const setCancelled = sql<RecoveryRow, [id: string, cancelled: number]>(`
  update webhook_redelivery r set cancelled_at = now(), cancelled = $3
  where r.organization_id = $1 and r.id = $2 returning ${columns}`)

/** Cancels the deliveries that a recovery has not started: they return to their previous status. */
export async function cancelWaiting(
  tx: Tx,
  applicationId: string,
  { id, statusBefore }: RecoveryRow,
): Promise<RecoveryRow> {
  const { n } = (await tx.first(takeBack, applicationId, statusBefore))!
  return (await tx.first(setCancelled, id, n))!
}
