import { openCardPoller } from '../authorizations/cards/detach.ts'
import { openChargePoller } from '../charges/charge-poller.ts'
import type { PaymentContext } from '../charges/payment-context.ts'
import { openRefundPoller } from '../refunds/refund-poller.ts'
import type { Poller } from './poller.ts'

/** Attempts and refunds whose result is unknown, and cards that are being removed. */
type Pollers = { readonly charges: Poller; readonly refunds: Poller; readonly cards: Poller }

/** The pollers of a worker. Each has its own capacity, so that none waits for another. */
export function openPollers(context: PaymentContext): Pollers {
  return {
    charges: openChargePoller(context),
    refunds: openRefundPoller(context),
    cards: openCardPoller(context),
  }
}
