import type { Tx } from '#platform/data/database.ts'
import type { AuditSubject } from '#platform/events/audit.ts'
import { fail } from '#platform/fail.ts'
import type { Caller } from '#platform/http/caller.ts'
import { newId } from '#platform/ids.ts'
import { findAccount } from '../gateway/account/gateway-account.sql.ts'
import { lockInvoice } from '../invoices/invoice.access.ts'
import type { Key } from '../keys.ts'
import type { RefundRow } from './refund.row.ts'
import { partsOf } from './refund.rules.ts'
import { collectedOf, findByKey, insertRefund } from './refund.sql.ts'

/** What is asked for, by whose user, and the key of the call. */
export type Asked = {
  invoiceId: string
  userId?: string
  amountCents: number | undefined
  reason: string | null
  rectifies: boolean
  intentId: string | undefined
  key: Key | undefined
}

/**
 * Begins to give back what the gateway collected, once for each key: what each payment is to give back is reserved before
 * the gateway is asked, under the lock of the invoice. Without `partIds` it was begun before. Refuses in the order of
 * BIL-6 (RFD-7, RFD-8).
 */
export async function begin(
  tx: Tx,
  caller: Caller,
  asked: Asked,
  subject: AuditSubject,
): Promise<{ refund: RefundRow; partIds?: string[] }> {
  const { key } = asked
  // sent together and run in this order: what comes after the lock sees what its last holder wrote
  const [invoice, repeated, payments, account] = await Promise.all([
    lockInvoice(tx, caller, asked.invoiceId, asked.userId),
    key && findByKey(tx, caller.applicationId, key.text),
    collectedOf(tx, asked.invoiceId),
    findAccount(tx),
  ])
  if (repeated) {
    if (repeated.fingerprint !== key!.fingerprint) fail('IDEMPOTENCY_KEY_REUSED')
    tx.pending.isReplay = true
    return { refund: repeated }
  }
  const { parts, amountCents, isFull } = partsOf(payments, asked)
  // what an account collected that another one took the place of is given back with the keys that it had
  if (account?.status !== 'READY') fail('GATEWAY_ACCOUNT_NOT_READY')
  const begun = await insertRefund(
    tx,
    {
      id: newId(),
      invoice_id: invoice.id,
      application_id: caller.applicationId,
      source: caller.applicationId === null ? 'PEOPLE' : 'API',
      amount_cents: amountCents,
      currency: invoice.currency,
      is_full: isFull,
      reason: asked.reason,
      creates_rectifying_invoice: asked.rectifies,
      created_by: caller.applicationId === null ? caller.personId : null,
      idempotency_key: key?.text ?? null,
      fingerprint: key?.fingerprint ?? null,
    },
    parts,
  )
  // another invoice is being refunded with this key at the same moment
  if (!begun) fail('IDEMPOTENCY_KEY_REUSED')
  subject.detail = { refundId: begun.refund.id, amountCents, reason: asked.reason }
  return begun
}
