import type { Db } from '#platform/data/db.ts'
import { fail } from '#platform/fail.ts'
import type { AttemptRow } from './charge.row.ts'
import { findOpenAttempt } from './charge.sql.ts'

/** After this time a payment in progress is worth another try. */
export const retryAfterSeconds = 5

/**
 * The attempt that waits for its payer and can be cancelled with `cancelWaitingAttempt`; undefined when there is
 * none. Refuses INVOICE_PAYMENT_IN_PROGRESS for any other open attempt, because nothing may overtake it.
 */
export async function findWaitingAttempt(db: Db, invoiceId: string): Promise<AttemptRow | undefined> {
  const open = await findOpenAttempt(db, invoiceId)
  if (open && open.state !== 'REQUIRES_ACTION') fail('INVOICE_PAYMENT_IN_PROGRESS', { retryAfterSeconds })
  return open
}
