import type { Database } from '#platform/data/database.ts'
import type { Tx } from '#platform/data/db.ts'
import { later } from '#platform/data/later.ts'
import { crossTenantSql, oneServerLock, sql } from '#platform/data/statement.ts'
import type { RecordAnswer } from './answer.ts'

/** The time in which a process sends a message; longer than the timeout of the tax office. */
const leaseSeconds = 180

export type DueChain = {
  organization_id: string
  issuer_nif: string
  answered_through: number
  /** Records up to this number were transmitted before, and their answer was lost. */
  tried_through: number
  failure_count: number
}
// index tax_record_chain_due
const claim = crossTenantSql<DueChain, { lease: string }>(
  'records of every organization are sent',
  `update tax_record_chain c set lease = $lease, next_send_at = now() + interval '${leaseSeconds} seconds'
   from (select organization_id, issuer_nif from tax_record_chain where next_send_at <= now()
     order by next_send_at limit 1
         ${oneServerLock('for no key update skip locked')}) due
   where c.organization_id = due.organization_id and c.issuer_nif = due.issuer_nif and c.next_send_at <= now()
   returning c.organization_id, c.issuer_nif, c.answered_through, c.tried_through, c.failure_count`,
)

/** Claims a chain that is due. No other process sends it until the lease ends. */
export function claimChain(database: Database, lease: string): Promise<DueChain | undefined> {
  return database.transactCrossTenant(tx => tx.first(claim, { lease }))
}

const markTried = sql<{ issuer_nif: string }, { issuerNif: string; lease: string; triedThrough: number }>(`
  update tax_record_chain c set tried_through = greatest(c.tried_through, $triedThrough)
  where c.organization_id = $organization and c.issuer_nif = $issuerNif and c.lease = $lease
  returning c.issuer_nif`)

/** Notes that records are about to be transmitted. Returns false if another process has the lease. */
export async function setTried(tx: Tx, issuerNif: string, lease: string, through: number): Promise<boolean> {
  return (await tx.first(markTried, { issuerNif, lease, triedThrough: through })) !== undefined
}

const lockLease = sql<{ issuer_nif: string }, { issuerNif: string; lease: string }>(`
  select c.issuer_nif from tax_record_chain c
  where c.organization_id = $organization and c.issuer_nif = $issuerNif and c.lease = $lease for update`)

/** Locks the chain; false if another process has its lease. */
export async function lockLeased(tx: Tx, issuerNif: string, lease: string): Promise<boolean> {
  return (await tx.first(lockLease, { issuerNif, lease })) !== undefined
}

export type AnsweredRecord = Pick<RecordAnswer, 'state' | 'errorCode' | 'errorText'> & { number: number }
const updateRecords = sql<never, { issuerNif: string; answers: string; csv: string | null }>(`
  update tax_record r set state = a.state, error_code = a."errorCode", error_text = a."errorText", csv = $csv,
    answered_at = now()
  from jsonb_to_recordset($answers::jsonb) as a(number bigint, state text, "errorCode" text, "errorText" text)
  where r.organization_id = $organization and r.issuer_nif = $issuerNif and r.number = a.number`)
// null stays null: sending was turned off in the meantime
const updateChain = sql<
  never,
  {
    issuerNif: string
    answeredThrough: number
    waitSeconds: number
    accepted: number
    withErrors: number
    rejected: number
    failure: string | null
    failureCount: number
  }
>(`
  update tax_record_chain c set answered_through = $answeredThrough,
    wait_until = now() + $waitSeconds * interval '1 second', lease = null,
    next_send_at = case when c.next_send_at is not null
      and c.last_number > $answeredThrough then ${later('now()', `$waitSeconds * interval '1 second'`)} end,
    accepted_count = c.accepted_count + $accepted,
    accepted_with_errors_count = c.accepted_with_errors_count + $withErrors,
    rejected_count = c.rejected_count + $rejected, last_failure = $failure, failure_count = $failureCount,
      last_attempt_at = now()
  where c.organization_id = $organization and c.issuer_nif = $issuerNif`)

/** Stores the answers to consecutive records of a locked chain; `failure` says why there are none, or not all. */
export async function setAnswers(
  tx: Tx,
  issuerNif: string,
  {
    answers,
    csv,
    answeredThrough,
    waitSeconds,
    failure,
    failureCount,
  }: {
    answers: readonly AnsweredRecord[]
    csv: string | null
    answeredThrough: number
    waitSeconds: number
    failure: string | null
    failureCount: number
  },
): Promise<void> {
  const count = (state: AnsweredRecord['state']) => answers.filter(answer => answer.state === state).length
  await Promise.all([
    tx.run(updateRecords, { issuerNif, answers: JSON.stringify(answers), csv }),
    tx.run(updateChain, {
      issuerNif,
      answeredThrough,
      waitSeconds,
      accepted: count('ACCEPTED'),
      withErrors: count('ACCEPTED_WITH_ERRORS'),
      rejected: count('REJECTED'),
      failure,
      failureCount,
    }),
  ])
}
