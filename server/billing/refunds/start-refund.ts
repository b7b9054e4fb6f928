import type { Tx } from '#platform/data/database.ts'
import type { AuditSubject } from '#platform/events/audit.ts'
import { fail } from '#platform/fail.ts'
import type { Caller } from '#platform/http/caller.ts'
import { newId } from '#platform/ids.ts'
import { findAccount } from '../gateway/account/gateway-account.sql.ts'
import { type IdempotencyKey, replay } from '../idempotency-key.ts'
import { lockInvoice } from '../invoices/invoice.access.ts'
import type { RefundRow } from './refund.row.ts'
import { splitRefund } from './refund.rules.ts'
import { findByKey, insertRefund, listCollectedPayments } from './refund.sql.ts'

export type RefundRequest = {
  invoiceId: string
  userId?: string
  amountCents: number | undefined
  /** The refundable amount that the caller saw. */
  refundableCents?: number | undefined
  reason: string | null
  rectifies: boolean
  intentId: string | undefined
  key: IdempotencyKey | undefined
}

/**
 * Starts a refund, once for each key. It reserves the amount of each payment under the lock of the invoice, before
 * the gateway is called. Without `partIds` the refund was started by an earlier call. Refuses in the order of BIL-6
 * (RFD-7, RFD-8).
 */
export async function startRefund(
  tx: Tx,
  caller: Caller,
  request: RefundRequest,
  subject: AuditSubject,
): Promise<{ refund: RefundRow; partIds?: string[] }> {
  const { key } = request
  // sent together, run in this order: the statements after the lock see what its previous holder wrote
  const [invoice, repeated, payments, account] = await tx.inOrder(
    () => lockInvoice(tx, caller, request.invoiceId, request.userId),
    () => key && findByKey(tx, caller.applicationId, key.text),
    () => listCollectedPayments(tx, request.invoiceId),
    () => findAccount(tx),
  )
  if (key && repeated) {
    replay(tx, repeated, key.fingerprint)
    return { refund: repeated }
  }
  const { parts, amountCents, isFull } = splitRefund(payments, request)
  // a payment of a replaced account is refunded with the stored keys of that account
  if (account?.status !== 'READY') fail('GATEWAY_ACCOUNT_NOT_READY')
  const started = await insertRefund(
    tx,
    {
      id: newId(),
      invoice_id: invoice.id,
      application_id: caller.applicationId,
      source: caller.applicationId === null ? 'PEOPLE' : 'API',
      amount_cents: amountCents,
      currency: invoice.currency,
      is_full: isFull,
      reason: request.reason,
      creates_rectifying_invoice: request.rectifies,
      created_by: caller.applicationId === null ? caller.personId : null,
      idempotency_key: key?.text ?? null,
      fingerprint: key?.fingerprint ?? null,
    },
    parts,
  )
  // another invoice used this key at the same moment
  if (!started) fail('IDEMPOTENCY_KEY_REUSED')
  subject.detail = { refundId: started.refund.id, amountCents, reason: request.reason }
  return started
}
