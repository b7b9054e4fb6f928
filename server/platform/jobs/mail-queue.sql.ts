import type { OperatedMail } from '#contract/identity/health.ts'
import { limits } from '#contract/limits.ts'
import type { Database } from '../data/database.ts'
import type { Tx } from '../data/db.ts'
import { later } from '../data/later.ts'
import { crossTenantSql, oneServerLock, sql } from '../data/statement.ts'
import type { MailProblem } from './mail-queue.rules.ts'

/** A mail that this process is sending. No other process takes it before `next_at`. */
export type LeasedMail = {
  organization_id: string
  id: string
  kind: string
  data: unknown
  attempts: number
}

const longestDelayMinutes = 60
/** Doubles after each attempt, from two minutes to an hour. No attempt takes that long. */
const retryDelay = (attempts: string) =>
  `make_interval(mins => least(${longestDelayMinutes}, 2 ^ least(${attempts}, 6))::integer)`

const insert = sql<never, { id: string; kind: string; data: string; attempts: number }>(`
  insert into outgoing_mail (organization_id, id, kind, data, attempts, next_at)
  values ($organization, $id, $kind, $data::jsonb, $attempts::integer,
    clock_timestamp() + case when $attempts::integer = 0 then interval '0' else ${retryDelay('$attempts::integer')} end)`)

/** Queues a mail. With one attempt it is leased to this process. */
export async function insertMail(
  tx: Tx,
  mail: { id: string; kind: string; data: unknown; attempts: 0 | 1 },
): Promise<void> {
  await tx.run(insert, {
    id: mail.id,
    kind: mail.kind,
    data: JSON.stringify(mail.data),
    attempts: mail.attempts,
  })
}

/**
 * The same within another statement: inserts the mails that `source` selects, with the columns
 * organization_id, id, kind and data.
 */
export function insertMailsFrom(source: string): string {
  return `insert into outgoing_mail (organization_id, id, kind, data, attempts, next_at)
    select s.organization_id, s.id, s.kind, s.data, 0, clock_timestamp() from (${source}) s`
}

const sendingReason = 'a worker sends the mails of every organization'

// index outgoing_mail_due
const leaseDue = crossTenantSql<LeasedMail, { most: number; isRepetition: boolean }>(
  sendingReason,
  `with due as (
     select m.organization_id, m.id from outgoing_mail m
     where m.next_at <= now() and (m.attempts > 0) = $isRepetition
     order by m.next_at limit $most ${oneServerLock('for update skip locked')}
   )
   update outgoing_mail m set attempts = m.attempts + 1, next_at = ${later('now()', retryDelay('m.attempts + 1'))}
   from due where m.organization_id = due.organization_id and m.id = due.id and m.next_at <= now()
   returning m.organization_id, m.id, m.kind, m.data, m.attempts`,
)

/**
 * Leases mails that are due: either new ones or those that were attempted. Each becomes due again after a while, in case the
 * process dies.
 */
export function leaseMails(
  { crossTenant }: Pick<Database, 'crossTenant'>,
  most: number,
  isRepetition: boolean,
): Promise<LeasedMail[]> {
  return crossTenant.rows(leaseDue, { most, isRepetition })
}

// a minute, so that an attempt in progress ends first; index outgoing_mail_due
const advanceDistant = crossTenantSql<never>(
  sendingReason,
  `update outgoing_mail m set next_at = (select clock_timestamp()) + interval '1 minute'
   where m.next_at > (select clock_timestamp()) + interval '${longestDelayMinutes + 1} minutes'`,
)

/** Makes mails due that would wait longer than any delay, because the clock of the database was set back (MAL-8). */
export async function advanceDistantMails({ crossTenant }: Pick<Database, 'crossTenant'>): Promise<void> {
  await crossTenant.rows(advanceDistant)
}

// another process may have leased it since
const remove = sql<never, { id: string; attempts: number }>(
  'delete from outgoing_mail m where m.organization_id = $organization and m.id = $id and m.attempts = $attempts',
)

/** Deletes a mail that was sent or given up. False if that has already happened. */
export async function removeMail(tx: Tx, { id, attempts }: LeasedMail): Promise<boolean> {
  return (await tx.run(remove, { id, attempts })) > 0
}

const noteError = sql<never, { id: string; attempts: number; recipient: string | null; error: string }>(`
  update outgoing_mail m set recipient = $recipient, error = $error
  where m.organization_id = $organization and m.id = $id and m.attempts = $attempts`)
