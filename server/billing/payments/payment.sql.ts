import type { PaymentMethodName } from '#contract/billing/shapes.ts'
import type { Db, Tx } from '#platform/data/db.ts'
import { sql } from '#platform/data/statement.ts'
import { newId } from '#platform/ids.ts'

/** A payment to book. `attempt`: the one that collected it, with its intent and account unless it is a direct debit. */
export type NewPayment = {
  id: string
  invoiceId: string
  method: PaymentMethodName
  amountCents: number
  currency: string
  /** ISO 8601; null: now. */
  paidAt: string | null
  reference: string | null
  attempt: { id: string; accountId: string | null; intentId: string | null } | null
}
export type BookedPayment = {
  paid_at: string
  paid_cents: number
  overpaid_cents: number
  last_payment_at: string
  updated_at: string
}

// index payment_at_gateway books collected money once; on a conflict nothing is written
const book = sql<
  BookedPayment,
  {
    id: string
    invoiceId: string
    method: string
    cents: number
    currency: string
    paidAt: string | null
    reference: string | null
    accountId: string | null
    intentId: string | null
    attemptId: string | null
    entryId: string
  }
>(`
  with paid as (
    insert into payment as p (organization_id, id, invoice_id, method, amount_cents, currency, paid_at, reference,
      gateway_account_id, payment_intent_id, charge_attempt_id)
    values ($organization, $id, $invoiceId, $method, $cents, $currency, coalesce($paidAt::timestamptz, now()),
      $reference, $accountId, $intentId, $attemptId)
    on conflict do nothing returning p.*),
  entered as (
    insert into ledger_entry (organization_id, id, invoice_id, kind, amount_cents, currency, payment_id,
      gateway_account_id, gateway_object_id)
    select $organization, $entryId, p.invoice_id, 'PAYMENT', p.amount_cents, p.currency, p.id,
      p.gateway_account_id, p.payment_intent_id
    from paid p where p.organization_id = $organization)
  update invoice i set paid_cents = i.paid_cents + p.amount_cents,
    overpaid_cents = greatest(i.paid_cents + p.amount_cents
      - case when i.lifecycle = 'VOIDED' then 0 else i.total_cents - i.rectified_cents end, 0),
    last_payment_at = greatest(i.last_payment_at, p.paid_at), updated_at = now()
  from paid p where i.organization_id = $organization and p.organization_id = $organization and i.id = p.invoice_id
  returning p.paid_at, i.paid_cents, i.overpaid_cents, i.last_payment_at, i.updated_at`)

/**
 * Books a payment of an invoice that the transaction has locked: the payment, its ledger entry and the totals of
 * the invoice. Undefined when the intent was booked before. Every incoming payment is booked here.
 */
export function bookPayment(tx: Tx, payment: NewPayment): Promise<BookedPayment | undefined> {
  const { id, invoiceId, method, amountCents, currency, paidAt, reference, attempt } = payment
  return tx.first(book, {
    id,
    invoiceId,
    method,
    cents: amountCents,
    currency,
    paidAt,
    reference,
    accountId: attempt?.accountId ?? null,
    intentId: attempt?.intentId ?? null,
    attemptId: attempt?.id ?? null,
    entryId: newId(),
  })
}

/** The columns that a reversal needs. */
export type ReversiblePayment = {
  method: PaymentMethodName
  amount_cents: number
  payment_intent_id: string | null
  reversed_at: string | null
}
// the caller has locked the invoice
const selectReversible = sql<ReversiblePayment, { id: string; invoiceId: string }>(`
  select p.method, p.amount_cents, p.payment_intent_id, p.reversed_at
  from payment p where p.organization_id = $organization and p.id = $id and p.invoice_id = $invoiceId`)

export function findReversiblePayment(
  db: Db,
  invoiceId: string,
  paymentId: string,
): Promise<ReversiblePayment | undefined> {
  return db.first(selectReversible, { id: paymentId, invoiceId })
}

// index payment_of; the caller has locked the invoice
const selectOfAttempt = sql<ReversiblePayment & { id: string }, { attemptId: string; invoiceId: string }>(`
  select p.id, p.method, p.amount_cents, p.payment_intent_id, p.reversed_at
  from payment p where p.organization_id = $organization and p.charge_attempt_id = $attemptId
    and p.invoice_id = $invoiceId`)

/** The payment of an attempt that has collected one. */
export function readPaymentOfAttempt(
  db: Db,
  invoiceId: string,
  attemptId: string,
): Promise<ReversiblePayment & { id: string }> {
  return db.one(selectOfAttempt, { attemptId, invoiceId })
}

export type BookedReversal = {
  reversed_at: string
  paid_cents: number
  overpaid_cents: number
  last_payment_at: string | null
  updated_at: string
}
type Reversal = { id: string; by: string; reason: string; entryId: string }
// index payment_of
const reverse = sql<BookedReversal, Reversal>(`
  with reversed as (
    update payment p set reversed_at = now(), reversed_by = $by, reversal_reason = $reason
    where p.organization_id = $organization and p.id = $id and p.payment_intent_id is null and p.reversed_at is null
    returning p.*),
  entered as (
    insert into ledger_entry (organization_id, id, invoice_id, kind, amount_cents, currency, payment_id)
    select $organization, $entryId, p.invoice_id, 'PAYMENT_REVERSAL', -p.amount_cents, p.currency, p.id
    from reversed p where p.organization_id = $organization)
  update invoice i set paid_cents = i.paid_cents - p.amount_cents,
    overpaid_cents = greatest(i.paid_cents - p.amount_cents
      - case when i.lifecycle = 'VOIDED' then 0 else i.total_cents - i.rectified_cents end, 0),
    last_payment_at = (select max(m.paid_at) from payment m
      where m.organization_id = $organization and m.invoice_id = p.invoice_id and m.id <> p.id
        and m.reversed_at is null),
    updated_at = now()
  from reversed p where i.organization_id = $organization and p.organization_id = $organization
    and i.id = p.invoice_id
  returning p.reversed_at, i.paid_cents, i.overpaid_cents, i.last_payment_at, i.updated_at`)

/**
 * Reverses a payment by hand, or of a direct debit, of an invoice that the transaction has locked: marks the payment, enters the opposite
 * amount in the ledger, and reduces the paid total.
 */
export function bookReversal(
  tx: Tx,
  { paymentId, by, reason }: { paymentId: string; by: string; reason: string },
): Promise<BookedReversal> {
  return tx.one(reverse, { id: paymentId, by, reason, entryId: newId() })
}

/** A payment that the gateway collected. */
export type GatewayPayment = { id: string; invoice_id: string; gateway_account_id: string }

// index payment_at_gateway
const selectOfIntent = sql<GatewayPayment, { accountId: string; intentId: string }>(
  `select p.id, p.invoice_id, p.gateway_account_id from payment p
   where p.organization_id = $organization and p.gateway_account_id = $accountId
     and p.payment_intent_id = $intentId`,
)

export function findPaymentByIntent(
  db: Db,
  accountId: string,
  intentId: string,
): Promise<GatewayPayment | undefined> {
  return db.first(selectOfIntent, { accountId, intentId })
}
