import { newId } from '#platform/ids.ts'
import type { AttemptState } from '#server/billing/charges/charge.row.ts'
import { insertRows, type SqlRunner } from '../rows.ts'

type OfInvoice = { organizationId: string; invoiceId: string }
type ChargeOptions = OfInvoice & {
  accountId: string
  state: AttemptState
  applicationId?: string
  kind?: 'OFF_SESSION' | 'ON_SESSION'
  amountCents?: number
  currency?: string
  paymentIntentId?: string
  failureCode?: string | null
  declineCode?: string | null
  linkId?: string
  createdAt?: Date | string
  /** By default now, if the state is final. */
  endedAt?: Date
}

/** Inserts an attempt to charge an invoice, in any state. Returns its id. */
export async function plantCharge(
  server: SqlRunner,
  { organizationId, invoiceId, accountId, state, ...charge }: ChargeOptions,
): Promise<string> {
  const id = newId()
  const isFinal = state === 'SUCCEEDED' || state === 'FAILED'
  await insertRows(server, 'charge_attempt', [
    {
      organization_id: organizationId,
      id,
      invoice_id: invoiceId,
      application_id: charge.applicationId ?? null,
      kind: charge.kind ?? 'OFF_SESSION',
      state,
      amount_cents: charge.amountCents ?? 12_100,
      currency: charge.currency ?? 'eur',
      gateway_account_id: accountId,
      payment_intent_id: charge.paymentIntentId ?? null,
      failure_code: charge.failureCode ?? null,
      decline_code: charge.declineCode ?? null,
      link_id: charge.linkId ?? null,
      created_at: charge.createdAt ?? new Date(),
      ended_at: charge.endedAt ?? (isFinal ? new Date() : null),
    },
  ])
  return id
}

type PaymentOptions = OfInvoice & {
  cents: number
  currency?: string
  method?: string
  paidAt?: Date | string
  reference?: string | null
  /** The account and the intent of a payment by card. */
  accountId?: string | null
  paymentIntentId?: string | null
  refundedCents?: number
  isDisputed?: boolean
  isReversed?: boolean
}

/** Inserts a payment of an invoice, without changing its totals. Returns its id. */
export async function plantPayment(
  server: SqlRunner,
  { organizationId, invoiceId, cents, ...payment }: PaymentOptions,
): Promise<string> {
  const id = newId()
  const { refundedCents = 0 } = payment
  await insertRows(server, 'payment', [
    {
      organization_id: organizationId,
      id,
      invoice_id: invoiceId,
      method: payment.method ?? 'CASH',
      amount_cents: cents,
      currency: payment.currency ?? 'eur',
      paid_at: payment.paidAt ?? new Date(),
      reference: payment.reference ?? null,
      gateway_account_id: payment.accountId ?? null,
      payment_intent_id: payment.paymentIntentId ?? null,
      refund_reserved_cents: refundedCents,
      refunded_cents: refundedCents,
      is_disputed: payment.isDisputed ?? false,
      reversed_at: payment.isReversed ? new Date() : null,
    },
  ])
  return id
}

/** Inserts a difference between the ledger and the gateway. Returns its id. */
export async function plantDifference(
  server: SqlRunner,
  {
    organizationId,
    accountId,
    objectId,
    day = new Date(),
    kind = 'MISSING_HERE',
    localCents = null,
    gatewayCents = null,
    isSettled = false,
  }: {
    organizationId: string
    accountId: string
    /** The id of the payment or refund at the gateway. */
    objectId: string
    day?: Date | string
    kind?: string
    localCents?: number | null
    gatewayCents?: number | null
    isSettled?: boolean
  },
): Promise<string> {
  const id = newId()
  await insertRows(server, 'gateway_difference', [
    {
      organization_id: organizationId,
      id,
      gateway_account_id: accountId,
      day,
      kind,
      gateway_object_id: objectId,
      local_cents: localCents,
      gateway_cents: gatewayCents,
      currency: 'eur',
      settled_at: isSettled ? new Date() : null,
    },
  ])
  return id
}
