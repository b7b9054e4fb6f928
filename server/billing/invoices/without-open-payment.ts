import type { Operation } from '#contract/operation.ts'
import type { Tx } from '#platform/data/db.ts'
import type { AuditSubject } from '#platform/events/audit.ts'
import { fail } from '#platform/fail.ts'
import type { Caller } from '#platform/http/caller.ts'
import { idempotentCall, runOnce } from '#platform/http/idempotency.ts'
import type { Transact } from '#platform/http/operation.ts'
import { cancelWaitingAttempt } from '../charges/cancel-waiting.ts'
import type { PaymentContext } from '../charges/payment-context.ts'
import { findWaitingAttempt, retryAfterSeconds } from '../charges/waiting-attempt.ts'

/** Rolls the transaction back until the payment that waits for its payer is cancelled. */
class WaitingPayment extends Error {
  readonly attemptId: string
  constructor(attemptId: string) {
    super('A payment waits for its payer')
    this.attemptId = attemptId
  }
}
const maxAttempts = 3

/**
 * Call this in the `work` of `withoutOpenPayment`, on a locked invoice. Refuses INVOICE_PAYMENT_IN_PROGRESS while
 * the gateway processes a payment.
 */
export async function assertNoOpenPayment(tx: Tx, invoiceId: string): Promise<void> {
  const waiting = await findWaitingAttempt(tx, invoiceId)
  if (waiting) throw new WaitingPayment(waiting.id)
}

type InvoiceInput = {
  caller: Caller
  params: { id: string }
  body: unknown
  idempotencyKey: string | undefined
  transact: Transact
  services: PaymentContext
}

/**
 * Runs a transaction that changes the debt of an invoice. A payment that waits for its payer is first cancelled at
 * the gateway, outside any transaction; then the transaction runs again, because the payer may have been faster.
 * The function in `once` runs once for each Idempotency-Key, invoice and body; the invoice is read before it.
 */
export async function withoutOpenPayment<Input, Reply>(
  endpoint: Operation<Input, Reply>,
  { caller, params, body, idempotencyKey: key, transact, services }: InvoiceInput,
  subject: AuditSubject,
  work: (tx: Tx, once: (change: () => Promise<Reply>) => Promise<Reply>) => Promise<Reply>,
): Promise<Reply> {
  // the same key for another invoice is another request
  const call =
    key === undefined ? undefined : idempotentCall(caller, endpoint as Operation, key, [params, body])
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    try {
      return await transact(
        tx =>
          work(tx, change => (call === undefined ? change() : runOnce(tx, services.cipher, call, change))),
        subject,
      )
    } catch (error) {
      if (!(error instanceof WaitingPayment)) throw error
      await cancelWaitingAttempt(services, { organizationId: caller.organizationId, id: error.attemptId })
    }
  }
  fail('INVOICE_PAYMENT_IN_PROGRESS', { retryAfterSeconds })
}
