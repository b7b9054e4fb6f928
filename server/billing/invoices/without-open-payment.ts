import { type Operation, pathAt } from '#contract/operation.ts'
import type { Tx } from '#platform/data/database.ts'
import type { AuditSubject } from '#platform/events/audit.ts'
import { fail } from '#platform/fail.ts'
import type { Caller } from '#platform/http/caller.ts'
import { once } from '#platform/http/idempotency.ts'
import type { Services, Transact } from '#platform/http/operation.ts'
import { cancelWaitingAttempt } from '../charges/cancel-waiting.ts'
import { findWaitingAttempt, retryAfterSeconds } from '../charges/waiting-attempt.ts'

/** A payment waits for its payer: what was begun is given up until it is cancelled. */
class WaitingPayment extends Error {
  readonly attemptId: string
  constructor(attemptId: string) {
    super('A payment waits for its payer')
    this.attemptId = attemptId
  }
}
const maxAttempts = 3

/**
 * For the work of `onceAtRest`: goes on when no payment of a locked invoice is under way. Refuses
 * INVOICE_PAYMENT_IN_PROGRESS while the gateway is at one.
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
  services: Services
}

/**
 * One transaction that changes what is due of an invoice. A payment that waits for its payer is cancelled at the gateway
 * first, outside any transaction, and then all is looked at again: the payer may have been faster. What stands in `once`
 * happens once for each Idempotency-Key, invoice and body; before it the invoice is looked for.
 */
export async function withoutOpenPayment<Input, Reply>(
  endpoint: Operation<Input, Reply>,
  { caller, params, body, idempotencyKey: key, transact, services }: InvoiceInput,
  subject: AuditSubject,
  work: (tx: Tx, once: (change: () => Promise<Reply>) => Promise<Reply>) => Promise<Reply>,
): Promise<Reply> {
  const place = {
    caller: caller.applicationId ?? caller.personId,
    operation: `${endpoint.method} ${pathAt(caller.auth, endpoint)}`,
    // of another invoice it is another call
    body: [params, body],
    status: endpoint.status,
  }
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    try {
      return await transact(
        tx =>
          work(tx, change =>
            key === undefined ? change() : once(tx, services.cipher, { ...place, key }, change),
          ),
        subject,
      )
    } catch (error) {
      if (!(error instanceof WaitingPayment)) throw error
      await cancelWaitingAttempt(services, { organizationId: caller.organizationId, id: error.attemptId })
    }
  }
  fail('INVOICE_PAYMENT_IN_PROGRESS', { retryAfterSeconds })
}
