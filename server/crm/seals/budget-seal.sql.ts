import type { BudgetSeal } from '#contract/crm/seals.ts'
import type { Database } from '#platform/data/database.ts'
import type { Db, Tx } from '#platform/data/db.ts'
import { later } from '#platform/data/later.ts'
import { crossTenantSql, oneServerLock, sql } from '#platform/data/statement.ts'

type SealProblem = NonNullable<NonNullable<BudgetSeal['seal']>['problem']>

const insert = sql<never, { budgetId: string; signatureId: string }>(`
  insert into budget_seal (organization_id, budget_id, signature_id)
  select $organization, $budgetId, $signatureId from seal_certificate c where c.organization_id = $organization`)
/** Lets a worker seal a budget that was just signed. False if the organization has no certificate. */
export async function queueSeal(tx: Tx, budgetId: string, signatureId: string): Promise<boolean> {
  return (await tx.run(insert, { budgetId, signatureId })) > 0
}

/** A seal that a worker has leased. */
export type ClaimedSeal = {
  organization_id: string
  budget_id: string
  signature_id: string
  is_first_attempt: boolean
}
// the lease is longer than a task in another thread may take. Index budget_seal_due
const claim = crossTenantSql<ClaimedSeal>(
  'a worker seals the budgets of all organizations in turn',
  `update budget_seal s set seal_at = now() + interval '60 seconds'
   from (select organization_id, budget_id from budget_seal where sha256 is null and seal_at <= now()
         order by seal_at limit 1 ${oneServerLock('for no key update skip locked')}) due
   where s.organization_id = due.organization_id and s.budget_id = due.budget_id
     and s.sha256 is null and s.seal_at <= now()
   returning s.organization_id, s.budget_id, s.signature_id, s.failures = 0 as is_first_attempt`,
)
/** Leases the seal that has waited longest. */
export function claimSeal(database: Database): Promise<ClaimedSeal | undefined> {
  return database.crossTenant.first(claim)
}

type Sealed = { sha256: string; subject: string; hasTimeStamp: boolean }
const setDone = sql<never, { budgetId: string; sha256: string; subject: string; hasTimeStamp: boolean }>(`
  update budget_seal s set sha256 = $sha256, subject = $subject, has_time_stamp = $hasTimeStamp,
    sealed_at = now(), problem = null
  where s.organization_id = $organization and s.budget_id = $budgetId and s.sha256 is null`)
/** Stores the sealed document. False if another worker did. */
export async function setSealed(tx: Tx, budgetId: string, sealed: Sealed): Promise<boolean> {
  return (
    (await tx.run(setDone, {
      budgetId,
      sha256: sealed.sha256,
      subject: sealed.subject,
      hasTimeStamp: sealed.hasTimeStamp,
    })) > 0
  )
}

// without a certificate that is valid, only another one helps; else 15 seconds, then twice as long each time, an hour at most
const setFailed = sql<never, { budgetId: string; problem: string }>(`
  update budget_seal s set failures = s.failures + 1, problem = $problem,
    seal_at = case when $problem in ('NO_CERTIFICATE', 'CERTIFICATE_NOT_VALID') then 'infinity'
      else ${later('now()', `least(interval '1 hour', interval '15 seconds' * power(2, least(s.failures, 10)))`)} end
  where s.organization_id = $organization and s.budget_id = $budgetId and s.sha256 is null`)
/** Records a failed attempt. */
export async function setSealFailed(tx: Tx, budgetId: string, problem: SealProblem): Promise<void> {
  await tx.run(setFailed, { budgetId, problem })
}

// index budget_seal_waiting
const retry = sql(
  'update budget_seal s set seal_at = now() where s.organization_id = $organization and s.sha256 is null',
)
/** Lets all waiting seals be tried at once, because the certificate changed. */
export async function retrySeals(tx: Tx): Promise<void> {
  await tx.run(retry)
}

type SealRow = Omit<NonNullable<BudgetSeal['seal']>, 'status'> & { sha256: string | null }
const select = sql<SealRow, { budgetId: string }>(`
  select s.sealed_at as "sealedAt", s.subject, s.has_time_stamp as "hasTimeStamp", s.problem, s.sha256
  from budget_seal s where s.organization_id = $organization and s.budget_id = $budgetId`)
/** The seal of a budget; undefined if it gets none. */
export function sealOf(db: Db, budgetId: string): Promise<SealRow | undefined> {
  return db.first(select, { budgetId })
}
