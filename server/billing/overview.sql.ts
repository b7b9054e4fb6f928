import type { Overview } from '#contract/identity/overview.ts'
import { limits } from '#contract/limits.ts'
import { nowMs } from '#platform/clock.ts'
import type { Db } from '#platform/data/db.ts'
import { sql } from '#platform/data/statement.ts'
import type { Caller } from '#platform/http/caller.ts'
import { firstId } from '#platform/ids.ts'
import { mayReadBudgets } from './budgets/invoice-of-budget.rules.ts'
import { countUninvoicedBudgets } from './budgets/uninvoiced-budget.sql.ts'
import { dueCents, isUnpaid } from './invoices/unpaid.sql.ts'

type Invoices = NonNullable<Overview['invoices']>
type OpenInvoices = Omit<Invoices['dueByAge'][number], 'currency'> & {
  currency: string
  count: number
  overdue: number
  oldestDueDate: string | null
}
type Summary = {
  open: OpenInvoices[]
  collected: Invoices['collectedThisMonth']
  movements: number
  differences: number
}

const most = limits.overviewCount
const today = `(now() at time zone 'UTC')::date`
const monthStart = `date_trunc('month', now() at time zone 'UTC') at time zone 'UTC'`
const dueOn = (condition: string) => `coalesce(sum(i.cents) filter (where ${condition}), 0)`

// Indexes invoice_unpaid and gateway_difference_open, and the primary key of the ledger from the first id on. One more row than counts
// shows that there are more
const summary = sql<Summary, { firstEntryId: string }>(`
  with open as (
    select i.currency, count(*) as count, count(*) filter (where i.due_date < ${today}) as overdue,
      min(i.due_date) filter (where i.due_date < ${today}) as oldest,
      ${dueOn(`i.due_date >= ${today} or i.due_date is null`)} as not_due,
      ${dueOn(`i.due_date < ${today} and i.due_date >= ${today} - 30`)} as to30,
      ${dueOn(`i.due_date < ${today} - 30 and i.due_date >= ${today} - 60`)} as to60,
      ${dueOn(`i.due_date < ${today} - 60`)} as over60
    from (
      select v.currency, v.due_date, ${dueCents('v')} as cents
      from invoice v
      where v.organization_id = $organization and ${isUnpaid('v')}
      order by v.due_date, v.id limit ${most + 1}) i
    group by i.currency
  ), collected as (
    select l.currency, count(*) as count, sum(l.amount_cents) as cents
    from (
      select e.currency, e.amount_cents from ledger_entry e
      where e.organization_id = $organization and e.id >= $firstEntryId and e.at >= ${monthStart}
        limit ${most + 1}) l
    group by l.currency
  )
  select
    (select coalesce(json_agg(json_build_object('currency', o.currency, 'count', o.count, 'overdue', o.overdue,
       'oldestDueDate', o.oldest, 'notDueCents', o.not_due, 'to30Cents', o.to30, 'to60Cents', o.to60,
       'over60Cents', o.over60) order by o.currency), '[]') from open o) as open,
    (select coalesce(json_agg(json_build_object('currency', c.currency, 'cents', c.cents)
      order by c.currency), '[]')
     from collected c) as collected,
    (select coalesce(sum(c.count), 0)::int from collected c) as movements,
    (select count(*) from (
       select from gateway_difference g where g.organization_id = $organization and g.settled_at is null
         limit ${most}) f) as differences`)

// the first moment of a month is at most 31 days ago; a day more covers clocks that differ
const longestMonthMs = 32 * 86_400_000

type BillingOverview = Pick<Overview, 'invoices' | 'differences'> & {
  budgets?: Pick<NonNullable<Overview['budgets']>, 'signed'>
}

/**
 * The part of this area in the overview of a person (HOM-2). For a caller who may also read budgets, it replaces the count of
 * signed budgets, because crm may not read invoices.
 */
export async function billingOverview(db: Db, caller: Caller): Promise<BillingOverview> {
  if (!caller.modules.has('finance') || !caller.permissions.has('BILLING_VIEW')) return {}
  const [row, uninvoicedBudgets] = await Promise.all([
    db.one(summary, { firstEntryId: firstId(nowMs() - longestMonthMs) }),
    mayReadBudgets(caller) ? countUninvoicedBudgets(db) : undefined,
  ])
  return {
    invoices: showInvoices(row),
    differences: row.differences,
    ...(uninvoicedBudgets !== undefined && { budgets: { signed: uninvoicedBudgets } }),
  }
}

function showInvoices({ open, collected, movements }: Summary): Invoices {
  const overdue = open.filter(each => each.overdue > 0)
  return {
    overdue: Math.min(
      sumOf(overdue, each => each.overdue),
      most,
    ),
    oldestDueDate: overdue.flatMap(each => each.oldestDueDate ?? []).sort()[0] ?? null,
    overdueAmounts: overdue.map(({ currency, to30Cents, to60Cents, over60Cents }) => ({
      currency,
      cents: to30Cents + to60Cents + over60Cents,
    })),
    dueByAge: open.map(({ currency, notDueCents, to30Cents, to60Cents, over60Cents }) => ({
      currency,
      notDueCents,
      to30Cents,
      to60Cents,
      over60Cents,
    })),
    collectedThisMonth: collected,
    areSumsPartial: sumOf(open, each => each.count) > most || movements > most,
  }
}

function sumOf<Item>(items: readonly Item[], numberOf: (item: Item) => number): number {
  return items.reduce((sum, item) => sum + numberOf(item), 0)
}
