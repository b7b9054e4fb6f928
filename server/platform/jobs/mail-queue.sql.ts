import { limits } from '#contract/limits.ts'
import type { Database, Tx } from '../data/database.ts'
import { crossTenantSql, sql } from '../data/statement.ts'

/** A mail that this process is sending. No other process takes it before `next_at`. */
export type LeasedMail = { organizationId: string; id: string; kind: string; data: unknown; attempts: number }

/** Doubles after each attempt, from two minutes to an hour. No attempt takes that long. */
const retryDelay = (attempts: string) =>
  `make_interval(mins => least(60, 2 ^ least(${attempts}, 6))::integer)`

const insert = sql<never, [id: string, kind: string, data: string, attempts: number]>(`
  insert into outgoing_mail (organization_id, id, kind, data, attempts, next_at)
  values ($1, $2, $3, $4::jsonb, $5::integer,
    clock_timestamp() + case when $5::integer = 0 then interval '0' else ${retryDelay('$5::integer')} end)`)

/** Queues a mail. With one attempt it is leased to this process. */
export async function insertMail(
  tx: Tx,
  mail: { id: string; kind: string; data: unknown; attempts: 0 | 1 },
): Promise<void> {
  await tx.run(insert, mail.id, mail.kind, JSON.stringify(mail.data), mail.attempts)
}

/**
 * The same within another statement: inserts the mails that `source` selects, with the columns
 * organization_id, id, kind and data.
 */
export function insertMailsFrom(source: string): string {
  return `insert into outgoing_mail (organization_id, id, kind, data, attempts, next_at)
    select s.organization_id, s.id, s.kind, s.data, 0, clock_timestamp() from (${source}) s`
}

// index outgoing_mail_due
const leaseDue = crossTenantSql<LeasedMail, [most: number]>(
  'a worker sends the mails of every organization',
  `with due as (
     select m.organization_id, m.id from outgoing_mail m where m.next_at <= clock_timestamp()
     order by m.next_at limit $1 for update skip locked
   )
   update outgoing_mail m set attempts = m.attempts + 1, next_at = clock_timestamp() + ${retryDelay('m.attempts + 1')}
   from due where m.organization_id = due.organization_id and m.id = due.id
   returning m.organization_id as "organizationId", m.id, m.kind, m.data, m.attempts`,
)

/** Leases mails that are due. Each becomes due again after a while, in case the process dies. */
export function leaseMails(
  { crossTenant }: Pick<Database, 'crossTenant'>,
  most: number,
): Promise<LeasedMail[]> {
  return crossTenant.rows(leaseDue, most)
}

// another process may have leased it since
const remove = sql<never, [id: string, attempts: number]>(
  'delete from outgoing_mail m where m.organization_id = $1 and m.id = $2 and m.attempts = $3',
)

/** Deletes a mail that was sent or given up. False if that has already happened. */
export async function removeMail(tx: Tx, { id, attempts }: LeasedMail): Promise<boolean> {
  return (await tx.run(remove, id, attempts)) > 0
}

/** Whether this was the last attempt. */
export function isLastAttempt({ attempts }: LeasedMail): boolean {
  return attempts >= limits.mailAttempts
}
