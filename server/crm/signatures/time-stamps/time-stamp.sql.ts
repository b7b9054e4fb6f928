import type { TimeStampStatus } from '#contract/crm/time-stamps.ts'
import { limits } from '#contract/limits.ts'
import type { Database } from '#platform/data/database.ts'
import type { Db, Tx } from '#platform/data/db.ts'
import { insertInto } from '#platform/data/insert-into.ts'
import { later } from '#platform/data/later.ts'
import { crossTenantSql, oneServerLock, sql } from '#platform/data/statement.ts'

/** A stored time stamp; `reply` is the whole reply of the authority. */
export type TimeStampRow = {
  number: number
  evidence_hash: string
  stamped_at: string
  authority: string
  policy: string
  serial_number: string
  reply: Buffer
}

/** A chain that a worker has leased; `number` is the position that it has to stamp. */
export type ClaimedChain = { organization_id: string; number: number }

// the lease is longer than the timeout of the authority. The table has one row for each organization, and no index
const claim = crossTenantSql<ClaimedChain>(
  'a worker stamps the chains of all organizations in turn',
  `update signature_chain c set stamp_at = now() + interval '60 seconds'
   from (select organization_id from signature_chain where count > stamped_count and stamp_at <= now()
         order by stamp_at limit 1 ${oneServerLock('for no key update skip locked')}) due
   where c.organization_id = due.organization_id and c.stamp_at <= now()
   returning c.organization_id,
     least(c.count, c.stamped_count + ${limits.signaturesPerTimeStamp}) as number`,
)
/** Leases the chain that has waited longest. */
export function claimChain(database: Database): Promise<ClaimedChain | undefined> {
  return database.crossTenant.first(claim)
}

type NewTimeStamp = {
  number: number
  evidenceHash: string
  stampedAt: string
  authority: string
  policy: string
  serialNumber: string
  reply: Buffer
}
// two workers may stamp the same position when a lease expires: the first one counts
const insert = sql<never, NewTimeStamp>(`
  ${insertInto('signature_time_stamp', 'number, evidence_hash, stamped_at, authority, policy, serial_number, reply')}
  on conflict do nothing`)
// a chain that is not covered completely continues at once
const setStamped = sql<never, { number: number }>(`
  update signature_chain c set stamped_count = greatest(c.stamped_count, $number), stamp_failures = 0,
    stamp_failed_at = null,
    stamp_problem = null, stamp_at = case when c.count - c.stamped_count > ${limits.signaturesPerTimeStamp}
      then now() else ${later('now()', `interval '${limits.timeStampSeconds} seconds'`)} end
  where c.organization_id = $organization`)
/** Stores a time stamp and ends the lease. */
export async function insertTimeStamp(tx: Tx, row: TimeStampRow): Promise<void> {
  const { number, evidence_hash, stamped_at, authority, policy, serial_number, reply } = row
  await tx.run(insert, {
    number,
    evidenceHash: evidence_hash,
    stampedAt: stamped_at,
    authority,
    policy,
    serialNumber: serial_number,
    reply,
  })
  await tx.run(setStamped, { number })
}

// 15 seconds, then twice as long each time, an hour at most
const setFailed = sql<never, { problem: string }>(`
  update signature_chain c set stamp_failures = c.stamp_failures + 1, stamp_failed_at = now(), stamp_problem = $problem,
    stamp_at = ${later('now()', `least(interval '1 hour', interval '15 seconds' * power(2, least(c.stamp_failures, 10)))`)}
  where c.organization_id = $organization`)
/** Records a failure and ends the lease with a pause. */
export async function setStampFailed(
  tx: Tx,
  problem: NonNullable<TimeStampStatus['problem']>,
): Promise<void> {
  await tx.run(setFailed, { problem })
}

// primary key
const covering = sql<TimeStampRow, { number: number }>(`
  select t.number, t.evidence_hash, t.stamped_at, t.authority, t.policy, t.serial_number, t.reply
  from signature_time_stamp t where t.organization_id = $organization and t.number >= $number
  order by t.number limit 1`)
/** The first time stamp that covers a position of the chain. */
export function timeStampCovering(db: Db, number: number): Promise<TimeStampRow | undefined> {
  return db.first(covering, { number })
}

// index budget_signature_number
const newestBudgets = sql<{ budget_id: string }, { after: number; to: number; most: number }>(`
  select distinct b.budget_id from (
    select s.budget_id from budget_signature s
    where s.organization_id = $organization and s.number > $after and s.number <= $to
    order by s.number desc limit $most) b`)
/** The budgets of the newest signatures between two positions. */
export async function budgetsBetween(db: Db, after: number, to: number, most: number): Promise<string[]> {
  return (await db.rows(newestBudgets, { after, to, most })).map(row => row.budget_id)
}

type StatusRow = Omit<TimeStampStatus, 'isOn'>
const selectStatus = sql<StatusRow>(`
  select coalesce(c.count, 0) as signatures, coalesce(c.stamped_count, 0) as stamped,
    t.stamped_at as "lastStampedAt", t.authority, c.stamp_failed_at as "failedAt", c.stamp_problem as problem
  from organization o
  left join signature_chain c on c.organization_id = $organization
  left join signature_time_stamp t on t.organization_id = $organization and t.number = c.stamped_count
  where o.id = $organization`)
/** How far the chain of the organization is stamped. */
export function timeStampStatus(db: Db): Promise<StatusRow> {
  return db.one(selectStatus)
}
