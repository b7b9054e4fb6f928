import type { countPayments, Difference, Reconciliation } from '#contract/billing/reconciliation.ts'
import { limits } from '#contract/limits.ts'
import type { Reply } from '#contract/operation.ts'
import type { Database } from '#platform/data/database.ts'
import type { Db, Tx } from '#platform/data/db.ts'
import { crossTenantSql, oneServerLock, sql } from '#platform/data/statement.ts'
import { newId } from '#platform/ids.ts'
import type { LedgerDifference, LedgerTotal } from './reconciliation.rules.ts'

const maxShown = limits.reconciliationShown
// not REQUIRES_ACTION: such an attempt waits for its payer; a bank takes days for a direct debit
const isStuck = `a.state in ('CREATED', 'CONFIRMING', 'PROCESSING', 'CANCELING') and a.kind <> 'DIRECT_DEBIT'
    and a.created_at < now() - interval '1 hour'`
const columns = `d.id, d.kind, d.day, d.gateway_object_id as "gatewayObjectId",
  d.local_cents as "hereCents", d.gateway_cents as "thereCents", d.currency, d.detected_at as "foundAt"`
// index gateway_difference_open
const selectOpen = sql<Difference>(`
  select ${columns} from gateway_difference d where d.organization_id = $organization and d.settled_at is null
  order by d.detected_at, d.id limit ${maxShown}`)
// index invoice_overpaid
const selectOverpaid = sql<Reconciliation['overpaid'][number]>(`
  select i.id as "invoiceId", i.number, i.currency, i.overpaid_cents as "overpaidCents",
    i.refunded_cents as "refundedCents"
  from invoice i where i.organization_id = $organization and i.overpaid_cents > i.refunded_cents
  order by i.id limit ${maxShown}`)
// index charge_attempt_open
const selectStuck = sql<Reconciliation['stuck'][number]>(`
  select a.id as "chargeId", a.invoice_id as "invoiceId", a.amount_cents as "amountCents", a.currency,
    a.created_at as "createdAt"
  from charge_attempt a where a.organization_id = $organization and ${isStuck}
  order by a.invoice_id limit ${maxShown}`)
const isUnanswered = `p.state = 'SENT' and p.requested_at < now() - interval '1 hour'`
// index refund_part_requested
const selectStuckRefunds = sql<Reconciliation['stuckRefunds'][number]>(`
  select p.refund_id as "refundId", r.invoice_id as "invoiceId", p.amount_cents as "amountCents", r.currency,
    p.requested_at as "askedAt"
  from refund_part p join refund r on r.organization_id = $organization and r.id = p.refund_id
  where p.organization_id = $organization and ${isUnanswered} order by p.requested_at limit ${maxShown}`)
// index payment_disputed
const selectDisputed = sql<Reconciliation['disputed'][number]>(`
  select m.id as "paymentId", m.invoice_id as "invoiceId", m.amount_cents as "amountCents", m.currency
  from payment m where m.organization_id = $organization and m.is_disputed order by m.id limit ${maxShown}`)
// the indexes of the lists above, and refund_part_requested
const count = sql<Reply<typeof countPayments>>(`
  select
    (select count(*)::int from gateway_difference d
      where d.organization_id = $organization and d.settled_at is null) as differences,
    (select count(*)::int from invoice i where i.organization_id = $organization
      and i.overpaid_cents > i.refunded_cents)
      as "overpaidInvoices",
    (select count(*)::int from charge_attempt a where a.organization_id = $organization
      and ${isStuck}) as "stuckCharges",
    (select count(*)::int from refund_part p where p.organization_id = $organization
      and ${isUnanswered}) as "stuckRefunds",
    (select count(*)::int from payment m where m.organization_id = $organization
      and m.is_disputed) as "disputedPayments"
  from organization o where o.id = $organization`)
// the whole partial indexes charge_attempt_open and refund_part_requested, which have rows in progress only
const countStuck = crossTenantSql<{ stuckCharges: number; stuckRefunds: number }>(
  'operators see that payments are stuck, without naming an organization',
  `select (select count(*) from charge_attempt a where ${isStuck}) as "stuckCharges",
     (select count(*) from refund_part p where ${isUnanswered}) as "stuckRefunds"`,
)
// the partial index gateway_difference_open
const countOpen = crossTenantSql<{ differences: number }>(
  'operators see that the ledger and the gateways differ, without naming an organization',
  `select count(*) as differences
   from (select 1 from gateway_difference d where d.settled_at is null limit ${limits.overviewCount}) o`,
)
const settle = sql<Difference, { id: string; by: string; reason: string }>(`
  update gateway_difference d set settled_at = now(), settled_by = $by, settled_reason = $reason
  where d.organization_id = $organization and d.id = $id and d.settled_at is null returning ${columns}`)
// index ledger_of_gateway
const selectTotals = sql<
  { object_id: string; kind: LedgerTotal['kind']; cents: number; currency: string; at: string },
  { accountId: string; from: string; to: string }
>(`
  select l.gateway_object_id as object_id, min(l.kind) as kind, sum(l.amount_cents)::bigint as cents,
    min(l.currency) as currency, max(l.at) as at
  from ledger_entry l
  where l.organization_id = $organization and l.gateway_account_id = $accountId and l.at >= $from and l.at < $to
  group by l.gateway_object_id`)
const insert = sql<never, { accountId: string; rows: string }>(`
  insert into gateway_difference (organization_id, id, gateway_account_id, day, kind, gateway_object_id, local_cents,
    gateway_cents, currency)
  select $organization, f.id, $accountId, f.day::date, f.kind, f."objectId", f."localCents", f."gatewayCents", f.currency
  from jsonb_to_recordset($rows::jsonb) as f(id text, day text, kind text, "objectId" text, "localCents" bigint,
    "gatewayCents" bigint, currency text)
  on conflict do nothing returning id`)
