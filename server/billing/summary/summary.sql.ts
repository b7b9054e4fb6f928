import { limits } from '#contract/limits.ts'
import type { Db } from '#platform/data/db.ts'
import { sql } from '#platform/data/statement.ts'
import { dueCents, isUnpaid } from '../invoices/unpaid.sql.ts'

/** The ages of a debt, by the days since its due date. */
export type DebtAge = 'NOT_DUE' | 'DAYS_1_TO_30' | 'DAYS_31_TO_60' | 'OVER_60_DAYS'
/** How many unpaid invoices of one currency and age there are, and what is due. */
export type DueRow = { currency: string; age: DebtAge; count: number; cents: number }
/** The payments of one currency and month. */
export type CollectedRow = { currency: string; is_this_month: boolean; count: number; cents: number }

const today = `(now() at time zone 'utc')::date`
const some = `limit ${limits.invoicesSummed}`
const dueByAge = (invoices: string) => `
  select d.currency, d.age, count(*)::int as count, sum(d.cents)::bigint as cents from (
    select i.currency, ${dueCents('i')} as cents, case
        when i.due_date is null or i.due_date >= ${today} then 'NOT_DUE'
        when i.due_date >= ${today} - 30 then 'DAYS_1_TO_30'
        when i.due_date >= ${today} - 60 then 'DAYS_31_TO_60'
        else 'OVER_60_DAYS' end as age
    from ${invoices} and ${isUnpaid('i')} ${some}) d
  group by d.currency, d.age order by d.currency, d.age`
/** The newest invoices of a client. */
const ofClient = `select i.* from invoice i where i.organization_id = $organization and i.client_id = $clientId
      order by i.created_at desc, i.id desc ${some}`
// index invoice_unpaid
const dueOfAll = sql<DueRow>(dueByAge('invoice i where i.organization_id = $organization'))
// index invoice_of_client
const dueOfClient = sql<DueRow, { clientId: string }>(dueByAge(`(${ofClient}) i where true`))

const thisMonth = `date_trunc('month', now() at time zone 'utc') at time zone 'utc'`
const lastMonth = `(date_trunc('month', now() at time zone 'utc') - interval '1 month') at time zone 'utc'`
const nextMonth = `(date_trunc('month', now() at time zone 'utc') + interval '1 month') at time zone 'utc'`
const recent = `p.organization_id = $organization and p.paid_at >= ${lastMonth} and p.paid_at < ${nextMonth} and p.reversed_at is null`
const collectedByMonth = (payments: string) => `
  select r.currency, r.is_this_month, count(*)::int as count, sum(r.amount_cents)::bigint as cents from (
    ${payments} ${some}) r
  group by r.currency, r.is_this_month order by r.currency, r.is_this_month`
const selected = `select p.currency, p.amount_cents, p.paid_at >= ${thisMonth} as is_this_month from payment p`
// index payment_recent
const collectedOfAll = sql<CollectedRow>(collectedByMonth(`${selected} where ${recent}`))
// indexes invoice_of_client and payment_of: payments do not name the client
const collectedOfClient = sql<CollectedRow, { clientId: string }>(
  collectedByMonth(`${selected} join (${ofClient}) c on p.invoice_id = c.id
    where ${recent}`),
)
const day = sql<{ today: string }>(
  `select to_char(${today}, 'YYYY-MM-DD') as today where $organization::text is not null`,
)

/** The amounts due and the payments of two months, of all clients or of one, with the current day in UTC. */
export async function readSummary(
  db: Db,
  clientId: string | null,
): Promise<{ today: string; due: DueRow[]; collected: CollectedRow[] }> {
  const [due, collected, current] = await Promise.all([
    clientId === null ? db.rows(dueOfAll) : db.rows(dueOfClient, { clientId }),
    clientId === null ? db.rows(collectedOfAll) : db.rows(collectedOfClient, { clientId }),
    db.one(day),
  ])
  return { today: current.today, due, collected }
}
