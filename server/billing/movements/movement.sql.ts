import type { PaymentStatus } from '#contract/billing/movements.ts'
import { limits } from '#contract/limits.ts'
import type { Db } from '#platform/data/db.ts'
import { pageWithTotal, type RowWithTotal } from '#platform/data/page-with-total.ts'
import { sql } from '#platform/data/statement.ts'
import { type ListedAttemptRow, listedAttemptColumns } from '../charges/charge.row.ts'
import type { PaymentRow } from '../payments/payment-list.sql.ts'
import { type ShownRefundRow, shownRefundColumns } from '../refunds/refund.row.ts'
import type { MovementFilters, MovementSearch } from './movement.rules.ts'

// Payments, charges and refunds are listed over all invoices in the same way. Each table has one index for its list, in the
// order of the list, because every payment pays for an index. Filters read the newest entries of this index, which
// contains what they compare; their number is limited, so that a rare value has a bounded cost.

/** The invoice of a payment, charge or refund. */
export type MovementInvoice = {
  invoice_id: string
  invoice_number: string | null
  client_id: string
  client_name: string
}
/** The entries of one table, for the alias `m`. */
type MovementTable = {
  table: 'payment' | 'charge_attempt' | 'refund'
  time: 'paid_at' | 'created_at'
  /** The status that callers see. */
  status: string
  /** Columns of the index besides the time and the id: the currency, the amount, what `status` reads, and the method. */
  indexed: readonly string[]
  /** The select list of an entry, besides its invoice. */
  columns: string
  /** The ids of entries whose references begin with the searched text, also in capital letters. */
  references: string
}
type SingleArgs = { from: string | null; to: string | null; limit: number; offset: number }
type FilteredArgs = SingleArgs & { status: string | null; currency: string | null; method: string | null }
type SearchArgs = FilteredArgs & MovementSearch

const some = `limit ${limits.invoicesCounted}`
const columnsOf = (...names: string[]) => names.map(name => `m.${name}`).join(', ')

/** The list of the entries of a table, the newest first. */
function movementList<Row extends { id: string }>({
  table,
  time,
  status,
  indexed,
  columns,
  references,
}: MovementTable) {
  const within = `m.${time} >= coalesce($from::timestamptz, '-infinity') and m.${time} <= coalesce($to::timestamptz, 'infinity')`
  const newest = (most: number) => `
    select m.id, m.${time}, ${columnsOf(...indexed)} from ${table} m
    where m.organization_id = $organization and ${within}
    order by m.${time} desc, m.id desc limit ${most}`
  const matches = `($status::text is null or ${status} = $status) and ($currency::text is null or m.currency = $currency)
    and ($method::text is null or ${indexed.includes('method') ? 'm.method = $method' : 'false'})`
  // one by one: the planner must not scan more while a table has no statistics
  const entryOfId = `select k.* from ${table} k where k.organization_id = $organization and k.id = n.id offset 0`
  const page = `
    select t.total, p.* from (select count(*)::int as total from fit) t left join (
      select ${columns}, m.invoice_id, i.number as invoice_number, i.client_id, c.name as client_name, n.at
      from (select f.id, f.at from fit f order by f.at desc, f.id desc limit $limit offset $offset) n
      cross join lateral (${entryOfId}) m
      cross join lateral (
        select v.number, v.client_id from invoice v
        where v.organization_id = $organization and v.id = m.invoice_id offset 0) i
      cross join lateral (
        select d.name from crm_client d where d.organization_id = $organization
          and d.id = i.client_id offset 0) c) p on true
    order by p.at desc, p.id desc`
  const matching = (near: string) => `
    with near as materialized (${near}),
    fit as materialized (
      select m.id, m.${time} as at from near n cross join lateral (${entryOfId}) m where ${matches} and ${within})
    ${page}`
  const ofInvoices = (invoices: string) => `
    select m.id from (${invoices}) i cross join lateral (
      select m.id from ${table} m where m.organization_id = $organization
        and m.invoice_id = i.id ${some}) m ${some}`

  const all = sql<RowWithTotal<Row>, SingleArgs>(`
    with fit as materialized (select m.id, m.${time} as at from (${newest(limits.invoicesCounted)}) m) ${page}`)
  const filtered = sql<RowWithTotal<Row>, FilteredArgs>(`
    with fit as materialized (
      select m.id, m.${time} as at from (${newest(limits.billingRowsExamined)}) m where ${matches}
      order by m.${time} desc, m.id desc ${some})
    ${page}`)
  // indexes invoice_numbered, crm_client_search, invoice_of_client and that of the list
  const sought = sql<RowWithTotal<Row>, SearchArgs>(
    matching(`
      (${references})
      union (select m.id from (${newest(limits.billingRowsExamined)}) m
        where $cents::bigint is not null and m.amount_cents = $cents ${some})
      union (${ofInvoices(`
        select i.id from invoice i where i.organization_id = $organization and i.number ~>=~ $capitalsFrom
          and i.number ~<~ $capitalsTo ${some}`)})
      union (${ofInvoices(`
        select i.id from (
          select c.id from crm_client c where c.organization_id = $organization and c.search like $clients
          limit ${limits.invoiceClientsSought}) c
        cross join lateral (
          select i.id from invoice i where i.organization_id = $organization
            and i.client_id = c.id ${some}) i ${some}`)})`),
  )

  return async (
    db: Db,
    { from, to, status, currency, method, search }: MovementFilters,
    { limit, offset }: { limit: number; offset: number },
  ): Promise<{ rows: Row[]; total: number }> => {
    const range: SingleArgs = { from, to, limit, offset }
    const further: FilteredArgs = { ...range, status, currency, method }
    if (search) return pageWithTotal(await db.rows(sought, { ...further, ...search }))
    const hasFilter = status !== null || currency !== null || method !== null
    return pageWithTotal(await (hasFilter ? db.rows(filtered, further) : db.rows(all, range)))
  }
}

