import type { PaymentStatus } from '#contract/billing/movements.ts'
import { limits } from '#contract/limits.ts'
import { type ListedAttemptRow, listedAttemptColumns } from '../charges/charge.row.ts'
import type { PaymentRow } from '../payments/payment-list.sql.ts'
import { type ShownRefundRow, shownRefundColumns } from '../refunds/refund.row.ts'
import { type MovementInvoice, movementList } from './movement-list.sql.ts'

export type ListedPaymentRow = PaymentRow & MovementInvoice & { status: PaymentStatus; currency: string }
export type ListedChargeRow = ListedAttemptRow & MovementInvoice
export type ListedRefundRow = ShownRefundRow & MovementInvoice & { gateway_refund_ids: string[] }

const columnsOf = (...names: string[]) => names.map(name => `m.${name}`).join(', ')
const some = `limit ${limits.invoicesCounted}`
const within = (text: string, from: string, to: string) => `${text} ~>=~ ${from} and ${text} ~<~ ${to}`

/** Indexes payment_recent, payment_status, payment_by_currency, payment_by_method, payment_by_amount; see references. */
export const listPayments = movementList<ListedPaymentRow>({
  table: 'payment',
  time: 'paid_at',
  columns: columnsOf(
    'id',
    'method',
    'amount_cents',
    'refunded_cents',
    'paid_at',
    'reference',
    'payment_intent_id',
    'created_at',
    'reversed_at',
    'status',
    'currency',
  ),
  // indexes payment_intent_sought and payment_referenced
  references: `(select m.id from payment m
      where m.organization_id = $1 and ${within('m.payment_intent_id', '$9', '$10')} ${some})
    union (select m.id from payment m
      where m.organization_id = $1 and ${within('upper(m.reference)', '$11', '$12')} ${some})`,
})

/** Indexes charge_attempt_recent, charge_attempt_status, charge_attempt_by_currency and charge_attempt_by_amount. */
export const listCharges = movementList<ListedChargeRow>({
  table: 'charge_attempt',
  time: 'created_at',
  columns: columnsOf(...listedAttemptColumns),
  // index charge_attempt_intent_sought
  references: `select m.id from charge_attempt m
    where m.organization_id = $1 and ${within('m.payment_intent_id', '$9', '$10')} ${some}`,
})

/** Indexes refund_recent, refund_status, refund_by_currency and refund_by_amount. */
export const listRefunds = movementList<ListedRefundRow>({
  table: 'refund',
  time: 'created_at',
  // index refund_part_of
  columns: `${columnsOf(...shownRefundColumns.filter(name => name !== 'invoice_id'))}, array(
    select p.gateway_refund_id from refund_part p
    where p.organization_id = $1 and p.refund_id = m.id and p.gateway_refund_id is not null
    order by p.id) as gateway_refund_ids`,
  // index refund_part_sought
  references: `select p.refund_id as id from refund_part p
    where p.organization_id = $1 and ${within('p.gateway_refund_id', '$9', '$10')} ${some}`,
})