const removeRefused = sql<never, { id: string; attempts: number; recipient: string | null; error: string }>(`
  with given_up as (
    delete from outgoing_mail m where m.organization_id = $organization and m.id = $id and m.attempts = $attempts
    returning m.organization_id, m.id, m.kind, m.attempts, m.created_at
  )
  insert into refused_mail (organization_id, id, kind, recipient, error, attempts, queued_at)
  select u.organization_id, u.id, u.kind, $recipient, $error, u.attempts, u.created_at from given_up u
  on conflict do nothing returning id`)

/** Records why a mail was not sent, for operators. */
export async function noteMailError(tx: Tx, mail: LeasedMail, problem: MailProblem): Promise<void> {
  await tx.run(noteError, {
    id: mail.id,
    attempts: mail.attempts,
    recipient: problem.recipient,
    error: problem.error,
  })
}

/** Deletes a mail that is given up and keeps the reason, without its data. */
export async function refuseMail(tx: Tx, mail: LeasedMail, problem: MailProblem): Promise<void> {
  await tx.run(removeRefused, {
    id: mail.id,
    attempts: mail.attempts,
    recipient: problem.recipient,
    error: problem.error,
  })
}

type QueueState = {
  queued: number
  oldestAt: string | null
  /** The age of the oldest mail; 0 without one. */
  oldestSeconds: number
  failing: number
  refused: number
}
const most = limits.operatorMails
// indexes outgoing_mail_due and refused_mail_at
const queueState = crossTenantSql<QueueState>(
  'operators see the state of the mail queue',
  `select q.queued, q."oldestAt", coalesce(extract(epoch from now() - q."oldestAt"), 0)::float8 as "oldestSeconds",
     q.failing, r.refused from
   (select count(*) as queued, min(m.created_at) as "oldestAt", count(*) filter (where m.error is not null) as failing
    from (select k.created_at, k.error from outgoing_mail k order by k.next_at limit ${most}) m) q
   cross join (select count(*) as refused from (select 1 from refused_mail limit ${most}) f) r`,
)
export const readQueueState = ({ crossTenant }: Pick<Database, 'crossTenant'>): Promise<QueueState> =>
  crossTenant.one(queueState)

type MailFilters = { kind: string | null; state: string | null }
// indexes outgoing_mail_due and refused_mail_at
const someMails = `(
     (select m.id, m.organization_id as "organizationId", m.kind,
        case when m.error is null then 'QUEUED' else 'RETRYING' end as state, m.recipient, m.attempts, m.error,
        m.created_at as "queuedAt", m.next_at as "nextAt", null::timestamptz as "refusedAt"
      from outgoing_mail m order by m.next_at limit ${most})
     union all
     (select r.id, r.organization_id, r.kind, 'REFUSED', r.recipient, r.attempts, r.error, r.queued_at, null, r.refused_at
      from refused_mail r order by r.refused_at desc, r.id desc limit ${most})) w
   where ($kind::text is null or w.kind = $kind) and ($state::text is null or w.state = $state)`
const selectMails = crossTenantSql<OperatedMail, MailFilters & { limit: number; offset: number }>(
  'operators see the mail queue',
  `select * from ${someMails} order by w."queuedAt" desc, w.id desc limit $limit offset $offset`,
)
const countMails = crossTenantSql<{ total: number }, MailFilters>(
  'operators see the mail queue',
  `select count(*) as total from ${someMails}`,
)
/** The queued and the refused mails, newest first, and how many there are. */
export async function listMails(
  { crossTenant }: Pick<Database, 'crossTenant'>,
  { kind = null, state = null }: { kind?: string | null | undefined; state?: string | null | undefined },
  limit: number,
  offset: number,
): Promise<{ items: OperatedMail[]; total: number }> {
  const [items, counted] = await Promise.all([
    crossTenant.rows(selectMails, { kind, state, limit, offset }),
    crossTenant.one(countMails, { kind, state }),
  ])
  return { items, total: counted.total }
}

const deleteRefused = crossTenantSql<never>(
  'refused mails of all organizations are listed for some days',
  `delete from refused_mail where (organization_id, id) in (
     select f.organization_id, f.id from refused_mail f
     where f.refused_at < now() - interval '${limits.refusedMailDays} days' order by f.refused_at limit 1000)`,
)
export async function deleteOldRefusedMails({ crossTenant }: Pick<Database, 'crossTenant'>): Promise<void> {
  await crossTenant.rows(deleteRefused)
}

/** Whether this was the last attempt. */
export function isLastAttempt({ attempts }: LeasedMail): boolean {
  return attempts >= limits.mailAttempts
}
