import type { Recovery } from '#contract/integrations/recoveries.ts'
import { limits } from '#contract/limits.ts'
import type { Db, Tx } from '#platform/data/db.ts'
import { sql } from '#platform/data/statement.ts'
import { newId } from '#platform/ids.ts'
import type { IdRange } from '../deliveries/id-range.ts'

export type RecoveryRow = Omit<Recovery, 'state' | 'waiting'> & { statusBefore: string }

const columns = `r.id, r.kind, r.status_before as "statusBefore", r.per_second as "perSecond", r.total, r.cancelled, r.created_at as "createdAt",
  r.cancelled_at as "cancelledAt"`
const selectOf = sql<RecoveryRow, { applicationId: string }>(`
  select ${columns} from webhook_redelivery r
  where r.organization_id = $organization and r.application_id = $applicationId
  order by r.id desc limit ${limits.recoveriesListedMax}`)
// webhook_due is not a tenant table: organization_key names the organization. Index webhook_due_redelivery
const countWaiting = sql<{ n: number }, { applicationId: string }>(`
  select count(*) as n from webhook_due
  where organization_key = $organization and application_id = $applicationId and trigger = 'RECOVERY'`)

/** The recoveries of a webhook, newest first, and the waiting deliveries of the newest: only one runs at a time. */
export async function recoveriesOf(
  db: Db,
  applicationId: string,
): Promise<{ rows: RecoveryRow[]; waiting: number }> {
  const [rows, counted] = await Promise.all([
    db.rows(selectOf, { applicationId }),
    db.one(countWaiting, { applicationId }),
  ])
  return { rows, waiting: counted.n }
}

export type RecoveryFilter = { applicationId: string; status: string; event: string | null; idRange: IdRange }
type RecoveryCount = { count: number; last: string | null; looked: number; last_looked: string | null }
type ChosenArgs = { applicationId: string; status: string; from: string; to: string; event: string | null }
const chosenSql = `looked as materialized (
    select w.id, w.event from webhook_delivery w
    where w.organization_id = $organization and w.application_id = $applicationId and w.problem = $status
      and w.id >= $from and w.id < $to
      and w.attempts < ${limits.webhookDeliveryAttempts - limits.webhookAttempts}
    order by w.id limit ${limits.recoveryScanned}
  ), chosen as materialized (
    select l.id from looked l where $event::text is null or l.event = $event
    order by l.id limit ${limits.recoveryDeliveries}
  )`
const ends = `(select max(c.id) from chosen c) as last, (select count(*) from looked) as looked,
  (select max(l.id) from looked l) as last_looked`
// index webhook_delivery_problem
const count = sql<RecoveryCount, ChosenArgs>(
  `with ${chosenSql} select (select count(*) from chosen) as count, ${ends}`,
)
const move = sql<RecoveryCount, ChosenArgs & { shard: number; perSecond: number }>(`
  with ${chosenSql}, moved as (
    update webhook_delivery w set status = 'PENDING', finished_at = null
    where w.organization_id = $organization and w.application_id = $applicationId
      and w.id = any (array(select c.id from chosen c))
      and w.id >= $from and w.id < $to and w.status = $status
    returning w.id, w.attempts
  ), due as (
    insert into webhook_due (shard, application_id, due_at, delivery_id, organization_key, attempt, retries, trigger)
    select $shard, $applicationId,
      clock_timestamp() + make_interval(secs => (row_number() over (order by m.id) - 1) / $perSecond::float8),
      m.id, $organization, m.attempts + 1, 0, 'RECOVERY' from moved m
    on conflict do nothing returning 1
  )
  select (select count(*) from due) as count, ${ends}`)

const argsOf = ({ applicationId, status, event, idRange: { from, to } }: RecoveryFilter): ChosenArgs => ({
  applicationId,
  status,
  from,
  to,
  event,
})

/** Counts the deliveries that would be sent again, with the id after which there are more. */
export async function countRecoverable(
  db: Db,
  filter: RecoveryFilter,
): Promise<{ count: number; next: string | null }> {
  return countReply(await db.one(count, argsOf(filter)))
}

/** Schedules the deliveries again, spread over time. */
export async function moveRecoverable(
  tx: Tx,
  filter: RecoveryFilter,
  shard: number,
  perSecond: number,
): Promise<{ count: number; next: string | null }> {
  return countReply(await tx.one(move, { ...argsOf(filter), shard, perSecond }))
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
  {
    id: string
    applicationId: string
    kind: string
    statusBefore: string
    perSecond: number
    total: number
    createdBy: string
  }
>(`
  insert into webhook_redelivery as r
    (organization_id, id, application_id, kind, status_before, per_second, total, created_by)
  values ($organization, $id, $applicationId, $kind, $statusBefore, $perSecond, $total, $createdBy)
  returning ${columns}`)
const removeOld = sql<never, { applicationId: string }>(`
  delete from webhook_redelivery r
  where r.organization_id = $organization and r.application_id = $applicationId and r.id <= (
    select r.id from webhook_redelivery r where r.organization_id = $organization
      and r.application_id = $applicationId
    order by r.id desc offset ${limits.recoveriesListedMax} limit 1)`)

/** Inserts a recovery and deletes old ones. */
export async function insertRecovery(
  tx: Tx,
  applicationId: string,
  recovery: Pick<RecoveryRow, 'kind' | 'statusBefore' | 'perSecond' | 'total'> & { createdBy: string },
): Promise<RecoveryRow> {
  const { kind, statusBefore, perSecond, total, createdBy } = recovery
  const [row] = await Promise.all([
    tx.one(insertRow, { id: newId(), applicationId, kind, statusBefore, perSecond, total, createdBy }),
    tx.run(removeOld, { applicationId }),
  ])
  return row
}

// a dispatcher may already have loaded deliveries that are due sooner
const takeBack = sql<{ n: number }, { applicationId: string; statusBefore: string }>(`
  with gone as (
    delete from webhook_due
    where organization_key = $organization and application_id = $applicationId and trigger = 'RECOVERY'
      and retries = 0
      and due_at > (select clock_timestamp()) + interval '2 seconds'
    returning delivery_id
  ), back as (
    update webhook_delivery w set status = $statusBefore, finished_at = (select clock_timestamp())
    where w.organization_id = $organization and w.application_id = $applicationId
      and w.id = any (array(select g.delivery_id from gone g))
      and w.status = 'PENDING'
    returning 1
  )
  select count(*) as n from back`)
const setCancelled = sql<RecoveryRow, { id: string; cancelled: number }>(`
  update webhook_redelivery r set cancelled_at = now(), cancelled = $cancelled
  where r.organization_id = $organization and r.id = $id returning ${columns}`)

/** Cancels the deliveries that a recovery has not started: they return to their previous status. */
export async function cancelWaiting(
  tx: Tx,
  applicationId: string,
  { id, statusBefore }: RecoveryRow,
): Promise<RecoveryRow> {
  const { n } = await tx.one(takeBack, { applicationId, statusBefore })
  return tx.one(setCancelled, { id, cancelled: n })
}
