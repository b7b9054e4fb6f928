import type { Till } from '../charges/till.ts'
import { openRecovery, type Recovery, recoverOnce } from '../recovery/recover.ts'
import { settleRefund } from './settle.ts'

/**
 * Brings parts of refunds that nobody is at work on, or whose outcome takes its time, in step with the gateway, and looks for
 * a month at those that succeeded, which banks may send back.
 */
export function openRefundRecovery(till: Till): Recovery {
  return openRecovery(till, 'refund_part', place => settleRefund(till, place, { isLate: true }))
}

export function recoverRefunds(till: Till): Promise<number> {
  return recoverOnce(openRefundRecovery(till))
}