// index gateway_difference_open
const selectObjects = sql<{ id: string }, { accountId: string }>(`
  select distinct d.gateway_object_id as id from gateway_difference d
  where d.organization_id = $organization and d.gateway_account_id = $accountId and d.settled_at is null`)
// index charge_attempt_at_gateway, constraint gateway_difference_once
const selectKnown = sql<{ id: string }, { accountId: string; intentIds: string[] }>(`
  select a.payment_intent_id as id from charge_attempt a
  where a.organization_id = $organization and a.gateway_account_id = $accountId
    and a.payment_intent_id = any($intentIds)
  union
  select d.gateway_object_id from gateway_difference d
  where d.organization_id = $organization and d.gateway_account_id = $accountId
    and d.gateway_object_id = any($intentIds)`)
const selectForeign = sql<{ movements: number }>(`
  select coalesce(sum(g.foreign_movements), 0)::int as movements from gateway_account g
  where g.organization_id = $organization and g.status <> 'DISABLED'`)
const setForeign = sql<never, { accountId: string; movements: number }>(`
  update gateway_account g set foreign_movements = $movements
  where g.organization_id = $organization and g.id = $accountId and g.foreign_movements <> $movements`)
// constraint gateway_difference_once
const settleFound = sql<never, { accountId: string; objectIds: string[] }>(`
  update gateway_difference d set settled_at = now()
  where d.organization_id = $organization and d.gateway_account_id = $accountId
    and d.gateway_object_id = any($objectIds) and d.settled_at is null`)
// index gateway_account_reconcile
const claim = crossTenantSql<{ organization_id: string; id: string }, { most: number }>(
  'the worker reconciles the accounts of all organizations each night',
  `update gateway_account g set reconciled_on = (now() at time zone 'utc')::date
   from (select organization_id, id from gateway_account
         where status = 'READY' and (reconciled_on is null or reconciled_on < (now() at time zone 'utc')::date)
         order by reconciled_on nulls first limit $most ${oneServerLock('for no key update skip locked')}) due
   where g.organization_id = due.organization_id and g.id = due.id
     and (g.reconciled_on is null or g.reconciled_on < (now() at time zone 'utc')::date)
   returning g.organization_id, g.id`,
)

/** Everything in an organization that needs attention. */
export async function loadReconciliation(db: Db): Promise<Reconciliation> {
  const [differences, overpaid, stuck, stuckRefunds, disputed, foreign] = await Promise.all([
    db.rows(selectOpen),
    db.rows(selectOverpaid),
    db.rows(selectStuck),
    db.rows(selectStuckRefunds),
    db.rows(selectDisputed),
    db.one(selectForeign),
  ])
  const foreignMovements = foreign.movements
  return { differences, overpaid, stuck, stuckRefunds, disputed, foreignMovements }
}

/** The counts of the same; undefined for an unknown organization. */
export function countPaymentProblems(db: Db): Promise<Reply<typeof countPayments> | undefined> {
  return db.first(count)
}

/** Undefined when the difference does not exist or is settled. */
export function markSettled(
  tx: Tx,
  id: string,
  { by, reason }: { by: string; reason: string },
): Promise<Difference | undefined> {
  return tx.first(settle, { id, by, reason })
}

/** The amount that each gateway object moved in a period, according to the ledger. */
export async function ledgerTotals(
  db: Db,
  accountId: string,
  { from, to }: { from: Date; to: Date },
): Promise<Map<string, LedgerTotal>> {
  const rows = await db.rows(selectTotals, { accountId, from: from.toISOString(), to: to.toISOString() })
  return new Map(rows.map(({ object_id, at, ...moved }) => [object_id, { ...moved, atMs: Date.parse(at) }]))
}

/** The intents that were created here or already have a difference. */
export async function filterKnownIntents(db: Db, accountId: string, intentIds: string[]): Promise<string[]> {
  if (intentIds.length === 0) return []
  return (await db.rows(selectKnown, { accountId, intentIds })).map(({ id }) => id)
}

/** Stores differences, each once, and the number of foreign movements. */
export async function insertDifferences(
  tx: Tx,
  accountId: string,
  { differences, foreign }: { differences: LedgerDifference[]; foreign: number },
): Promise<void> {
  await tx.run(setForeign, { accountId, movements: foreign })
  if (differences.length === 0) return
  await tx.run(insert, {
    accountId,
    rows: JSON.stringify(differences.map(each => ({ id: newId(), ...each }))),
  })
}

/** The gateway objects of an account with an open difference. */
export async function listOpenObjects(db: Db, accountId: string): Promise<string[]> {
  return (await db.rows(selectObjects, { accountId })).map(({ id }) => id)
}

/** Settles differences on which both sides agree now. */
export async function settleFoundDifferences(tx: Tx, accountId: string, objectIds: string[]): Promise<void> {
  await tx.run(settleFound, { accountId, objectIds })
}

/** Claims accounts that were not reconciled today. */
export function claimUnreconciled(
  database: Database,
  most: number,
): Promise<{ organization_id: string; id: string }[]> {
  return database.transactCrossTenant(tx => tx.rows(claim, { most }))
}

/** The stuck payments of all organizations (OPR-11). */
export function countStuckPayments({
  crossTenant,
}: Pick<Database, 'crossTenant'>): Promise<{ stuckCharges: number; stuckRefunds: number }> {
  return crossTenant.one(countStuck)
}

/** The open differences of all organizations. */
export async function countOpenDifferences({ crossTenant }: Pick<Database, 'crossTenant'>): Promise<number> {
  return (await crossTenant.one(countOpen)).differences
}
