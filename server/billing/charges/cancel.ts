import type { AttemptRow } from './charge.row.ts'
import { type Place, withdrawAttempt } from './charge.sql.ts'
import { settle } from './settle.ts'
import { type Till, transactFor } from './till.ts'

/**
 * Cancels an attempt that waits for its payer, so that the invoice can be paid in another way, and looks what came of
 * that: FAILED, or SUCCEEDED when the payer was faster. While the gateway does not answer it stays CANCELING, and its
 * invoice is still in the hands of the gateway: look at both again after this.
 */
export async function cancelWaiting(till: Till, place: Place): Promise<AttemptRow> {
  await transactFor(till, place.organizationId, tx => withdrawAttempt(tx, place.id))
  return settle(till, place)
}
