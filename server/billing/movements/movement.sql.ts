import type { PaymentStatus } from '#contract/billing/movements.ts'
import { limits } from '#contract/limits.ts'
import type { Db } from '#platform/data/database.ts'
import { sql } from '#platform/data/statement.ts'
import { type ListedAttemptRow, listedAttemptColumns } from '../charges/charge.row.ts'
import type { PaymentRow } from '../payments/payment-list.sql.ts'
import { type ShownRefundRow, shownRefundColumns } from '../refunds/refund.row.ts'
import type { MovementFilters, MovementSearch } from './movement.rules.ts'

// Payments, charges and refunds are listed over all invoices in the same way. A list reads the newest entries of one
// filter from its index; further filters apply to those entries only, which bounds the work.

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
  /** The status that callers see, as its index has it. */
  status: string
  /** The select list of an entry, besides its invoice. */
  columns: string
  /** The ids of entries whose references begin with the range $9 to $10, or in capital letters with $11 to $12. */
  references: string
}
type SingleArgs = [from: string | null, to: string | null, limit: number, offset: number]
type ValueArgs = [...SingleArgs, value: string]
type CombinedArgs = [...SingleArgs, status: string | null, currency: string | null, method: string | null]
type SearchArgs = [...CombinedArgs, ...MovementSearch]
/** An empty page has one row, which contains only the total. */
type MovementPageRow<Row> = { total: number } & ((Row & { at: string }) | { id: null })

const some = `limit ${limits.invoicesCounted}`

/** The list of the entries of a table, the newest first. */
function movementList<Row extends { id: string }>({
  table,
  time,
  status,
  columns,
  references,
}: MovementTable) {
  const within = `m.${time} >= coalesce($2::timestamptz, '-infinity') and m.${time} <= coalesce($3::timestamptz, 'infinity')`
  const newest = (condition: string) => `
    select m.id, m.${time} as at from ${table} m where m.organization_id = $1 and ${condition} and ${within}
    order by m.${time} desc, m.id desc ${some}`
  // one by one: the planner must not scan more while a table has no statistics
  const entryOfId = `select k.* from ${table} k where k.organization_id = $1 and k.id = n.id offset 0`
  const page = `
    select t.total, p.* from (select count(*)::int as total from fit) t left join (
      select ${columns}, m.invoice_id, i.number as invoice_number, i.client_id, c.name as client_name, n.at
      from (select f.id, f.at from fit f order by f.at desc, f.id desc limit $4 offset $5) n
      cross join lateral (${entryOfId}) m
      cross join lateral (
        select v.number, v.client_id from invoice v where v.organization_id = $1 and v.id = m.invoice_id offset 0) i
      cross join lateral (
        select d.name from crm_client d where d.organization_id = $1 and d.id = i.client_id offset 0) c) p on true
    order by p.at desc, p.id desc`
  const matching = (near: string) => `
    with near as materialized (${near}),
    fit as materialized (
      select m.id, m.${time} as at from near n cross join lateral (${entryOfId}) m
      where ($6::text is null or ${status} = $6) and ($7::text is null or m.currency = $7)
        and ($8::text is null or ${table === 'payment' ? 'm.method = $8' : 'false'}) and ${within})
    ${page}`
  const ofInvoices = (invoices: string) => `
    select m.id from (${invoices}) i cross join lateral (
      select m.id from ${table} m where m.organization_id = $1 and m.invoice_id = i.id ${some}) m ${some}`

  const all = sql<MovementPageRow<Row>, SingleArgs>(`with fit as materialized (${newest('true')}) ${page}`)
  const byStatus = sql<MovementPageRow<Row>, ValueArgs>(
    `with fit as materialized (${newest(`${status} = $6`)}) ${page}`,
  )
  const byCurrency = sql<MovementPageRow<Row>, ValueArgs>(
    `with fit as materialized (${newest('m.currency = $6')}) ${page}`,
  )
  const byMethod =
    table === 'payment'
      ? sql<MovementPageRow<Row>, ValueArgs>(`with fit as materialized (${newest('m.method = $6')}) ${page}`)
      : undefined
  const statusAnd = sql<MovementPageRow<Row>, CombinedArgs>(matching(newest(`${status} = $6`)))
  const currencyAnd = sql<MovementPageRow<Row>, CombinedArgs>(matching(newest('m.currency = $7')))
  // indexes invoice_numbered, crm_client_search, invoice_of_client and the index by amount of the table
  const sought = sql<MovementPageRow<Row>, SearchArgs>(
    matching(`
      (${references})
      union (select m.id from ${table} m where m.organization_id = $1 and m.amount_cents = $14::bigint ${some})
      union (${ofInvoices(`
        select i.id from invoice i where i.organization_id = $1 and i.number ~>=~ $11 and i.number ~<~ $12 ${some}`)})
      union (${ofInvoices(`
        select i.id from (
          select c.id from crm_client c where c.organization_id = $1 and c.search like $13
          limit ${limits.invoiceClientsSought}) c
        cross join lateral (
          select i.id from invoice i where i.organization_id = $1 and i.client_id = c.id ${some}) i ${some}`)})`),
  )

  return async (
    db: Db,
    { from, to, status, currency, method, search }: MovementFilters,
    { limit, offset }: { limit: number; offset: number },
  ): Promise<{ rows: Row[]; total: number }> => {
    const range: SingleArgs = [from, to, limit, offset]
    const combined: CombinedArgs = [...range, status, currency, method]
    const others = [status, currency, method].filter(value => value !== null)
    const read = (): Promise<MovementPageRow<Row>[]> => {
      if (search) return db.rows(sought, ...combined, ...search)
      if (others.length === 0) return db.rows(all, ...range)
      if (others.length === 1 && status !== null) return db.rows(byStatus, ...range, status)
      if (others.length === 1 && currency !== null) return db.rows(byCurrency, ...range, currency)
      if (others.length === 1 && method !== null && byMethod) return db.rows(byMethod, ...range, method)
      return status === null ? db.rows(currencyAnd, ...combined) : db.rows(statusAnd, ...combined)
    }
    const rows = await read()
    return {
      rows: rows.filter((row): row is Row & { total: number; at: string } => row.id !== null),
      total: rows[0]!.total,
    }
  }
}

