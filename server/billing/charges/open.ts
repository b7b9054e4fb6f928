import type { Db } from '#platform/data/database.ts'
import { fail } from '#platform/fail.ts'
import type { AttemptRow } from './charge.row.ts'
import { findOpenAttempt } from './charge.sql.ts'

/** In so many seconds a payment that is in progress is worth another look. */
export const retryAfterSeconds = 5

/**
 * The attempt to collect an invoice that waits for its payer, which can be cancelled: see cancelWaiting. Undefined when
 * there is none. Refuses INVOICE_PAYMENT_IN_PROGRESS while one is in progress, which nothing may overtake.
 */
export async function waitingAttempt(db: Db, invoiceId: string): Promise<AttemptRow | undefined> {
  const open = await findOpenAttempt(db, invoiceId)
  if (open && open.state !== 'REQUIRES_ACTION') fail('INVOICE_PAYMENT_IN_PROGRESS', { retryAfterSeconds })
  return open
}
