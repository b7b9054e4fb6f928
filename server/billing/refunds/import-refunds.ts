import type { GatewayRefund } from '#platform/adapters/gateway/port.ts'
import type { Tx } from '#platform/data/db.ts'
import { newId } from '#platform/ids.ts'
import { firstOf, required } from '#platform/required.ts'
import { gatewayOf, type PaymentContext, transactAsSystem } from '../charges/payment-context.ts'
import { lockInvoiceById } from '../invoices/invoice.access.ts'
import { findPaymentByIntent, type GatewayPayment } from '../payments/payment.sql.ts'
import { findPartOfGatewayRefund, insertRefund, listCollectedPayments } from './refund.sql.ts'
import { applyPartResult, recordPartResult } from './settle-refund.ts'

/**
 * Reads all refunds of an intent from the gateway. Refunds that were requested here are settled; refunds from the
 * gateway's dashboard are booked, once. Ignores unknown intents.
 */
export async function importRefunds(
  context: PaymentContext,
  { organizationId, accountId }: { organizationId: string; accountId: string },
  intentId: string,
): Promise<void> {
  const db = context.database.of(organizationId)
  const payment = await findPaymentByIntent(db, accountId, intentId)
  if (!payment) return
  const gateway = await gatewayOf(context, organizationId, accountId)
  // oldest first: a failed refund precedes its replacement
  for (const refund of (await gateway.listRefundsOf(intentId)).toReversed()) {
    const partId = await findPartOfGatewayRefund(db, payment.id, refund.id, refund.metadata.refundPartId)
    if (partId !== undefined) await recordPartResult(context, { organizationId, id: partId }, { refund })
    // a refund that failed before it was known changed nothing
    else if (refund.status === 'pending' || refund.status === 'succeeded')
      await transactAsSystem(context, organizationId, tx => bookPanelRefund(tx, context, payment, refund))
  }
}

/** Books a refund from the gateway's dashboard. */
async function bookPanelRefund(
  tx: Tx,
  context: PaymentContext,
  payment: GatewayPayment,
  refund: GatewayRefund,
): Promise<void> {
  const invoice = await lockInvoiceById(tx, payment.invoice_id)
  // another process may have booked it before this one got the lock
  if (await findPartOfGatewayRefund(tx, payment.id, refund.id, undefined)) return
  const { amountCents, currency } = refund
  const left = (await listCollectedPayments(tx, invoice.id)).reduce(
    (cents, { amount_cents, refund_reserved_cents }) => cents + amount_cents - refund_reserved_cents,
    0,
  )
  const taken = await insertRefund(
    tx,
    {
      id: newId(),
      invoice_id: invoice.id,
      application_id: null,
      source: 'GATEWAY',
      amount_cents: amountCents,
      currency,
      is_full: left <= amountCents,
      reason: null,
      creates_rectifying_invoice: false,
      created_by: null,
      idempotency_key: null,
      fingerprint: null,
    },
    [{ paymentId: payment.id, accountId: payment.gateway_account_id, amountCents }],
    refund.id,
  )
  const { partIds } = required(taken, 'a refund without a key')
  await applyPartResult(tx, context, firstOf(partIds), { refund })
}

/** Imports refunds after a notice. The refund or intent of the notice is read from the gateway. */
export async function importRefundsOnNotice(
  context: PaymentContext,
  account: { organizationId: string; accountId: string },
  { about, objectId, intentId }: { about: string; objectId: string; intentId: string | null },
): Promise<void> {
  if (about === 'refund' && intentId === null) {
    const gateway = await gatewayOf(context, account.organizationId, account.accountId)
    const refund = await gateway.readRefund(objectId)
    await importRefunds(context, account, refund.intentId)
  } else if (intentId !== null && (about === 'refund' || about === 'other')) {
    await importRefunds(context, account, intentId)
  }
}