export type ListedPaymentRow = PaymentRow & MovementInvoice & { status: PaymentStatus; currency: string }
export type ListedChargeRow = ListedAttemptRow & MovementInvoice
export type ListedRefundRow = ShownRefundRow & MovementInvoice & { gateway_refund_ids: string[] }

const columnsOf = (...names: string[]) => names.map(name => `m.${name}`).join(', ')
const begins = (text: string, from: string, to: string) => `${text} ~>=~ ${from} and ${text} ~<~ ${to}`

const paymentStatus = `(case when m.reversed_at is not null then 'REVERSED' when m.is_disputed then 'DISPUTED'
  when m.refunded_cents >= m.amount_cents then 'REFUNDED' when m.refunded_cents > 0 then 'PARTIALLY_REFUNDED'
  else 'RECEIVED' end)`
/** Indexes payment_recent, payment_status, payment_by_currency, payment_by_method, payment_by_amount; see references. */
export const listPayments = movementList<ListedPaymentRow>({
  table: 'payment',
  time: 'paid_at',
  // the first that applies (PAY-11)
  status: paymentStatus,
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
  // indexes payment_intent_sought and payment_referenced
  references: `(select m.id from payment m
      where m.organization_id = $1 and ${begins('m.payment_intent_id', '$9', '$10')} ${some})
    union (select m.id from payment m
      where m.organization_id = $1 and ${begins('upper(m.reference)', '$11', '$12')} ${some})`,
})

/** Indexes charge_attempt_recent, charge_attempt_status, charge_attempt_by_currency and charge_attempt_by_amount. */
export const listCharges = movementList<ListedChargeRow>({
  table: 'charge_attempt',
  time: 'created_at',
  // chargeStatusOf in charge.rules.ts computes the same
  status: `(case when m.state in ('SUCCEEDED', 'REQUIRES_ACTION', 'FAILED') then m.state
    when m.state = 'CANCELING' and m.failure_code is not null then 'FAILED' else 'PROCESSING' end)`,
  columns: columnsOf(...listedAttemptColumns),
  // index charge_attempt_intent_sought
  references: `select m.id from charge_attempt m
    where m.organization_id = $1 and ${begins('m.payment_intent_id', '$9', '$10')} ${some}`,
})

/** Indexes refund_recent, refund_status, refund_by_currency and refund_by_amount. */
export const listRefunds = movementList<ListedRefundRow>({
  table: 'refund',
  time: 'created_at',
  status: 'm.status',
  // index refund_part_of
  columns: `${columnsOf(...shownRefundColumns.filter(name => name !== 'invoice_id'))}, array(
    select p.gateway_refund_id from refund_part p
    where p.organization_id = $1 and p.refund_id = m.id and p.gateway_refund_id is not null
    order by p.id) as gateway_refund_ids`,
  // index refund_part_sought
  references: `select p.refund_id as id from refund_part p
    where p.organization_id = $1 and ${begins('p.gateway_refund_id', '$9', '$10')} ${some}`,
})
