import type { Tx } from '#platform/data/database.ts'
import { fail } from '#platform/fail.ts'
import type { Caller } from '#platform/http/caller.ts'
import { newId } from '#platform/ids.ts'
import { type AccountRow, findAccount } from '../../gateway/account/gateway-account.sql.ts'
import { type IdempotencyKey, replay } from '../../idempotency-key.ts'
import { lockInvoice } from '../../invoices/invoice.access.ts'
import type { InvoiceRow } from '../../invoices/invoice.row.ts'
import { assertDue, assertIssued, dueOf } from '../../invoices/invoice.rules.ts'
import { emitChargeEvent } from '../charge.events.ts'
import type { AttemptRow } from '../charge.row.ts'
import { findByKey, findOpenAttempt, insertAttempt, type NewAttempt } from '../charge.sql.ts'
import { chooseCard, usableAccount } from './charge-invoice.rules.ts'
import { loadPayer } from './charge-invoice.sql.ts'

export type ChargeRequest = {
  invoiceId: string
  userId?: string
  authorizationId: string | undefined
  methodId: string | undefined
  key: IdempotencyKey | undefined
}
/**
 * A new attempt with its account (`started`), an earlier attempt with the same key (`replayed`), or an attempt that
 * must be cancelled first (`waiting`).
 */
export type StartedCharge =
  | { as: 'started'; attempt: AttemptRow; account: AccountRow }
  | { as: 'replayed' | 'waiting'; attempt: AttemptRow }

/**
 * Starts to charge an invoice, once for each key. The request to the gateway is stored before it is sent. An
 * attempt that only waits for its payer is cancelled for a new one; any other open attempt refuses it. Refuses in
 * the order of BIL-6 (CHG-11, CHG-18).
 */
export async function startCharge(tx: Tx, caller: Caller, request: ChargeRequest): Promise<StartedCharge> {
  const { key } = request
  // sent together, run in this order: the statements after the lock see what its previous holder wrote
  const [invoice, repeated, open, current, payer] = await tx.inOrder(
    () => lockInvoice(tx, caller, request.invoiceId, request.userId),
    () => key && findByKey(tx, caller.applicationId, key.text),
    () => findOpenAttempt(tx, request.invoiceId),
    () => findAccount(tx),
    () => loadPayer(tx, request),
  )
  if (key && repeated) {
    replay(tx, repeated, key.fingerprint)
    return { as: 'replayed', attempt: repeated }
  }
  assertPayable(invoice, open)
  const account = usableAccount(current, invoice.currency)
  const { authorization, card, customerId } = chooseCard(payer, invoice, account.id, request)
  if (open) return { as: 'waiting', attempt: open }
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
    emitChargeEvent(tx, invoice, { ...fresh, payment_intent_id: null }, 'CHARGE_STARTED', {}),
  ])
  // another invoice used this key at the same moment
  if (!attempt) fail('IDEMPOTENCY_KEY_REUSED')
  return { as: 'started', attempt, account }
}

/** Refuses an invoice that cannot be paid now. An attempt that waits for its payer does not block a new one. */
export function assertPayable(invoice: InvoiceRow, open: AttemptRow | undefined): void {
  assertIssued(invoice)
  assertDue(invoice)
  if (open && open.state !== 'REQUIRES_ACTION')
    fail('CHARGE_IN_PROGRESS', { paymentIntentId: open.payment_intent_id })
}
