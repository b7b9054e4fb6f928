import type { Recovery } from '#contract/integrations/recoveries.ts'
import { limits } from '#contract/limits.ts'
import type { Db, Tx } from '#platform/data/database.ts'
import { sql } from '#platform/data/statement.ts'
import { newId } from '#platform/ids.ts'
import type { Span } from '../deliveries/span.ts'

export type RecoveryRow = Omit<Recovery, 'state' | 'waiting'> & { before: string }

const columns = `r.id, r.kind, r.before, r.per_second as "perSecond", r.total, r.cancelled, r.created_at as "createdAt",
  r.cancelled_at as "cancelledAt"`
const selectOf = sql<RecoveryRow, [applicationId: string]>(`
  select ${columns} from webhook_recovery r
  where r.organization_id = $1 and r.application_id = $2 order by r.id desc limit ${limits.recoveriesKept}`)
// of webhook_due organization_key names whose a row is. Index webhook_due_recovery
const countWaiting = sql<{ n: number }, [applicationId: string]>(`
  select count(*) as n from webhook_due
  where organization_key = $1 and application_id = $2 and trigger = 'RECOVERY'`)

/** The recoveries of a webhook, newest first, and how much of the newest still waits: one runs at a time. */
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

export type Wanted = { applicationId: string; status: string; event: string | null; span: Span }
type Chosen = { count: number; last: string | null; looked: number; last_looked: string | null }
type Choice = [applicationId: string, status: string, from: string, to: string, event: string | null]
const choice = `looked as materialized (
    select w.id, w.event from webhook_delivery w
    where w.organization_id = $1 and w.application_id = $2 and w.problem = $3 and w.id >= $4 and w.id < $5
      and w.attempts < ${limits.webhookDeliveryAttempts - limits.webhookAttempts}
    order by w.id limit ${limits.recoveryLooked}
  ), chosen as materialized (
    select l.id from looked l where $6::text is null or l.event = $6
    order by l.id limit ${limits.recoveryDeliveries}
  )`
const ends = `(select max(c.id) from chosen c) as last, (select count(*) from looked) as looked,
  (select max(l.id) from looked l) as last_looked`
// index webhook_delivery_problem
const count = sql<Chosen, Choice>(`with ${choice} select (select count(*) from chosen) as count, ${ends}`)
const move = sql<Chosen, [...Choice, shard: number, perSecond: number]>(`
  with ${choice}, moved as (
    update webhook_delivery w set status = 'PENDING', finished_at = null
    where w.organization_id = $1 and w.application_id = $2 and w.id = any (array(select c.id from chosen c))
      and w.id >= $4 and w.id < $5 and w.status = $3
    returning w.id, w.attempts
  ), due as (
    insert into webhook_due (shard, application_id, due_at, delivery_id, organization_key, attempt, tries, trigger)
    select $7, $2, clock_timestamp() + make_interval(secs => (row_number() over (order by m.id) - 1) / $8::float8),
      m.id, $1, m.attempts + 1, 0, 'RECOVERY' from moved m
    on conflict (application_id, delivery_id) do nothing returning 1
  )
  select (select count(*) from due) as count, ${ends}`)

const argsOf = ({ applicationId, status, event, span: { from, to } }: Wanted): Choice => [
  applicationId,
  status,
  from,
  to,
  event,
]

/** How many deliveries would be sent again, and after which id there is more. */
export async function countRecoverable(
  db: Db,
  wanted: Wanted,
): Promise<{ count: number; next: string | null }> {
  return told((await db.first(count, ...argsOf(wanted)))!)
}

/** Lets them be sent again, spread over time. */
export async function moveRecoverable(
  tx: Tx,
  wanted: Wanted,
  shard: number,
  perSecond: number,
): Promise<{ count: number; next: string | null }> {
  return told((await tx.first(move, ...argsOf(wanted), shard, perSecond))!)
}

function told({ count, last, looked, last_looked }: Chosen): { count: number; next: string | null } {
  if (count >= limits.recoveryDeliveries) return { count, next: last }
  return { count, next: looked >= limits.recoveryLooked ? last_looked : null }
}

const insertRow = sql<
  RecoveryRow,
  [
    id: string,
    applicationId: string,
    kind: string,
    before: string,
    perSecond: number,
    total: number,
    createdBy: string,
  ]
>(`
  insert into webhook_recovery as r
    (organization_id, id, application_id, kind, before, per_second, total, created_by)
  values ($1, $2, $3, $4, $5, $6, $7, $8) returning ${columns}`)
const removeOld = sql<never, [applicationId: string]>(`
  delete from webhook_recovery r
  where r.organization_id = $1 and r.application_id = $2 and r.id <= (
    select r.id from webhook_recovery r where r.organization_id = $1 and r.application_id = $2
    order by r.id desc offset ${limits.recoveriesKept} limit 1)`)

/** Writes a recovery down, and forgets all but the last few. */
export async function insertRecovery(
  tx: Tx,
  applicationId: string,
  given: Pick<RecoveryRow, 'kind' | 'before' | 'perSecond' | 'total'> & { createdBy: string },
): Promise<RecoveryRow> {
  const { kind, before, perSecond, total, createdBy } = given
  const [row] = await Promise.all([
    tx.first(insertRow, newId(), applicationId, kind, before, perSecond, total, createdBy),
    tx.run(removeOld, applicationId),
  ])
  return row!
}

// what is due sooner may be in the hands of a dispatcher already
const takeBack = sql<{ n: number }, [applicationId: string, before: string]>(`
  with gone as (
    delete from webhook_due
    where organization_key = $1 and application_id = $2 and trigger = 'RECOVERY' and tries = 0
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
  update webhook_recovery r set cancelled_at = now(), cancelled = $3
  where r.organization_id = $1 and r.id = $2 returning ${columns}`)

/** Takes back what a recovery has not begun: those deliveries are what they were. */
export async function cancelWaiting(
  tx: Tx,
  applicationId: string,
  { id, before }: RecoveryRow,
): Promise<RecoveryRow> {
  const { n } = (await tx.first(takeBack, applicationId, before))!
  return (await tx.first(setCancelled, id, n))!
}
