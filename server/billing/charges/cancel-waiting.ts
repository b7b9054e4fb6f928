import type { AttemptRow } from './charge.row.ts'
import { type AttemptRef, markCanceling } from './charge.sql.ts'
import { type PaymentContext, transactAsSystem } from './payment-context.ts'
import { settleAttempt } from './settle.ts'

/**
 * Cancels an attempt that waits for its payer, so that the invoice can be paid in another way. The result is
 * FAILED, or SUCCEEDED when the payer was faster. While the gateway does not answer, the attempt stays CANCELING
 * and still blocks its invoice: read both again after this call.
 */
export async function cancelWaitingAttempt(context: PaymentContext, ref: AttemptRef): Promise<AttemptRow> {
  await transactAsSystem(context, ref.organizationId, tx => markCanceling(tx, ref.id))
  return settleAttempt(context, ref)
}
