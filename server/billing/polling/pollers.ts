import { openCardPoller } from '../authorizations/cards/detach.ts'
import { openChargePoller } from '../charges/charge-poller.ts'
import type { PaymentContext } from '../charges/payment-context.ts'
import { openRefundPoller } from '../refunds/refund-poller.ts'
import type { Poller } from './poller.ts'

/** The pollers of a worker. Each has its own capacity, so that none waits for another. */
export function openPollers(context: PaymentContext): Poller[] {
  return [openChargePoller(context), openRefundPoller(context), openCardPoller(context)]
}
