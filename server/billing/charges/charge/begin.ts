import type { Tx } from '#platform/data/database.ts'
import { fail } from '#platform/fail.ts'
import type { Caller } from '#platform/http/caller.ts'
import { newId } from '#platform/ids.ts'
import { type AccountRow, findAccount } from '../../gateway/account/gateway-account.sql.ts'
import { lockInvoice } from '../../invoices/invoice.access.ts'
import type { InvoiceRow } from '../../invoices/invoice.row.ts'
import { assertDue, assertIssued, dueOf } from '../../invoices/invoice.rules.ts'
import { tellOfCharge } from '../charge.events.ts'
import type { AttemptRow } from '../charge.row.ts'
import { findByKey, findOpenAttempt, insertAttempt, type NewAttempt } from '../charge.sql.ts'
import { chosenOf, usable } from './charge-invoice.rules.ts'
import { payerOf } from './charge-invoice.sql.ts'

/** What is asked for: of whom, with which authorization and card, and the key of the call with what it stands for. */
export type Asked = {
  invoiceId: string
  userId?: string
  authorizationId: string | undefined
  methodId: string | undefined
  key: { text: string; fingerprint: string } | undefined
}
/**
 * An attempt that has begun, with the account that it is to be collected with; one that was begun with the same key before,
 * or one that has to be cancelled first.
 */
export type Begun =
  | { as: 'begun'; attempt: AttemptRow; account: AccountRow }
  | { as: 'repeats' | 'waits'; attempt: AttemptRow }

/**
 * Begins to charge an invoice, once for each key: what is asked of the gateway is kept before it is asked. A charge whose
 * payer was asked by the bank gives way to a new one; while anything else is in progress there is none. Refuses in the
 * order of BIL-6 (CHG-11, CHG-18).
 */
export async function begin(tx: Tx, caller: Caller, asked: Asked): Promise<Begun> {
  const { key } = asked
  // sent together and run in this order: what comes after the lock sees what its last holder wrote
  const [invoice, repeated, open, current, payer] = await Promise.all([
    lockInvoice(tx, caller, asked.invoiceId, asked.userId),
    key && findByKey(tx, caller.applicationId, key.text),
    findOpenAttempt(tx, asked.invoiceId),
    findAccount(tx),
    payerOf(tx, asked),
  ])
  if (repeated) {
    if (repeated.fingerprint !== key!.fingerprint) fail('IDEMPOTENCY_KEY_REUSED')
    tx.pending.isReplay = true
    return { as: 'repeats', attempt: repeated }
  }
  assertFree(invoice, open)
  const account = usable(current, invoice.currency)
  const { authorization, card, customerId } = chosenOf(payer, invoice, account.id, asked)
  if (open) return { as: 'waits', attempt: open }
  const fresh: NewAttempt = {
    id: newId(),
    invoice_id: invoice.id,
    application_id: caller.applicationId,
    kind: 'OFF_SESSION',
    amount_cents: dueOf(invoice),
    currency: invoice.currency,
    gateway_account_id: account.id,
    customer_id: customerId,
    payment_method_id: card.id,
    gateway_method_id: card.gateway_method_id,
    authorization_id: authorization.id,
    idempotency_key: key?.text ?? null,
    fingerprint: key?.fingerprint ?? null,
  }
  const [attempt] = await Promise.all([
    insertAttempt(tx, fresh),
    tellOfCharge(tx, invoice, { ...fresh, payment_intent_id: null }, 'CHARGE_STARTED', {}),
  ])
  // another invoice is being charged with this key at the same moment
  if (!attempt) fail('IDEMPOTENCY_KEY_REUSED')
  return { as: 'begun', attempt, account }
}

/** Refuses an invoice that cannot be paid now: only a payment that waits for its payer gives way. */
export function assertFree(invoice: InvoiceRow, open: AttemptRow | undefined): void {
  assertIssued(invoice)
  assertDue(invoice)
  if (open && open.state !== 'REQUIRES_ACTION')
    fail('CHARGE_IN_PROGRESS', { paymentIntentId: open.payment_intent_id })
}
