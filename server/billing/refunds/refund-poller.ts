import type { PaymentContext } from '../charges/payment-context.ts'
import { openPoller, type Poller, pollOnce } from '../polling/poller.ts'
import { settleRefund } from './settle-refund.ts'

/**
 * Settles refund parts that no request works on, or whose result takes long. A succeeded part is polled for a
 * month, because banks may return the money.
 */
export function openRefundPoller(context: PaymentContext): Poller {
  return openPoller(context, 'refund_part', ref => settleRefund(context, ref, { isPolled: true }))
}

export function pollRefunds(context: PaymentContext): Promise<number> {
  return pollOnce(openRefundPoller(context))
}