export type ListedPaymentRow = PaymentRow & MovementInvoice & { status: PaymentStatus; currency: string }
export type ListedChargeRow = ListedAttemptRow & MovementInvoice
export type ListedRefundRow = ShownRefundRow & MovementInvoice & { gateway_refund_ids: string[] }

const begins = (text: string, from: string, to: string) => `${text} ~>=~ ${from} and ${text} ~<~ ${to}`

const paymentStatus = `(case when m.reversed_at is not null then 'REVERSED' when m.is_disputed then 'DISPUTED'
  when m.refunded_cents >= m.amount_cents then 'REFUNDED' when m.refunded_cents > 0 then 'PARTIALLY_REFUNDED'
  else 'RECEIVED' end)`
/** Index payment_recent; see references. */
export const listPayments = movementList<ListedPaymentRow>({
  table: 'payment',
  time: 'paid_at',
  // the first that applies (PAY-11)
  status: paymentStatus,
  indexed: ['method', 'currency', 'amount_cents', 'refunded_cents', 'is_disputed', 'reversed_at'],
  columns: `${columnsOf(
    'id',
    'method',
    'amount_cents',
    'refunded_cents',
    'paid_at',
    'reference',
    'payment_intent_id',
    'created_at',
    'reversed_at',
    'currency',
  )}, ${paymentStatus} as status`,
  // indexes payment_at_gateway and payment_referenced
  references: `(select m.id from payment m
      where m.organization_id = $organization and ${begins('m.payment_intent_id', '$textFrom', '$textTo')} ${some})
    union (select m.id from payment m
      where m.organization_id = $organization
        and ${begins('upper(m.reference)', '$capitalsFrom', '$capitalsTo')} ${some})`,
})

/** Index charge_attempt_recent; see references. */
export const listCharges = movementList<ListedChargeRow>({
  table: 'charge_attempt',
  time: 'created_at',
  // chargeStatusOf in charge.rules.ts computes the same
  status: `(case when m.state in ('SUCCEEDED', 'REQUIRES_ACTION', 'FAILED') then m.state
    when m.state = 'CANCELING' and m.failure_code is not null then 'FAILED' else 'PROCESSING' end)`,
  indexed: ['currency', 'amount_cents', 'state', 'failure_code'],
  columns: columnsOf(...listedAttemptColumns),
  // index charge_attempt_at_gateway
  references: `select m.id from charge_attempt m
    where m.organization_id = $organization and ${begins('m.payment_intent_id', '$textFrom', '$textTo')} ${some}`,
})

/** Index refund_recent; see references. */
export const listRefunds = movementList<ListedRefundRow>({
  table: 'refund',
  time: 'created_at',
  status: 'm.status',
  indexed: ['currency', 'amount_cents', 'status'],
  // index refund_part_of
  columns: `${columnsOf(...shownRefundColumns.filter(name => name !== 'invoice_id'))}, array(
    select p.gateway_refund_id from refund_part p
    where p.organization_id = $organization and p.refund_id = m.id and p.gateway_refund_id is not null
    order by p.id) as gateway_refund_ids`,
  // index refund_part_of_gateway
  references: `select p.refund_id as id from refund_part p
    where p.organization_id = $organization and ${begins('p.gateway_refund_id', '$textFrom', '$textTo')} ${some}`,
})
