import type { PaymentContext } from '../charges/payment-context.ts'
import { openPoller, type Poller, pollOnce } from '../polling/poller.ts'
import { settleRefund } from './settle-refund.ts'

/**
 * Brings parts of refunds that nobody is at work on, or whose outcome takes its time, in step with the gateway, and looks for
 * a month at those that succeeded, which banks may send back.
 */
export function openRefundPoller(context: PaymentContext): Poller {
  return openPoller(context, 'refund_part', ref => settleRefund(context, ref, { isLate: true }))
}

export function pollRefunds(context: PaymentContext): Promise<number> {
  return pollOnce(openRefundPoller(context))
}
